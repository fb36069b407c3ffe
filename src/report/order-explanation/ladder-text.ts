/**
 * The order book that an order traded against: recorded or estimated, and how earlier orders of the strategy changed
 * it.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { isLiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { readableCount } from '../readable.ts'
import type { HistoryFill, OrderHistory } from './order-history.ts'
import { followedBook, isZero, priceText } from './order-text.ts'

/** Undefined for an order without taker fills, and for models without a ladder, such as custom ones. */
export function ladderText(history: OrderHistory): string | undefined {
  const { liquidity } = history.terms
  const taken = history.fills.filter(({ isMaker, partnerId }) => !isMaker && partnerId === undefined)
  if (taken.length === 0 || liquidity === 'ideal' || !isLiquidityName(liquidity)) return undefined
  const what = WHAT_IT_IS[followedBook(history) ?? 'trades']
  return [`it traded against ${what}: ${levelsText(history, taken)}`, ...ownTexts(history)].join('; ')
}

/** Text by kind of recording. */
const WHAT_IT_IS = {
  levels: 'the recorded order book',
  quotes: 'the recorded quote, with estimated depth beyond it',
  trades: 'an estimated order book',
} as const

function levelsText(history: OrderHistory, taken: readonly HistoryFill[]): string {
  const prices = [...new Set(taken.map(({ price }) => priceText(history, price)))]
  const [first = '', last = ''] = [prices.at(0), prices.at(-1)]
  return `${readableCount(prices.length, 'level')} ${prices.length === 1 ? `at ${first}` : `from ${first} to ${last}`}`
}

function ownTexts(history: OrderHistory): readonly string[] {
  const { asked, takenBefore } = history
  const side: Side = asked.request.side === 'SELL' ? 'SELL' : 'BUY'
  const [same, other] = [takenBefore[side], takenBefore[opposite(side)]]
  return [
    ...(isZero(same) ? [] : [`minus what your earlier ${ORDERS[side]} (${same}) took and the market has not refilled`]),
    // Our orders do not move a recorded book.
    ...(isZero(other) || followedBook(history) !== undefined
      ? []
      : [`shifted by half the price move of your earlier ${ORDERS[opposite(side)]} (${other}), except on candles`]),
  ]
}

const ORDERS: Readonly<Record<Side, string>> = { BUY: 'buys', SELL: 'sells' }
