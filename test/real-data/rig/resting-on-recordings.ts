/**
 * Small orders at the true best price of a real recording, under a liquidity model on a tape that has a part of it.
 */
import type { Side } from '../../../src/domain/order.ts'
import { EVENT_KIND } from '../../../src/simulation/event-queue.ts'
import { RecordedDepth } from '../../../src/simulation/depth/recorded-depth.ts'
import { liquidity, type LiquidityName } from '../../../src/simulation/liquidity/liquidity-models.ts'
import type { BookTape } from '../../../src/tape/book-tape.ts'
import { market } from '../../exchange/rig/configs.ts'
import { BTC, MarketStage } from '../../simulation/rig/market-stage.ts'
import { PRECISIONS, tradesOf, type RecordedBlocks } from './recorded-market.ts'
import type { TruthOrder } from './queue-truth.ts'

const ACCOUNT = 'me'

export interface RecordedSetup {
  readonly model: LiquidityName
  readonly books: readonly BookTape[]
}

const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }

/** A market with the trades of a recording and books of it. */
export function stageOf(recorded: RecordedBlocks, { model, books }: RecordedSetup): MarketStage {
  const kinds = new Set(books.map(({ info }) => info.kind))
  const depth = new RecordedDepth({ hasLevels: kinds.has('depth'), hasQuotes: kinds.has('quotes') })
  const stage = new MarketStage({
    markets: [market(BTC, PRECISIONS)],
    model: () => liquidity(model).create({ symbol: BTC, spread: undefined, terms, ...(kinds.size > 0 && { depth }) }),
    start: recorded.from,
    ...(kinds.size > 0 && { depths: new Map([[BTC, depth]]) }),
  })
  stage.credit(ACCOUNT, 'USD', 10n ** 18n)
  stage.credit(ACCOUNT, 'BTC', 10n ** 15n)
  return stage
}

/** Places each order when it came, for one lot, and reports which were filled when they are looked at. */
export async function filledOf(
  recorded: RecordedBlocks,
  setup: RecordedSetup,
  orders: readonly TruthOrder[],
): Promise<readonly boolean[]> {
  const stage = stageOf(recorded, setup)
  const filled = orders.map(() => false)
  for (const [index, { side, price, from, to }] of orders.entries()) {
    stage.queue.schedule(from, EVENT_KIND.message, () => {
      const [accepted] = stage.limit(ACCOUNT, side, price, 1)
      if (accepted?.type !== 'order-accepted') throw new Error('an order of one lot is accepted')
      const { id } = accepted.order
      stage.queue.schedule(to, EVENT_KIND.message, () => {
        filled[index] = stage.exchange.order(ACCOUNT, id)?.status === 'FILLED'
        if (!filled[index]) stage.execute({ type: 'cancel', account: ACCOUNT, orderId: id })
      })
    })
  }
  await stage.play([tradesOf(recorded)], { books: setup.books, end: recorded.to })
  return filled
}

export interface RestingFigures {
  readonly orders: number
  readonly filled: number
  readonly phantom: number
  readonly missed: number
}

export function restingFigures(orders: readonly TruthOrder[], filled: readonly boolean[]): RestingFigures {
  const count = (isCounted: (order: TruthOrder, isFilled: boolean) => boolean): number =>
    orders.filter((order, index) => isCounted(order, filled[index] === true)).length
  return {
    orders: orders.length,
    filled: count((_, isFilled) => isFilled),
    phantom: count(({ canBeFilled }, isFilled) => isFilled && !canBeFilled),
    missed: count(({ mustBeFilled }, isFilled) => !isFilled && mustBeFilled),
  }
}

export const SIDES = ['BUY', 'SELL'] as const satisfies readonly Side[]
