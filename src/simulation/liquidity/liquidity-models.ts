/**
 * The liquidity models by name, and the two that bound fills: `through` and `touch`.
 *
 * Purpose: `through` puts an infinite queue ahead of every resting order, `touch` none. They bound the fills of one
 * resting order from below and above, but not the result of a run.
 * Invariant: `through` fills an order only on a trade beyond its price, `touch` on any trade at its price.
 * Known limitations: `through` misses the profit of a good queue position. Between an eighth and a third of the fills
 * of `touch` at the best price could not have happened.
 * Complexity: constant per recorded trade; a taking order meets at most 400 estimated levels.
 * Source: docs/liquidity.md, table `passive`.
 */
import type { Side } from '../../domain/order.ts'
import type { RecordedDepth } from '../depth/recorded-depth.ts'
import { BookLiquidity } from './book.ts'
import { EstimatedLiquidity, type LiquidityTerms } from './estimated-liquidity.ts'
import { IdealLiquidity } from './ideal.ts'
import type { LiquidityModel, Reach, RecordedTrade } from './liquidity-model.ts'
import type { MarketEstimates } from './market-estimates.ts'
import { TapeLiquidity } from './tape.ts'
import { TradeEstimates } from './trade-estimates.ts'

/** `touch`: no queue at all, so any trade at its price fills a resting order. Never to be used alone. */
class TouchLiquidity extends EstimatedLiquidity {
  queueAhead(): number {
    return 0
  }

  reach(_side: Side, trade: RecordedTrade): Reach {
    return { price: trade.price, lots: trade.qty, ours: trade.qty }
  }
}

/** `through`: an infinite queue is ahead of every resting order, so only a trade beyond its price fills it. */
class ThroughLiquidity extends EstimatedLiquidity {
  queueAhead(): number {
    return 0
  }

  reach(side: Side, trade: RecordedTrade): Reach {
    const price = side === 'BUY' ? trade.price + 1 : trade.price - 1
    return { price, lots: trade.qty, ours: trade.qty }
  }
}

/** Market for which a model is created. */
export interface LiquiditySetup {
  /** BASE_QUOTE. */
  readonly symbol: string
  /** Spread between the crowd's bid and ask, in ticks; undefined to estimate it, or one tick if that is impossible. */
  readonly spread: number | undefined
  /** Settings of the user that a model applies. */
  readonly terms: LiquidityTerms
  /** Recorded order book; undefined if there is none. */
  readonly depth?: RecordedDepth | undefined
}

/** Creates a new model for one market. */
export type LiquidityFactory = (setup: LiquiditySetup) => LiquidityModel

/** Power of `book-power`: 3 and 5 came nearest to measured queues among the values that let orders ahead cancel. */
const POWER = 3

interface LiquidityEntry {
  readonly create: LiquidityFactory
  /** Caveat for readers of results under this model: a full sentence, or empty. */
  readonly caution: string
}

const estimatesOf = ({ spread }: LiquiditySetup): MarketEstimates => new TradeEstimates(spread)

/** Queue ahead from the recorded book, if there is one; otherwise from trades. */
const followingBook =
  (power?: number): LiquidityFactory =>
  (setup) =>
    setup.depth === undefined
      ? new TapeLiquidity(estimatesOf(setup), setup.terms)
      : new BookLiquidity(estimatesOf(setup), setup.terms, setup.depth, power)

const ENTRIES = {
  book: { create: followingBook(), caution: '' },
  'book-power': { create: followingBook(POWER), caution: '' },
  'book-prorata': {
    create: followingBook(1),
    caution:
      'Liquidity `book-prorata` assumes that orders ahead of yours cancel as often as those behind it: an upper bound on fills.',
  },
  tape: { create: (setup) => new TapeLiquidity(estimatesOf(setup), setup.terms), caution: '' },
  through: {
    create: (setup) => new ThroughLiquidity(estimatesOf(setup), setup.terms),
    caution:
      'Liquidity `through` fills a resting order only if the market trades beyond its price: a lower bound on fills, not on the result.',
  },
  touch: {
    create: (setup) => new TouchLiquidity(estimatesOf(setup), setup.terms),
    caution: 'Liquidity `touch` ignores the queue: an upper bound on fills, not on the result. Never rely on it alone.',
  },
  ideal: {
    create: () => new IdealLiquidity(),
    caution:
      'Liquidity `ideal` fills any quantity at the last price without a spread: use it to compare tools, not to judge a strategy.',
  },
} as const satisfies Record<string, LiquidityEntry>

export type LiquidityName = keyof typeof ENTRIES

export const LIQUIDITY_NAMES = Object.keys(ENTRIES) as readonly LiquidityName[]

export const DEFAULT_LIQUIDITY: LiquidityName = 'tape'

/** Models that follow a recorded book, from the fewest who cancel ahead of us to the most. */
export const BOOK_MODELS = ['book', 'book-power', 'book-prorata'] as const satisfies readonly LiquidityName[]
export type BookModelName = (typeof BOOK_MODELS)[number]

export const followsBook = (name: string): name is BookModelName => BOOK_MODELS.some((each) => each === name)

/** Default if a book or quotes were recorded. */
export const DEFAULT_WITH_BOOK: LiquidityName = 'book'

export const isLiquidityName = (name: string): name is LiquidityName => Object.hasOwn(ENTRIES, name)

export const liquidity = (name: LiquidityName): LiquidityEntry => ENTRIES[name]
