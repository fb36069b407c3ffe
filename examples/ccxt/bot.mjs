/**
 * A bot written for any exchange of ccxt, on the emulator: only the import and the address are papertape's. It buys a
 * little, places an order below the market, cancels it, and sells. Usage: node bot.mjs BASE_URL API_KEY
 */
// @ts-nocheck -- ccxt is not installed here
import ccxt from 'ccxt'
import { papertape } from './papertape.mjs'

ccxt.papertape = papertape(ccxt)
const [, , api, apiKey] = process.argv
const exchange = new ccxt.papertape({ apiKey, urls: { api } })
const symbol = 'BTC/USD'

const { last } = await exchange.fetchTicker(symbol)
const candles = await exchange.fetchOHLCV(symbol, '1m', undefined, 5)
const bought = await exchange.createOrder(symbol, 'market', 'buy', 0.01)
const resting = await exchange.createOrder(symbol, 'limit', 'buy', 0.01, last * 0.9)
const open = await exchange.fetchOpenOrders(symbol)
const cancelled = await exchange.cancelOrder(resting.id, symbol)
const sold = await exchange.createOrder(symbol, 'market', 'sell', bought.filled)
const { BTC } = await exchange.fetchBalance()
console.log(candles.length, bought.status, open.length, cancelled.status, sold.status, BTC.total)
