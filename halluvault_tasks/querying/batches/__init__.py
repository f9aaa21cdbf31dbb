"""`asking: batch`: a month's prompts handed to a hosted API as files, and collected when it has answered them.

Another way of transport and no other dialect: each line of a file is the request that the model's client would send
(`paper`), and what comes back is read by the same client. `forms` knows how the APIs' batches differ, `api` speaks to
one, `book` keeps their state in Postgres, and `rounds` is what is done with them.
"""
