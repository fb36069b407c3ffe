/**
 * The assumptions of a run, in sentences: how orders were filled, and what is not modelled.
 */
import { followsBook, isLiquidityName, type LiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { GIVEN_LIQUIDITY } from '../../runtime/backtest/liquidity-choice.ts'
import type { RunReport } from '../run/run-report.ts'

const OF_BOOK =
  'Where a book or quotes were recorded, a resting order joins the end of the recorded queue at its price. It fills when recorded trades have used up that queue, when the market trades beyond its price, or when the other side of the book reaches it. A market order takes the recorded levels; what it took stays missing until the recorded level grows.'

const OF_MODEL: Readonly<Record<LiquidityName, string>> = {
  book: `${OF_BOOK} All cancels are assumed to be behind the order.`,
  'book-power': `${OF_BOOK} Most cancels are assumed to be behind the order.`,
  'book-prorata': `${OF_BOOK} Cancels are assumed to be spread evenly over the queue.`,
  tape: 'A resting order joins an estimated queue, sized by the trades before it. It fills when recorded trades have used up that queue or have gone beyond its price. A market order trades against estimated levels of that size, one tick apart.',
  through: 'A resting order fills only by trades beyond its price, as if all other orders at its price came first.',
  touch: 'A resting order fills by any trade at its price, as if it were alone there.',
  ideal: 'Any quantity fills at the last price, without a spread and without a queue.',
}

const NO_REACTION =
  'Quantity that the strategy takes is missing from the book for a while, but other participants do not change what they do.'

export function assumptions({ config, tapes, books = [], live, paper }: RunReport): readonly string[] {
  if (live !== undefined) {
    return [
      'The service filled the orders; nothing is modelled.',
      'Equity is marked to the trades of others that the session received, never to its own.',
    ]
  }
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const hasCandles = tapes.some(({ kind }) => kind === 'candles')
  return [
    modelText(liquidity),
    ...(followsBook(liquidity) && books.some(({ tellsOrders }) => tellsOrders)
      ? ['Where the recording identifies each order, cancels are known, and nothing is assumed about them.']
      : []),
    ...(hasCandles
      ? [
          'The price path inside a candle is unknown. Orders that it touches are decided at its close, market orders fill at the next open, and if several outcomes are possible, the worse one is used.',
        ]
      : []),
    `An order takes ${orderLatencyMs} ms to reach the exchange, its answer ${responseLatencyMs} ms to return, and market data ${feedLatencyMs} ms to arrive. These delays are constant.`,
    paper === undefined
      ? `The recorded market does not react. ${NO_REACTION}`
      : `The live market did not see these orders. ${NO_REACTION}`,
    'Exchange outages, fee changes and financing costs are not modelled.',
  ]
}

function modelText(liquidity: string): string {
  if (isLiquidityName(liquidity)) return OF_MODEL[liquidity]
  return liquidity === GIVEN_LIQUIDITY
    ? 'A liquidity model supplied by a program decided the fills; papertape cannot check it.'
    : `The custom liquidity model ${liquidity} decided the fills; papertape cannot check it.`
}
