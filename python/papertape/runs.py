"""The files of a run as tables."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Callable, Dict, List, Union

_TEXT = "id symbol side type status tag reason trade_id order_id fee_asset name tags text message".split()
_INT = "time_ms interval_ms time fills".split()
_TIME = "created_at opened_at closed_at".split()


@dataclass(frozen=True)
class Run:
    """`info` is run.json. Each table is a data frame, or a list of dicts with `frames="rows"`."""

    info: Dict[str, Any]
    orders: Any
    fills: Any
    trades: Any
    equity: Any
    candles: Any


def read_run(directory: Union[str, "os.PathLike[str]"], *, frames: str = "auto", exact: bool = True) -> Run:
    """Reads a directory that `papertape backtest --out` wrote.

    :param frames: `pandas`, `polars`, `rows`, or `auto` for the first of them that is installed
    :param exact: decimal values are Decimal; with False they are float
    """
    folder = os.fspath(directory)
    make = _maker(frames)
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        info = json.load(file, parse_float=Decimal if exact else float)

    def table(name: str) -> Any:
        path = os.path.join(folder, f"{name}.csv")
        return make(*_columns(path, exact)) if os.path.exists(path) else None

    return Run(info, *(table(name) for name in ("orders", "fills", "trades", "equity", "candles")))


def _columns(path: str, exact: bool) -> tuple[List[str], List[List[Any]]]:
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        readers = [_reader(name, exact) for name in names]
        columns: List[List[Any]] = [[] for _ in names]
        for row in rows:
            for column, reader, text in zip(columns, readers, row):
                column.append(None if text == "" else reader(text))
    return names, columns


def _reader(name: str, exact: bool) -> Callable[[str], Any]:
    if name in _TEXT:
        return str
    if name in _INT:
        return int
    if name in _TIME:
        return lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
    if name.startswith("is_"):
        return lambda text: text == "true"
    return Decimal if exact else float


def _maker(frames: str) -> Callable[[List[str], List[List[Any]]], Any]:
    if frames == "rows":
        return lambda names, columns: [dict(zip(names, row)) for row in zip(*columns)]
    if frames in ("auto", "pandas"):
        try:
            import pandas
        except ImportError:
            if frames == "pandas":
                raise
        else:
            return lambda names, columns: pandas.DataFrame(dict(zip(names, columns)), columns=names)
    if frames in ("auto", "polars"):
        try:
            import polars
        except ImportError:
            if frames == "polars":
                raise
        else:
            return lambda names, columns: polars.DataFrame(dict(zip(names, columns)), strict=False)
    if frames == "auto":
        return _maker("rows")
    raise ValueError(f"frames: expected auto, pandas, polars or rows, got {frames!r}")
