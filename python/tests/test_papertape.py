"""Tests against a running emulator. PAPERTAPE_COMMAND says how papertape is started, RUN where a run was written."""

import importlib.util
import os
import signal
import sys
import tempfile
import time
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from papertape import Client, Emulator, EmulatorError, OrderAbsent, OutcomeUnknown, Refused, ServiceError, read_run

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
            gone = Client(url, "pt_x")
            gone._known["GOLD_EUR"] = set()
            gone.place_order("GOLD_EUR", "BUY", 1, 1)
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
