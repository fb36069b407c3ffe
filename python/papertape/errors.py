"""Errors of the client."""

from __future__ import annotations

from typing import Any, Sequence

#: Codes of the specification with their statuses.
STATUS_OF_CODE = {
    "VALIDATION_ERROR": 400,
    "MALFORMED_JSON": 400,
    "AUTHENTICATION_REQUIRED": 401,
    "INVALID_API_KEY": 401,
    "FORBIDDEN": 403,
    "EMAIL_NOT_VERIFIED": 403,
    "MARKET_NOT_FOUND": 404,
    "ORDER_NOT_FOUND": 404,
    "ASSET_NOT_FOUND": 404,
    "ORDER_NOT_CANCELLABLE": 409,
    "INSUFFICIENT_BALANCE": 422,
    "NO_LIQUIDITY": 422,
    "ORDER_REJECTED": 422,
    "RATE_LIMITED": 429,
    "SERVICE_UNAVAILABLE": 503,
    "ENGINE_UNAVAILABLE": 503,
    "PORTFOLIO_UNAVAILABLE": 503,
    "ENGINE_TIMEOUT": 504,
}


class ServiceError(Exception):
    """A call failed. `code` is one of the specification, `NO_ANSWER`, or `SCHEMA_FAULT` for an answer of another form."""

    def __init__(self, code: str, message: str, request_id: str | None = None, details: Sequence[Any] = ()) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.request_id = request_id
        self.details = list(details)


class Refused(ServiceError):
    """The service refused a call: nothing was executed."""


class OrderAbsent(ServiceError):
    """There was no answer, and the order is not among the orders of the account: it may be placed again."""


class OutcomeUnknown(ServiceError):
    """There was no answer, and it is not known what became of the request: look at the open orders first."""
