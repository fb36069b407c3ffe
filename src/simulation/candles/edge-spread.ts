/**
 * EDGE: the spread of a market from its candles alone, on differences in ticks.
 *
 * Ardia, Guidotti and Kroencke, Efficient estimation of bid-ask spreads from open, high, low, and close prices, Journal of Financial
 * Economics 161 (2024). Their two moment conditions are mixed by their variances; how many standard errors the square of the spread is
 * above zero says whether to believe it. Plain arithmetic and square roots, so the same on every machine.
 */
import type { RecordedCandle } from './recorded-candle.ts'

/** A spread, and how sure it is. */
export interface EdgeSpread {
  /** Ticks, 0 or more; no integer. */
  readonly ticks: number
  /** Standard errors of its square above zero. */
  readonly t: number
}

/** @param candles  oldest first. @returns undefined when they tell nothing: too few, or too flat */
export function edgeSpread(candles: readonly RecordedCandle[]): EdgeSpread | undefined {
  const pairs = pairsOf(candles)
  const count = pairs.length
  let [moved, openOff, closeOff] = [0, 0, 0]
  let [sum1, sum3, sum5] = [0, 0, 0]
  for (const pair of pairs) {
    moved += pair.moved
    openOff += pair.openOff
    closeOff += pair.closeOff
    sum1 += pair.r1
    sum3 += pair.r3
    sum5 += pair.r5
  }
  if (moved < 2 || openOff === 0 || closeOff === 0) return undefined
  const [byOpen, byClose] = [(-4 * count) / openOff, (-4 * count) / closeOff]
  const [mean1, mean3, mean5] = [sum1 / moved, sum3 / moved, sum5 / moved]
  const first = new Moment(count)
  const second = new Moment(count)
  for (const pair of pairs) {
    const [d1, d3, d5] = [pair.r1 - pair.moved * mean1, pair.r3 - pair.moved * mean3, pair.r5 - pair.moved * mean5]
    first.add(byOpen * d1 * pair.r2 + byClose * d3 * pair.r4)
    second.add(byOpen * d1 * pair.r5 + byClose * d5 * pair.r4)
  }
  return mixed(first, second)
}

/** What two candles, one after the other, say. */
interface Pair {
  /** 1 when anything moved, else 0; the next two are how many of the extremes the open, and the close before, were not. */
  readonly moved: 0 | 1
  readonly openOff: number
  readonly closeOff: number
  readonly r1: number
  readonly r2: number
  readonly r3: number
  readonly r4: number
  readonly r5: number
}

function pairsOf(candles: readonly RecordedCandle[]): readonly Pair[] {
  const pairs: Pair[] = []
  let before: RecordedCandle | undefined
  for (const now of candles) {
    if (before !== undefined) pairs.push(pairOf(before, now))
    before = now
  }
  return pairs
}

function pairOf(before: RecordedCandle, { open, high, low }: RecordedCandle): Pair {
  const { close } = before
  const middle = (high + low) / 2
  const middleBefore = (before.high + before.low) / 2
  const moved = high !== low || low !== close ? 1 : 0
  return {
    moved,
    openOff: moved * (Number(open !== high) + Number(open !== low)),
    closeOff: moved * (Number(close !== before.high) + Number(close !== before.low)),
    r1: middle - open,
    r2: open - middleBefore,
    r3: middle - close,
    r4: close - middleBefore,
    r5: open - close,
  }
}

/** Values of a moment condition. */
class Moment {
  readonly values: number[] = []
  readonly #count: number
  #sum = 0
  #squares = 0

  constructor(count: number) {
    this.#count = count
  }

  add(value: number): void {
    this.values.push(value)
    this.#sum += value
    this.#squares += value * value
  }

  get mean(): number {
    return this.#sum / this.#count
  }

  get variance(): number {
    return this.#squares / this.#count - this.mean * this.mean
  }
}

/** Each weighs as much as the other is uncertain. */
function mixed(first: Moment, second: Moment): EdgeSpread {
  const variances = first.variance + second.variance
  const weight = variances > 0 ? second.variance / variances : 0.5
  const count = first.values.length
  const square = weight * first.mean + (1 - weight) * second.mean
  let deviations = 0
  first.values.forEach((value, index) => {
    const deviation = weight * value + (1 - weight) * (second.values[index] ?? 0) - square
    deviations += deviation * deviation
  })
  const error = Math.sqrt(deviations / count / count)
  return { ticks: Math.sqrt(Math.abs(square)), t: error > 0 ? square / error : 0 }
}
