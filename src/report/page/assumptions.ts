/**
 * The things that a run took for granted, in sentences: how orders were filled, and what is not modelled.
 */
import { followsBook, isLiquidityName, type LiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { GIVEN_LIQUIDITY } from '../../runtime/backtest/liquidity-choice.ts'
import type { RunReport } from '../run/run-report.ts'

const OF_BOOK =
  'Where a book or quotes were recorded, a resting order joins behind what the book has at its price, and is filled when recorded trades have passed that queue, or go beyond its price, or the other side of the book reaches it. A market order takes the levels of the book; what it took stays missing until the book is recorded growing. Of those who cancel,'

const OF_MODEL: Readonly<Record<LiquidityName, string>> = {
  book: `${OF_BOOK} those behind the order go first.`,
  'book-power': `${OF_BOOK} most stand behind the order.`,
  'book-prorata': `${OF_BOOK} as many stand ahead of the order as its place in the queue says.`,
  tape: 'A resting order joins behind a queue as long as trades at its price have been, and is filled when recorded trades have passed that queue, or go beyond its price. A market order meets a ladder of such quantities, one tick behind the other.',
  through: 'A resting order is filled only by trades beyond its price, as if everybody else at its price came first.',
  touch: 'A resting order is filled by any trade at its price, as if nobody else were there.',
  ideal: 'Any quantity is filled at the last price, without a spread and without a queue.',
}

export function assumptions({ config, tapes, books = [], live, paper }: RunReport): readonly string[] {
  if (live !== undefined) {
    return [
      'Orders were filled by the service; nothing of it is modelled here.',
      'Equity is marked by the trades that the session heard of, never by its own.',
    ]
  }
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const hasCandles = tapes.some(({ kind }) => kind === 'candles')
  return [
    modelText(liquidity),
    ...(followsBook(liquidity) && books.some(({ tellsOrders }) => tellsOrders)
      ? ['Where the recording tells each order by its id, it is known who cancelled, and nothing is assumed of it.']
      : []),
    ...(hasCandles
      ? [
          'A candle has no inside: orders that it touches are decided at its end, market orders meet the next open, and of several things that may have happened inside of it the worse is taken.',
        ]
      : []),
    `An order takes ${orderLatencyMs} ms to the exchange, its answer ${responseLatencyMs} ms back, market data ${feedLatencyMs} ms to the strategy, each time the same.`,
    paper === undefined
      ? 'The recorded market does not react: what the strategy takes is missing from the ladder for a while, but nobody else trades otherwise because of it.'
      : 'The market was live and did not know of these orders: what the strategy takes is missing from the ladder for a while, but nobody else trades otherwise because of it.',
    'Outages of the exchange, changes of its fees, and the cost of money are not modelled.',
  ]
}

function modelText(liquidity: string): string {
  if (isLiquidityName(liquidity)) return OF_MODEL[liquidity]
  return liquidity === GIVEN_LIQUIDITY
    ? 'A liquidity model that a program gave decided what was filled; papertape knows nothing of it.'
    : `A liquidity model of the user's own, ${liquidity}, decided what was filled; papertape knows nothing of it.`
}
