"""The trading service, its emulator, and the files of papertape's runs, from Python."""

from .client import Client
from .emulator import Emulator, EmulatorError
from .errors import OrderAbsent, OutcomeUnknown, Refused, ServiceError
from .runs import Run, read_run

__all__ = [
    "Client",
    "Emulator",
    "EmulatorError",
    "OrderAbsent",
    "OutcomeUnknown",
    "Refused",
    "Run",
    "ServiceError",
    "read_run",
]
