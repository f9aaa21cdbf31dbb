"""The codes and words by which providers tell one error from another, as data; `failures` says what each means.

A code is compared without case and punctuation, so that one spelling stands for all. A pattern is searched in the
message, and only where no code said more. Seen in documentation and public reports from 2024 to November 2026.
"""

import re2


def folded(word: str) -> str:
    """A code as it is compared: `ResponsibleAIPolicyViolation`, `content-filter` and `CONTENT_FILTER` alike."""
    return "".join(letter for letter in word.lower() if letter.isalnum())


def _codes(*names: str) -> frozenset[str]:
    return frozenset(map(folded, names))


def _words(*patterns: str) -> re2._Regexp:
    return re2.compile("(?i)" + "|".join(patterns))


FILTER_CODES = _codes(
    "content_filter", "ResponsibleAIPolicyViolation",  # Azure, Moonshot
    "content_policy_violation", "moderation_blocked",  # OpenAI
    "ContentPolicyViolationError",  # LiteLLM
    "data_inspection_failed",  # Alibaba
    "SensitiveContentDetected", "InputTextSensitiveContentDetected", "OutputTextSensitiveContentDetected",
    "InputTextRiskDetection",  # Volcengine
    "1301",  # Zhipu
    "guardrail_violation", "guardrail_intervened",  # Bedrock, gateways
    "moderation_error", "content_moderation", "content_blocked", "prompt_blocked", "content_violation",
    "policy_violation", "safety_violation", "safety",
)  # fmt: skip
"""What was asked or said is refused."""

FILTER_WORDS = _words(
    r"content[ _-]?filter", r"content management polic", r"content polic(?:y|ies)",  # Azure, Anthropic
    r"flagged as potentially", r"violat\w* (?:of )?(?:our |the |its )?(?:content|usage|safety|moderation|acceptable)",
    r"(?:prompt|input|request|content) (?:was|were|is|has been) (?:flagged|filtered|moderated)",  # OpenAI, OpenRouter
    r"content exists risk", r"considered high risk",  # DeepSeek, Moonshot
    r"inappropriate content", r"sensitive content", r"safety_check", r"prohibited[ _]content",  # Alibaba, xAI, Gemini
)  # fmt: skip

SPENT_CODES = _codes(
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "account_deactivated",  # OpenAI
    "insufficient_balance", "insufficient_credits", "insufficient_funds", "credits_exhausted", "payment_required",
    "exceeded_current_quota_error", "account_suspended",  # Moonshot
    "Arrearage",  # Alibaba
    "1113",  # Zhipu
    "openrouter_credits", "openrouter_key_limit",
)  # fmt: skip
"""No money, or no quota left that comes back by itself."""

SPENT_WORDS = _words(
    r"insufficient (?:balance|credits?|funds|quota)", r"not enough (?:credits?|balance|funds)", r"余额不足",
    r"(?:out of|run out of|used all available|have any|requires more) credits\b", r"credit balance is too low",
    r"billing hard limit", r"account (?:is|was|has been) (?:empty|deactivated|suspended|disabled)",
    r"account is not active", r"spending limit", r"payment required", r"payment is past due",
)  # fmt: skip

QUOTA_WORDS = _words(r"exceeded your current quota", r"monthly included credits")
QUOTA_OF_A_MINUTE = _codes("RESOURCE_EXHAUSTED")
"""Gemini says of a minute's quota what OpenAI says of an empty account, but with this code or a time to wait."""

NOTHING_GRANTED, SOMETHING_GRANTED = _words(r"limit: 0\b"), _words(r"limit: [1-9]")
"""Gemini names a wait even where a model has no quota at all."""

LONG_CODES = _codes(
    "context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "max_tokens_exceeded",
    "request_too_large", "prompt_too_long", "token_limit_exceeded", "string_too_long",
)  # fmt: skip
"""This prompt is too long: OpenAI, llama.cpp, OpenRouter, Anthropic."""

LONG_WORDS = _words(
    r"context (?:length|size|window)", r"maximum (?:input|prompt) length", r"reduce (?:the length|your)",
    r"(?:prompt|input|request|inputs`? tokens)\b.{0,40}?(?:too long|too large|exceeds|must be <=|must have less)",
)  # fmt: skip

MODEL_CODES = _codes(
    "model_not_found", "invalid_model", "unknown_model", "model_not_supported", "model_not_available",
    "model_not_exist", "model_decommissioned", "model_terms_required", "DeploymentNotFound", "ModelNotOpen",
    "InvalidEndpointOrModel.NotFound",
)  # fmt: skip
"""The model is not there, or not for this account: OpenAI, Mistral, Groq, Azure, Volcengine."""

MODEL_WORDS = _words(
    r"(?:no such|unknown|invalid|unsupported) (?:model|deployment)\b", r"not a valid model",
    r"(?:model|deployment)\b.{0,160}?(?:not exist\b|not found|is not supported|not available|decommissioned)",
)  # fmt: skip

REFUSES = _words(
    r"unsupported", r"not support", r"n't supported", r"unrecogni[sz]ed", r"unknown", r"unexpected", r"invalid",
    r"not permitted", r"not allowed", r"deprecated", r"cannot find field", r"not valid", r"only the default",
    r"not taken", r"not accept", r"additional propert", r"may only be", r"not implemented",
)  # fmt: skip
"""Said of a field of the request that it names."""

STATUSES = {
    **dict.fromkeys(
        _codes("invalid_request_error", "invalid_request", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE",
               "BadRequestError", "bad_request", "invalid_prompt", "unsupported_parameter", "unsupported_value",
               "unknown_parameter", "extra_forbidden", "validation", "template_error", "tool_error"), 400),
    **dict.fromkeys(_codes("authentication_error", "invalid_api_key", "UNAUTHENTICATED", "AuthenticationError"), 401),
    **dict.fromkeys(_codes("permission_error", "PERMISSION_DENIED", "PermissionDeniedError", "access_denied"), 403),
    **dict.fromkeys(_codes("not_found_error", "not_found", "NotFoundError"), 404),
    **dict.fromkeys(_codes("rate_limit_exceeded", "rate_limit_error", "RateLimitError", "RESOURCE_EXHAUSTED",
                           "too_many_requests"), 429),
    **dict.fromkeys(_codes("overloaded_error", "overloaded", "server_is_overloaded", "UNAVAILABLE",
                           "unavailable_error", "service_unavailable"), 503),
    **dict.fromkeys(_codes("DEADLINE_EXCEEDED", "gateway_timeout"), 504),
}  # fmt: skip
"""The status that a code in words stands for: OpenAI, Google, Anthropic, vLLM, TGI."""

TGI_FATAL = _words(r"^(?:Input validation|Template|Tool) error")
TGI_FULL = _words(r"^Model is overloaded")
"""TGI says 422 of every error in a stream of its `/v1`; only its words tell."""
