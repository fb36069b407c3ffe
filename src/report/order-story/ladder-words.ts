/**
 * The ladder that an order met, in words: the recorded book or an estimate, which own takings bear on.
 */
import { opposite, type Side } from '../../domain/order.ts'
import { isLiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { readableCount } from '../readable.ts'
import type { HistoryFill, OrderHistory } from './order-history.ts'
import { followedBook, isZero, priceText } from './order-words.ts'

/** Undefined for an order that took nothing of the market, and of models that show no such ladder, a user's own among them. */
export function ladderText(history: OrderHistory): string | undefined {
  const { liquidity } = history.terms
  const taken = history.fills.filter(({ isMaker, partnerId }) => !isMaker && partnerId === undefined)
  if (taken.length === 0 || liquidity === 'ideal' || !isLiquidityName(liquidity)) return undefined
  const what = WHAT_IT_IS[followedBook(history) ?? 'trades']
  return [`the ladder that it met is ${what}: ${levelsText(history, taken)}`, ...ownTexts(history)].join('; ')
}

/** By what is recorded of the market. */
const WHAT_IT_IS = {
  levels: 'the recorded book, as far as it was told',
  quotes: 'the recorded quote, and behind it an estimate',
  trades: 'an estimate',
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
    ...(isZero(same)
      ? []
      : [`the ${same} that own ${ORDERS[side]} took before was missing, as far as it had not come back`]),
    // Nothing of ours moves what is recorded.
    ...(isZero(other) || followedBook(history) !== undefined
      ? []
      : [
          `the ${other} that own ${ORDERS[opposite(side)]} took before moved it by half of their own move, unless of candles`,
        ]),
  ]
}

const ORDERS: Readonly<Record<Side, string>> = { BUY: 'buys', SELL: 'sells' }
