"""A test that uses the fixtures; run by pytest with the plugin `papertape.pytest_plugin`."""


def test_a_bot_buys(papertape_client, papertape_emulator):
    order = papertape_client.place_order("BTC_USD", "BUY", "0.01")
    assert order["status"] == "FILLED"
    assert papertape_emulator.control("GET", "/audit")["ok"]
