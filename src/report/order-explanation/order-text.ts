/**
 * Prices, quantities and counts of one order in words.
 *
 * Invariant: sums are exact; a price has its market's digits, a quantity no trailing zeros.
 */
import { toDecimal } from '../../domain/decimal.ts'
import { followsBook } from '../../simulation/liquidity/liquidity-models.ts'
import { readableCount } from '../readable.ts'
import type { HistoryFill, OrderHistory } from './order-history.ts'

/** One fact of the life of an order. */
export interface OrderFact {
  /** Unix milliseconds, virtual. */
  readonly time: number
  readonly text: string
}

/** The last fact about an order of a session that has not ended. */
export const broken = (time: number): OrderFact => ({
  time,
  text: 'the journal ends here: the session was killed or is still running',
})

/** A price with exactly the digits of the order's market; unchanged if the market is unknown. */
export function priceText({ terms, asked }: OrderHistory, price: string): string {
  const market = terms.markets.find(({ symbol }) => symbol === asked.request.symbol)
  return market === undefined ? price : toDecimal(price).toFixed(market.pricePrecision)
}

export const qtyText = (qty: string): string => toDecimal(qty).toFixed()

export const sumText = (quantities: readonly string[]): string =>
  quantities.reduce((sum, qty) => sum.plus(qty), toDecimal(0)).toFixed()

export const remainingText = ({ qty, filledQty }: { readonly qty: string; readonly filledQty: string }): string =>
  toDecimal(qty).minus(filledQty).toFixed()

export const isZero = (qty: string): boolean => toDecimal(qty).isZero()

/** `3 of the crowd and 1 of your own`; undefined for nothing. */
export function aheadText({ crowdAhead = '0', oursAhead = '0' }: AheadFields): string | undefined {
  const parts = [
    ...(isZero(crowdAhead) ? [] : [`${crowdAhead} of the crowd`]),
    ...(isZero(oursAhead) ? [] : [`${oursAhead} of your own`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' and ')
}

/** Everything that is ahead. */
export const totalAhead = ({ crowdAhead = '0', oursAhead = '0' }: AheadFields): string =>
  sumText([crowdAhead, oursAhead])

interface AheadFields {
  readonly crowdAhead?: string
  readonly oursAhead?: string
}

/** `1.5 at 100.50`, or with the average price of several. */
export function fillsText(history: OrderHistory, fills: readonly HistoryFill[], average: string | undefined): string {
  const prices = [...new Set(fills.map(({ price }) => price))]
  const [price] = prices
  const qty = sumText(fills.map((fill) => fill.qty))
  if (prices.length === 1 && price !== undefined) return `${qty} at ${priceText(history, price)}`
  return `${qty} at an average of ${average ?? '0'}`
}

/** True for an order in a market that was recorded as candles, without trades. */
export const isOfCandles = ({ terms, asked }: OrderHistory): boolean =>
  terms.markets.find(({ symbol }) => symbol === asked.request.symbol)?.candleMs !== undefined

/** The recorded book that the order's queue and ladder followed; undefined if there are only trades or candles. */
export function followedBook({ terms, asked }: OrderHistory): 'levels' | 'quotes' | undefined {
  if (!followsBook(terms.liquidity)) return undefined
  return terms.markets.find(({ symbol }) => symbol === asked.request.symbol)?.book
}

/** True for a live exchange, where orders have answers and fills, but the queue is unknown. */
export const isLive = ({ terms }: OrderHistory): boolean => terms.liquidity === 'live'

/** `2 trades of 3.5 in total`, `1 trade of 2`. */
export const tradesText = (count: number, qty: string, noun: 'trade' | 'candle' = 'trade'): string =>
  `${readableCount(count, noun)} of ${qty}${count === 1 ? '' : ' in total'}`
