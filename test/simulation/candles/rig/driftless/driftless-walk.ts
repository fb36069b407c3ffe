/**
 * Driftless markets as candles: the next price is as likely to be higher as lower, by as much in the mean, whatever
 * came before.
 *
 * Each candle is made of trades, so that its high and low are of one path. The fair price, of which the path is made,
 * is a martingale; no one who knows the candles so far can foretell where it goes, and anyone who earns by it earns by
 * the rules of the fills.
 */
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'
import { Chance } from '../../../../exchange/rig/chance.ts'

export const WALK_INTERVAL_MS = 60_000
/** On the grid of every interval up to a day. */
export const WALK_BEGINS_AT = 1_728_000_000_000
/** Ticks: so far from zero that no walk comes near. */
export const WALK_PRICE = 1_000_000

export interface DriftlessWalk {
  /** Oldest first; some intervals have none. */
  readonly candles: readonly RecordedCandle[]
  /** Fair price after each candle, in ticks; no integer. */
  readonly fair: readonly number[]
}

/** A path of fair prices, and what a trade is made at. */
interface Path {
  /** Ticks from one trade to the next. */
  readonly step: () => number
  /** Ticks from the fair price to that of a trade. */
  readonly away: () => number
}

const nothing = (): number => 0
const SUMMED = 12

/** Nearly normal, of mean 0 and variance 1, and the same on every machine: a sum of even chances. */
function normal(chance: Chance): number {
  let sum = -SUMMED / 2
  for (let drawn = 0; drawn < SUMMED; drawn += 1) sum += chance.fraction()
  return sum
}

const sign = (chance: Chance): number => (chance.oneIn(2) ? 1 : -1)

const PATHS = {
  gaussian: (chance: Chance): Path => {
    const deviation = chance.pick([0.4, 3, 20])
    return { step: () => deviation * normal(chance), away: nothing }
  },
  lattice: (chance: Chance): Path => {
    const pause = chance.pick([2, 4, 1000])
    return { step: () => (chance.oneIn(pause) ? 0 : sign(chance)), away: nothing }
  },
  jumps: (chance: Chance): Path => {
    const rarity = chance.pick([30, 100, 400])
    const farthest = chance.pick([10, 60])
    return { step: () => sign(chance) * (chance.oneIn(rarity) ? chance.between(2, farthest) : 1), away: nothing }
  },
  /**
   * Buyers and sellers by turns of a coin, half a spread from a fair price that moves farther than that from trade to
   * trade.
   */
  bounce: (chance: Chance): Path => {
    const deviation = chance.pick([2, 10])
    const half = deviation * chance.pick([0.2, 0.4])
    return { step: () => deviation * normal(chance), away: () => half * sign(chance) }
  },
  /**
   * The same, but half the spread is five times what the fair price moves from trade to trade: here the trades pay
   * anyone who rests, too.
   */
  wide: (chance: Chance): Path => ({ step: () => 4 * normal(chance), away: () => 20 * sign(chance) }),
} as const satisfies Record<string, (chance: Chance) => Path>

export type WalkKind = keyof typeof PATHS
/** Those in which no one earns. */
export const WALK_KINDS = ['gaussian', 'lattice', 'jumps', 'bounce'] as const satisfies readonly WalkKind[]

/** One interval of so many has no trade. */
const EMPTY_ONE_IN = 60

/** @param length  intervals; some of them empty */
export function driftlessWalk(kind: WalkKind, seed: number, length: number): DriftlessWalk {
  const chance = new Chance(seed)
  const path: Path = PATHS[kind](chance)
  const trades = chance.pick([12, 100])
  const candles: RecordedCandle[] = []
  const fair: number[] = []
  let price = WALK_PRICE
  for (let index = 0; index < length; index += 1) {
    const count = chance.between(trades >> 1, trades + (trades >> 1))
    const prices = chance.list(count, () => {
      price += path.step()
      return Math.round(price + path.away())
    })
    if (index > 0 && chance.oneIn(EMPTY_ONE_IN)) continue
    const time = WALK_BEGINS_AT + index * WALK_INTERVAL_MS
    candles.push(candleOf(time, prices, count * chance.between(20, 200)))
    fair.push(price)
  }
  return { candles, fair }
}

const candleOf = (time: number, prices: readonly number[], volume: number): RecordedCandle => ({
  time,
  open: prices[0] ?? Number.NaN,
  high: Math.max(...prices),
  low: Math.min(...prices),
  close: prices.at(-1) ?? Number.NaN,
  volume,
})
