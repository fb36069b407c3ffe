"""Tests against a running emulator. PAPERTAPE_COMMAND says how papertape is started, RUN where a run was written."""

import importlib.util
import json
import os
import signal
import sys
import tempfile
import time
import types
import unittest
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from papertape import Client, Emulator, EmulatorError, OrderAbsent, OutcomeUnknown, Refused, ServiceError, read_run
from papertape.client import ATTEMPTS, FRESH_S
from papertape.http import Answer
from papertape.stream import events

PRICE = Decimal("30000.00")
QUICK = {"timeout_s": 2, "settle_s": 1.5}


def has(package):
    return importlib.util.find_spec(package) is not None


class OrdersWithoutAnswer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.emulator = Emulator()
        cls.emulator.start()
        cls.addClassCleanup(cls.emulator.stop)

    def setUp(self):
        self.client = self.emulator.client(**QUICK)
        for order in self.client.open_orders():
            self.client.cancel_order(order["id"])

    def test_an_order_that_was_executed_is_found_and_not_doubled(self):
        for fault in ("engine-timeout-after", "reset-after", "truncated-body", "delay"):
            with self.subTest(fault):
                self.emulator.fault(fault, "POST /orders", ms=2500)
                placed = self.client.place_order("BTC_USD", "BUY", "0.01", PRICE)
                self.assertEqual([placed["id"]], [order["id"] for order in self.client.open_orders()])
                self.client.cancel_order(placed["id"])

    def test_an_order_that_was_not_executed_is_absent(self):
        for fault in ("engine-timeout-before", "reset-before", "engine-unavailable"):
            with self.subTest(fault):
                self.emulator.fault(fault, "POST /orders")
                with self.assertRaises(OrderAbsent):
                    self.client.place_order("BTC_USD", "BUY", "0.01", PRICE)
                self.assertEqual([], self.client.open_orders())

    def test_an_order_that_appears_after_it_was_absent_is_not_taken_for_another(self):
        self.emulator.fault("engine-timeout-late", "POST /orders", ms=6000)
        with self.assertRaises(OrderAbsent):
            self.client.place_order("BTC_USD", "BUY", "0.02", PRICE)
        self.emulator.fault("reset-after", "POST /orders")
        placed = self.client.place_order("BTC_USD", "BUY", "0.02", PRICE)
        while len(self.client.open_orders()) < 2:
            time.sleep(0.2)
        self.assertIn(placed["id"], [order["id"] for order in self.client.open_orders()])
        self.assertEqual(2, len(self.client.open_orders()))

    def test_a_duplicate_of_somebody_else_is_not_guessed(self):
        self.client.orders()
        self.client.place_order("BTC_USD", "BUY", "0.03", Decimal("1000"))
        self.emulator.fault("duplicate-order", "POST /orders")
        self.emulator.fault("truncated-body", "POST /orders")
        with self.assertRaises(OutcomeUnknown):
            self.client.place_order("BTC_USD", "BUY", "0.03", PRICE)

    def test_a_rate_limited_order_is_sent_again_and_a_lost_cancel_is_done(self):
        self.emulator.fault("rate-limited", "POST /orders", ms=1000)
        placed = self.client.place_order("BTC_USD", "BUY", "0.01", PRICE)
        self.emulator.fault("reset-after", "DELETE /orders/{orderId}")
        self.assertEqual("CANCELLED", self.client.cancel_order(placed["id"])["status"])

    def test_refusals_and_errors_have_their_code(self):
        def code(**order):
            with self.assertRaises(Refused) as raised:
                self.client.place_order("BTC_USD", "BUY", **order)
            return raised.exception.code

        self.assertEqual("VALIDATION_ERROR", code(qty="0.1", price="1.001"))
        self.assertEqual("INSUFFICIENT_BALANCE", code(qty=1000, price=PRICE))
        with self.assertRaisesRegex(TypeError, "qty: expected a Decimal"):
            self.client.place_order("BTC_USD", "BUY", 0.1, PRICE)
        with self.assertRaises(ServiceError) as wrong:
            self.emulator.client("pt_wrong").balances()
        self.assertEqual("INVALID_API_KEY", wrong.exception.code)
        self.assertIsNone(self.client.order("999999999"))
        self.emulator.fault("service-unavailable", "GET /balances", count=2)
        self.assertEqual(Decimal(100_000), self.client.balances()["USD"]["available"])

    def test_an_equal_order_that_another_program_placed_before_is_not_taken(self):
        self.client.place_order("BTC_USD", "BUY", "0.04", Decimal("1000"))
        foreign = self.emulator.client().place_order("BTC_USD", "BUY", "0.04", PRICE)
        time.sleep(FRESH_S + 0.2)
        self.emulator.fault("reset-before", "POST /orders")
        with self.assertRaises(OrderAbsent):
            self.client.place_order("BTC_USD", "BUY", "0.04", PRICE)
        self.emulator.fault("reset-after", "POST /orders")
        self.assertNotEqual(foreign["id"], self.client.place_order("BTC_USD", "BUY", "0.04", PRICE)["id"])

    def test_an_order_is_not_sent_if_the_orders_cannot_be_read(self):
        self.emulator.fault("service-unavailable", "GET /orders", count=5)
        with self.assertRaisesRegex(OrderAbsent, "not sent"):
            self.client.place_order("BTC_USD", "BUY", "0.06", PRICE)
        with self.assertRaisesRegex(Refused, "INVALID_API_KEY"):
            self.emulator.client("pt_wrong").place_order("BTC_USD", "BUY", "0.06", PRICE)
        self.assertEqual([], self.client.open_orders())

    @unittest.skipUnless(has("websockets"), "websockets is not installed")
    def test_the_stream_reports_trades_once_after_a_lost_connection(self):
        ids = []
        for event in self.client.stream(trades=["BTC_USD"]):
            ids.append(int(event["trade"]["id"]))
            if len(ids) == 3:
                self.emulator.fault("stream-drop", "GET /ws")
            if len(ids) == 8:
                break
        self.assertEqual(sorted(set(ids)), ids)


class AnEmulator(unittest.TestCase):
    def test_ends_with_its_block_and_says_what_is_wrong(self):
        with Emulator({"markets": [{"symbol": "GOLD_EUR", "pricePrecision": 2, "qtyPrecision": 4}]}) as emulator:
            self.assertEqual(["GOLD_EUR"], [market["symbol"] for market in emulator.client().markets()])
            emulator.credit("GOLD", "2.5")
            self.assertEqual(Decimal("2.5"), emulator.client().balances()["GOLD"]["available"])
            url = emulator.base_url
        with self.assertRaisesRegex(OrderAbsent, "not sent"):
            Client(url, "pt_x").place_order("GOLD_EUR", "BUY", 1, 1)
        with self.assertRaisesRegex(EmulatorError, "--port"):
            Emulator(args=["--port", "x"]).start()

    def test_a_client_continues_after_a_kill(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        state = os.path.join(folder.name, "state.db")
        first = Emulator(args=["--state", state])
        first.start()
        client = first.client(**QUICK)
        placed = client.place_order("BTC_USD", "BUY", "0.01", PRICE)
        first._signal(signal.SIGKILL)
        port = first.base_url.rsplit(":", 1)[1].split("/")[0]
        first.stop()
        with Emulator(args=["--state", state, "--port", port]):
            self.assertEqual("OPEN", client.order(placed["id"])["status"])


class Undecided(unittest.TestCase):
    """Orders of a client whose service is replaced: each listing is the next of those given, the last one repeats."""

    def test_one_order_for_two_requests_without_an_answer_is_not_guessed(self):
        order = {"id": "1", "symbol": "A_B", "side": "BUY", "type": "LIMIT", "status": "OPEN", "qty": "1", "price": "2"}
        client = Client("http://127.0.0.1:1", "pt_x", settle_s=0, give_up_s=0)
        lost = Answer(0, {}, None, "reset", True)
        failed = Answer(503, {}, {"error": {"code": "SERVICE_UNAVAILABLE", "message": "down"}}, "", True)
        listed = []

        def send(method, path, body=None, is_keyed=True):
            if method == "POST":
                return lost
            return listed.pop(0) if listed else Answer(200, {}, [order] if "page=1" in path else [], "", True)

        client._send = send
        listed.append(Answer(200, {}, [], "", True))
        listed.extend([failed] * ATTEMPTS)
        with self.assertRaises(OutcomeUnknown):
            client.place_order("A_B", "BUY", 1, 2)
        with self.assertRaisesRegex(OutcomeUnknown, "orders 1 match"):
            client.place_order("A_B", "BUY", 1, 2)


class Connections:
    """The package `websockets`: each connection delivers the frames of the next list, and is lost then."""

    def __init__(self, *connections):
        self._connections = list(connections)
        self.failures = 0

    def modules(self):
        exceptions, client = types.ModuleType("websockets.exceptions"), types.ModuleType("websockets.sync.client")
        exceptions.WebSocketException = type("WebSocketException", (Exception,), {})
        client.connect = self._connect
        names = {"websockets.exceptions": exceptions, "websockets.sync.client": client}
        return {"websockets": types.ModuleType("websockets"), "websockets.sync": types.ModuleType("s"), **names}

    @contextmanager
    def _connect(self, url, **options):
        if self.failures > 0:
            self.failures -= 1
            raise OSError("refused")
        socket = mock.MagicMock()
        socket.__iter__.return_value = iter([json.dumps(frame) for frame in self._connections.pop(0)])
        yield socket


class AStream(unittest.TestCase):
    SUBSCRIBED = {"op": "subscribed"}

    def events(self, connections, reads, count):
        client = mock.Mock()
        client.trades.side_effect = reads
        with mock.patch.dict(sys.modules, connections.modules()), mock.patch("time.sleep"):
            stream = events(client, "http://x/v1", ["A_B"], [])
            return [next(stream) for _ in range(count)]

    def trade(self, number):
        return {"id": str(number), "createdAt": f"2024-01-01T00:00:00.{number:03}Z"}

    def frame(self, number):
        return {"stream": "trade:A_B", "data": self.trade(number)}

    def test_outlasts_failed_reads_and_long_outages(self):
        connections = Connections([self.SUBSCRIBED, self.frame(1)], [self.SUBSCRIBED], [self.SUBSCRIBED])
        connections.failures = 2000
        failed = ServiceError("NO_ANSWER", "GET /markets/A_B/trades: 503")
        found = self.events(connections, [[], failed, [self.trade(2), self.trade(1)]], 2)
        self.assertEqual(["1", "2"], [event["trade"]["id"] for event in found])

    def test_ends_for_a_market_that_is_not_listed(self):
        with self.assertRaisesRegex(ServiceError, "MARKET_NOT_FOUND"):
            self.events(Connections([self.SUBSCRIBED]), [ServiceError("MARKET_NOT_FOUND", "no market")], 1)

    def test_reports_trades_of_a_market_that_had_none_before(self):
        found = self.events(Connections([self.SUBSCRIBED], [self.SUBSCRIBED]), [[], [self.trade(2), self.trade(1)]], 2)
        self.assertEqual(["1", "2"], [event["trade"]["id"] for event in found])

    def test_says_from_when_to_when_trades_are_missing(self):
        rows = [self.trade(number) for number in range(599, 99, -1)]
        connections = Connections([self.SUBSCRIBED, self.frame(7)], [self.SUBSCRIBED])
        seen, gap, first = self.events(connections, [[], rows], 3)
        expected = {"type": "gap", "symbol": "A_B", "from": seen["trade"]["createdAt"], "to": rows[-1]["createdAt"]}
        self.assertEqual((expected, "100"), (gap, first["trade"]["id"]))
        unseen = self.events(Connections([self.SUBSCRIBED], [self.SUBSCRIBED]), [[], rows], 1)
        self.assertIsNone(unseen[0]["from"])


class ARun(unittest.TestCase):
    def test_is_read_with_exact_values(self):
        run = read_run(os.environ["RUN"], frames="rows")
        self.assertEqual("sma-cross", run.info["strategy"]["name"])
        self.assertIsInstance(run.fills[0]["price"], Decimal)
        bought = sum(fill["qty"] for fill in run.fills if fill["order_id"] == run.orders[0]["id"])
        self.assertEqual(run.orders[0]["filled_qty"], bought)
        self.assertEqual(2024, run.trades[0]["opened_at"].year)
        self.assertIsInstance(read_run(os.environ["RUN"], frames="rows", exact=False).equity[0]["equity"], float)
        with self.assertRaisesRegex(ValueError, "frames"):
            read_run(os.environ["RUN"], frames="x")

    @unittest.skipUnless(has("pandas"), "pandas is not installed")
    def test_is_a_frame_of_pandas(self):
        run = read_run(os.environ["RUN"])
        self.assertEqual(len(read_run(os.environ["RUN"], frames="rows").fills), len(run.fills))
        self.assertIsInstance(run.fills["fee"].sum(), Decimal)
        self.assertEqual("float64", read_run(os.environ["RUN"], exact=False).equity["equity"].dtype)

    @unittest.skipUnless(has("polars"), "polars is not installed")
    def test_is_a_frame_of_polars(self):
        run = read_run(os.environ["RUN"], frames="polars")
        self.assertIsInstance(run.fills["fee"].sum(), Decimal)
        self.assertEqual(len(read_run(os.environ["RUN"], frames="rows").orders), run.orders.height)


if __name__ == "__main__":
    unittest.main()
