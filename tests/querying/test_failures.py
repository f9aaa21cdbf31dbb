"""What an error means, whoever sent it: bodies as providers' documentation and public reports show them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.failures import Filtered, ReplyBody, error_within, refused
from halluvault_tasks.querying.rates import LONGEST_WAIT, rate_of, seconds, wait_of
from halluvault_tasks.querying.replies import Failure, FailureKind, RateLimit
from tests.querying.test_hostile_server import BODIES

SENT = ("model", "messages", "max_tokens", "temperature", "seed", "stop", "stream", "reasoning_effort")
FULL, RETRY, FATAL, BARRED = FailureKind.OVERLOADED, FailureKind.RETRYABLE, FailureKind.FATAL, FailureKind.BARRED


def error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


def meaning(status: int, body: Any, headers: dict[str, str] | None = None) -> Failure:
    text = body if isinstance(body, str) else json.dumps(body)
    return refused(ReplyBody(status, headers or {}, text.encode()), SENT)


GEMINIS_MINUTE = [error(
    "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: "
    "generate_content_paid_tier_input_token_count, limit: 1000000\nPlease retry in 33.82s.",
    code=429, status="RESOURCE_EXHAUSTED", details=[{"@type": "type.googleapis.com/RetryInfo", "retryDelay": "33s"}],
)]  # fmt: skip
GEMINIS_NOTHING = [error("You exceeded your current quota, … limit: 0, model: x\nPlease retry in 17.3s.", code=429)]
GROQS_MINUTE = error(
    "Rate limit reached for model `m` on tokens per minute (TPM): Limit 15000, Used 11972. Please try again in 5.289s. "
    "Need more tokens? Upgrade at https://console.groq.com/settings/billing", type="tokens", code="rate_limit_exceeded",
)  # fmt: skip


@pytest.mark.parametrize(
    ("status", "body", "kind", "param"),
    [
        # no money, or no quota that comes back by itself
        (402, error("This request requires more credits, or fewer max_tokens"), BARRED, ""),
        (429, error("You exceeded your current quota, please check your plan", code="insufficient_quota"), BARRED, ""),
        (429, error("Your account is suspended", type="exceeded_current_quota_error"), BARRED, ""),
        (429, GEMINIS_NOTHING, BARRED, ""),
        (400, error("Your credit balance is too low to access the API", type="invalid_request_error"), BARRED, ""),
        (403, error("Your newly created team doesn't have any credits yet"), BARRED, ""),
        # full, for a while
        (429, GEMINIS_MINUTE, FULL, ""),
        (429, GROQS_MINUTE, FULL, ""),
        (429, error("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 a day"), FULL, ""),
        (503, error("Loading model", code=503, type="unavailable_error"), FULL, ""),
        # the key, the address, the model
        (401, error("Incorrect API key provided", code="invalid_api_key"), BARRED, ""),
        (403, "one moment", BARRED, ""),
        (404, error("The model `gpt-4.9-x` does not exist", code="model_not_found"), BARRED, ""),
        (400, error("Model Not Exist", type="invalid_request_error"), BARRED, ""),
        (400, error("x/y-1.5 is not a valid model ID", code=400), BARRED, ""),
        (400, {"object": "error", "message": "Invalid model: m", "type": "invalid_model", "code": "1500"}, BARRED, ""),
        # a parameter, named as such or in words
        (400, error("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                    param="max_tokens", code="unsupported_parameter"), BARRED, "max_tokens"),
        (400, error("Unsupported parameter: 'max_tokens' is not supported.", param=None), BARRED, "max_tokens"),
        (400, error("Unsupported value: 'temperature' does not support 0 with this model."), BARRED, "temperature"),
        (400, [error('Invalid JSON payload. Unknown name "seed": Cannot find field.', code=400)], BARRED, "seed"),
        (400, error("Unrecognized request argument supplied: reasoning_effort"), BARRED, "reasoning_effort"),
        (400, error("property 'seed' is unsupported, did you mean 'need'?"), BARRED, "seed"),
        (400, {"message": "Unsupported parameter(s): `stop`, `seed`", "code": 400}, BARRED, "stop"),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, BARRED, "seed"),
        (422, {"message": {"detail": [{"loc": ["body", "seed"], "msg": "…"}]}}, BARRED, "seed"),
        (400, {"message": "[{'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'msg': 'Extra inputs are not "
                          "permitted'}]", "type": "BadRequestError", "code": 400}, BARRED, "max_tokens"),
        # this prompt alone
        (400, error("This model's maximum context length is 4097 tokens.", param="messages",
                    code="context_length_exceeded"), FATAL, ""),
        (400, error("'max_tokens' is too large: 512. This model's maximum context length is 2048 tokens and your "
                    "request has 1900 input tokens", param="max_tokens"), FATAL, ""),
        (500, error("Context size has been exceeded.", code=500, type="server_error"), FATAL, ""),
        (422, error("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048."), FATAL, ""),
        (422, {"detail": [{"loc": ["body", "messages", 0, "name"], "msg": "Extra inputs"}]}, FATAL, ""),
        (413, error("Request too large for model `m` on tokens per minute", code="rate_limit_exceeded"), FATAL, ""),
        # anything else may pass
        (500, error("Internal server error"), RETRY, ""),
        (408, error("Your request timed out"), RETRY, ""),
    ],
)  # fmt: skip
def test_an_error_means_what_its_status_codes_and_words_say(
    status: int, body: Any, kind: FailureKind, param: str
) -> None:
    found = meaning(status, body)
    assert not isinstance(found, Filtered)
    assert (found.kind, found.param) == (kind, param)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, error("The response was filtered", code="content_filter", param="prompt",
                    innererror={"code": "ResponsibleAIPolicyViolation"})),
        (400, error("Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
                    code="invalid_prompt")),
        (400, error("Content Exists Risk", code="invalid_request_error")),
        (400, {"detail": "Content Exists Risk"}),
        (400, error("The request was rejected because it was considered high risk", type="content_filter")),
        (400, error("Input text data may contain inappropriate content.", type="data_inspection_failed")),
        (403, {"code": "The caller does not have permission", "error": "Content violates usage guidelines."}),
        (403, error("m requires moderation. Your input was flagged", code=403,
                    metadata={"reasons": ["violence"], "flagged_input": "…", "provider_name": "x"})),
        (400, error("Provider returned error", code=400,
                    metadata={"raw": json.dumps(error("filtered", code="content_filter"))})),
        (400, error("litellm.BadRequestError: AzureException - triggering Azure OpenAI's content management policy")),
        (400, {"error": {"code": "1301", "message": "不安全"}, "contentFilter": [{"role": "user", "level": 1}]}),
    ],
)  # fmt: skip
def test_what_a_content_filter_refuses_is_an_answer_of_the_api(status: int, body: Any) -> None:
    found = meaning(status, body)
    assert isinstance(found, Filtered) and found.words


def test_a_proxys_page_and_a_filter_that_fails_are_no_refusals_of_the_api() -> None:
    assert not isinstance(meaning(403, "<html>Your request was blocked by a content filter"), Filtered)
    assert (
        meaning(500, error("content_filter service unavailable", code="content_filter")).kind is FailureKind.RETRYABLE
    )
    unharmed = {"hate": {"filtered": False, "severity": "safe"}}
    assert not isinstance(meaning(400, error("bad", content_filter_result=unharmed)), Filtered)


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"retry-after": "43200"}, "", 43_200),
        ({"retry-after-ms": "1500", "retry-after": "2"}, "", 1.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30s"}, "", 90),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s"}, "", 179.56),
        ({"x-ratelimit-remaining-tokens": "7", "x-ratelimit-reset-tokens": "2m59.56s"}, "", None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999000"}, "", LONGEST_WAIT),
        ({}, error("Please try again in 7m12.5s. Visit …"), 432.5),
        ({}, error("Token quota is exceeded. Try again in 12 seconds."), 12),
        ({}, GEMINIS_MINUTE, 33),
        ({}, error("busy"), None),
    ],
)
def test_how_long_a_full_server_asks_to_wait_is_read_from_headers_and_words(
    headers: dict[str, str], body: Any, wait: float | None
) -> None:
    found = meaning(429, body, headers)
    assert (found.kind, found.retry_after) == (FailureKind.OVERLOADED, wait)


def test_an_account_that_may_spend_again_later_is_full_and_not_empty() -> None:
    assert meaning(402, error("in-flight budget"), {"retry-after": "3"}).retry_after == 3
    assert meaning(403, error("Token quota is exceeded"), {"retry-after": "3600"}).kind is FailureKind.OVERLOADED


@pytest.mark.parametrize(
    ("headers", "rate"),
    [
        ({"x-ratelimit-limit-tokens": "160000", "x-ratelimit-remaining-tokens": "159976",
          "x-ratelimit-reset-tokens": "500ms"}, RateLimit(160_000, 159_976, 0.5)),
        ({"x-ratelimit-limit-tokens-minute": "500000", "x-ratelimit-remaining-tokens-minute": "1"},
         RateLimit(500_000, 1, None)),
        ({"anthropic-ratelimit-tokens-remaining": "12", "anthropic-ratelimit-tokens-reset": "2020-01-01T00:00:00Z"},
         RateLimit(None, 12, 0.0)),
        ({"x-ratelimit-limit-requests": "5000"}, None),
        ({"x-ratelimit-limit-tokens": "many"}, None),
    ],
)  # fmt: skip
def test_tokens_a_minute_are_read_in_the_spellings_of_hosted_apis(
    headers: dict[str, str], rate: RateLimit | None
) -> None:
    assert rate_of(headers) == rate
    assert meaning(429, "", headers).rate == rate


@given(
    value=st.text(max_size=40) | st.floats().map(str) | st.from_regex(r"(\d{1,12}(ms|s|m|h|d)){1,3}", fullmatch=True)
)
def test_no_wait_is_negative_or_longer_than_a_month(value: str) -> None:
    wait = seconds(value)
    assert wait is None or 0 <= wait <= LONGEST_WAIT
    for name in ("retry-after", "retry-after-ms"):
        asked = wait_of({name: value})
        assert asked is None or 0 <= asked <= LONGEST_WAIT


@given(body=BODIES, status=st.integers(300, 599))
def test_whatever_body_comes_an_error_is_classed_in_one_line(body: Any, status: int) -> None:
    for found in (meaning(status, body), meaning(status, f"{body}"), error_within(body, {}, SENT)):
        assert isinstance(found, Failure) and len(found.reason) < 400 and "\n" not in found.reason
