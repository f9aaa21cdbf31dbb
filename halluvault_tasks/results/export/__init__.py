"""Results as files: tables for a notebook or a spreadsheet, and logs that `inspect view` opens."""
