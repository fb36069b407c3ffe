/**
 * What orders that take are asked for on a real recording, under a liquidity model on a tape that has a part of it,
 * beside the book of the next frame, which no model has seen by then.
 */
import { EVENT_KIND } from '../../../src/simulation/event-queue.ts'
import type { LadderLevel } from '../../../src/simulation/liquidity/liquidity-model.ts'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { ASK, frameEnd } from '../../../src/tape/depth-block.ts'
import { BTC } from '../../simulation/rig/market-stage.ts'
import { depthOf, quotesOf, tradesOf, type RecordedBlocks } from './recorded-market.ts'
import { stageOf, type RecordedSetup } from './resting-on-recordings.ts'

/** For each moment what a buy of each size costs; NaN where there was not enough. */
type Costs = readonly (readonly number[])[]

/** Basis points of a mean price from a middle. */
const costOf = (price: number, middle: number): number => ((price - middle) / middle) * 10_000

/** Basis points from its own middle, in the book of the first frame behind each moment. */
export function nextCosts({ depth }: RecordedBlocks, moments: readonly number[], sizes: readonly number[]): Costs {
  const book = new RecordedBook()
  const prices: number[][] = []
  for (const block of depth) {
    for (let row = 0; row < block.length;) {
      const end = frameEnd(block, row)
      book.apply(block, row, end)
      for (; prices.length < moments.length && (moments[prices.length] ?? 0) < (block.time[row] ?? 0);) {
        const middle = ((book.bestBid ?? Number.NaN) + (book.bestAsk ?? Number.NaN)) / 2
        prices.push(sizes.map((qty) => costOf(Number(book.costOf(ASK, qty).notional) / qty, middle)))
      }
      row = end
    }
  }
  return prices
}

/** The middle of the best prices at each moment, by all that was recorded until then. */
export async function middles(recorded: RecordedBlocks, moments: readonly number[]): Promise<readonly number[]> {
  const stage = stageOf(recorded, { model: 'book', books: [depthOf(recorded), quotesOf(recorded)] })
  const found: number[] = []
  for (const time of moments) {
    stage.queue.schedule(time, EVENT_KIND.message, () => {
      const book = stage.simulated.market(BTC).depth?.book
      found.push(((book?.bestBid ?? Number.NaN) + (book?.bestAsk ?? Number.NaN)) / 2)
    })
  }
  await stage.play([tradesOf(recorded)], { books: [depthOf(recorded), quotesOf(recorded)], end: recorded.to })
  return found
}

/** Mean prices that the model asks, in ticks; nothing is taken. */
export async function askedPrices(
  recorded: RecordedBlocks,
  setup: RecordedSetup,
  moments: readonly number[],
  sizes: readonly number[],
): Promise<Costs> {
  const stage = stageOf(recorded, setup)
  const prices: number[][] = []
  for (const time of moments) {
    stage.queue.schedule(time, EVENT_KIND.message, () => {
      const { model } = stage.simulated.crowd(BTC)
      const asked = (qty: number) => model.ladder({ side: 'BUY', qty, time, ownBest: undefined, queued: [] })
      prices.push(sizes.map((qty) => meanPrice(asked(qty), qty)))
    })
  }
  await stage.play([tradesOf(recorded)], { books: setup.books, end: recorded.to })
  return prices
}

function meanPrice(levels: readonly LadderLevel[], qty: number): number {
  let [left, notional] = [qty, 0]
  for (const level of levels) {
    const lots = Math.min(left, level.qty)
    notional += lots * level.price
    left -= lots
  }
  return left === 0 ? notional / qty : Number.NaN
}

export interface CostFigures {
  /** Basis points from the middle: of the truth in the mean, and by how much the model is off it in the mean. */
  readonly truth: number
  readonly error: number
  /** Of the model's cost with the truth. */
  readonly correlation: number
  /** Moments at which there was enough. */
  readonly count: number
}

/** @param middle  of each moment, from which the asked prices are looked at */
export function costFigures(middle: readonly number[], truth: Costs, asked: Costs, size: number): CostFigures {
  const pairs = middle
    .map((mid, at) => [truth[at]?.[size] ?? Number.NaN, costOf(asked[at]?.[size] ?? Number.NaN, mid)] as const)
    .filter(([one, other]) => Number.isFinite(one) && Number.isFinite(other))
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length
  const [real, reported] = [mean(pairs.map(([one]) => one)), mean(pairs.map(([, other]) => other))]
  const spread = (of: (pair: readonly [number, number]) => number): number => mean(pairs.map((pair) => of(pair)))
  const both = spread(([one, other]) => (one - real) * (other - reported))
  const alone = spread(([one]) => (one - real) ** 2) * spread(([, other]) => (other - reported) ** 2)
  return {
    truth: real,
    error: mean(pairs.map(([one, other]) => Math.abs(other - one))),
    correlation: both / Math.sqrt(alone),
    count: pairs.length,
  }
}
