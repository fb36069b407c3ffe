/**
 * Writes trades and fills as the specification's JSON byte by byte, because hundreds are requested in one call and
 * every trade is sent to the streams.
 *
 * Invariant: equal to `JSON.stringify` of `tradeToJson` and `fillToJson` to the byte.
 */
import type { Market } from '../domain/market.ts'
import type { Fill, Trade } from '../domain/trade.ts'
import { TextWriter } from './text-writer.ts'

/** Upper limit without names: field names, and numbers. */
const MAX_BYTES = 512
const USUAL_BYTES = 256

function write(writer: TextWriter, trade: Trade, { pricePrecision, qtyPrecision }: Market): void {
  writer.reserve(MAX_BYTES)
  writer.ascii('{"id":"')
  writer.units(trade.id, 0)
  writer.ascii('","symbol":')
  writer.json(trade.symbol)
  writer.reserve(MAX_BYTES)
  writer.ascii(',"price":"')
  writer.units(trade.price, pricePrecision)
  writer.ascii('","qty":"')
  writer.units(trade.qty, qtyPrecision)
  writer.ascii('","buyOrderId":"')
  writer.units(trade.buyOrderId, 0)
  writer.ascii('","sellOrderId":"')
  writer.units(trade.sellOrderId, 0)
  writer.ascii('","buyerId":')
  writer.json(trade.buyerId)
  writer.reserve(MAX_BYTES)
  writer.ascii(',"sellerId":')
  writer.json(trade.sellerId)
  writer.reserve(MAX_BYTES)
  writer.ascii(trade.isBuyerMaker ? ',"isBuyerMaker":true,"createdAt":' : ',"isBuyerMaker":false,"createdAt":')
  writer.units(trade.createdAt, 0)
}

function writeFill(writer: TextWriter, { trade, side, orderId, isMaker }: Fill, market: Market): void {
  write(writer, trade, market)
  writer.ascii(side === 'BUY' ? ',"side":"BUY","orderId":"' : ',"side":"SELL","orderId":"')
  writer.units(orderId, 0)
  writer.ascii(isMaker ? '","isMaker":true' : '","isMaker":false')
}

const ofOne = new TextWriter(USUAL_BYTES)

export function tradeText(trade: Trade, market: Market): string {
  ofOne.clear()
  write(ofOne, trade, market)
  ofOne.ascii('}')
  return ofOne.written.toString()
}

/** An array of trades of one market, in UTF-8. */
export const tradesText = (trades: readonly Trade[], market: Market): Buffer =>
  listText(trades, (writer, trade) => {
    write(writer, trade, market)
  })

/** An array of fills, in UTF-8. */
export const fillsText = (fills: readonly Fill[], marketOf: (fill: Fill) => Market): Buffer =>
  listText(fills, (writer, fill) => {
    writeFill(writer, fill, marketOf(fill))
  })

/** @param writeOne  leaves the closing brace out, and room for it */
function listText<T>(items: readonly T[], writeOne: (writer: TextWriter, item: T) => void): Buffer {
  const writer = new TextWriter((items.length + 1) * USUAL_BYTES)
  let before = '['
  for (const item of items) {
    writer.ascii(before)
    writeOne(writer, item)
    before = '},'
  }
  writer.ascii(items.length === 0 ? '[]' : '}]')
  return writer.written
}
