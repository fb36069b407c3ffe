"""Fixtures for pytest: an emulator for a test, and a client of it."""

from __future__ import annotations

from typing import Any, Iterator

import pytest

from .client import Client
from .emulator import Emulator


def pytest_addoption(parser: Any) -> None:
    parser.addini("papertape_args", "flags of 'papertape serve' for the fixture papertape_emulator", "args", [])


@pytest.fixture
def papertape_emulator(request: pytest.FixtureRequest) -> Iterator[Emulator]:
    """A new exchange on a free port; it ends with the test."""
    with Emulator(args=request.config.getini("papertape_args")) as emulator:
        yield emulator


@pytest.fixture
def papertape_client(papertape_emulator: Emulator) -> Client:
    """A client of the first user of `papertape_emulator`."""
    return papertape_emulator.client()
