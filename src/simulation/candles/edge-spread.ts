/**
 * EDGE: the spread of a market from its candles alone, on differences in ticks.
 *
 * Ardia, Guidotti and Kroencke, Efficient estimation of bid-ask spreads from open, high, low, and close prices, Journal
 * of Financial Economics 161 (2024). Their two moment conditions are mixed by their variances; how many standard errors
 * the square of the spread is above zero says whether to believe it. Plain arithmetic and square roots, so the same on
 * every machine.
 */
import type { RecordedCandle } from './recorded-candle.ts'

/** A spread, and how sure it is. */
export interface EdgeSpread {
  /** Ticks, 0 or more; no integer. */
  readonly ticks: number
  /** Standard errors of its square above zero. */
  readonly t: number
}

/**
 * @param candles  oldest first
 * @returns undefined if there are too few candles, or they are too flat
 */
export function edgeSpread(candles: readonly RecordedCandle[]): EdgeSpread | undefined {
  const count = candles.length - 1
  if (count < 1) return undefined
  const pairs = new Pairs(count)
  let before: RecordedCandle | undefined
  for (const now of candles) {
    if (before !== undefined) pairs.add(before, now)
    before = now
  }
  return pairs.spread()
}

/** Scratch columns reused by every estimate, because almost every order requests one. */
let columns: readonly Float64Array[] = []

/** @returns eight columns of at least this many rows, with arbitrary contents */
function columnsOf(count: number): readonly Float64Array[] {
  if ((columns[0]?.length ?? 0) < count) columns = Array.from({ length: 8 }, () => new Float64Array(count))
  return columns
}

/**
 * Pairs of consecutive candles, in columns because they are read twice and often. Only one instance may be in use at a
 * time.
 */
class Pairs {
  readonly #count: number
  #length = 0
  /** 1 if anything moved, otherwise 0. */
  readonly #moved: Float64Array
  readonly #r1: Float64Array
  readonly #r2: Float64Array
  readonly #r3: Float64Array
  readonly #r4: Float64Array
  readonly #r5: Float64Array
  readonly #first: Float64Array
  readonly #second: Float64Array
  /** Pairs that moved, and how many of the extremes the opens, and the closes before, were not. */
  #movedSum = 0
  #openOff = 0
  #closeOff = 0
  #sum1 = 0
  #sum3 = 0
  #sum5 = 0

  constructor(count: number) {
    this.#count = count
    const none = new Float64Array()
    const [moved = none, r1 = none, r2 = none, r3 = none, r4 = none, r5 = none, first = none, second = none] =
      columnsOf(count)
    this.#moved = moved
    this.#r1 = r1
    this.#r2 = r2
    this.#r3 = r3
    this.#r4 = r4
    this.#r5 = r5
    this.#first = first
    this.#second = second
  }

  add(before: RecordedCandle, { open, high, low }: RecordedCandle): void {
    const { close } = before
    const middle = (high + low) / 2
    const middleBefore = (before.high + before.low) / 2
    const at = this.#length
    this.#length += 1
    this.#r1[at] = middle - open
    this.#r2[at] = open - middleBefore
    this.#r3[at] = middle - close
    this.#r4[at] = close - middleBefore
    this.#r5[at] = open - close
    this.#sum1 += middle - open
    this.#sum3 += middle - close
    this.#sum5 += open - close
    this.#moved[at] = 0
    if (high === low && low === close) return
    this.#moved[at] = 1
    this.#movedSum += 1
    this.#openOff += (open === high ? 0 : 1) + (open === low ? 0 : 1)
    this.#closeOff += (close === before.high ? 0 : 1) + (close === before.low ? 0 : 1)
  }

  spread(): EdgeSpread | undefined {
    if (this.#movedSum < 2 || this.#openOff === 0 || this.#closeOff === 0) return undefined
    const count = this.#count
    const [byOpen, byClose] = [(-4 * count) / this.#openOff, (-4 * count) / this.#closeOff]
    const [mean1, mean3] = [this.#sum1 / this.#movedSum, this.#sum3 / this.#movedSum]
    const mean5 = this.#sum5 / this.#movedSum
    const first = new Moment(count, this.#first)
    const second = new Moment(count, this.#second)
    for (let at = 0; at < count; at += 1) {
      const moved = this.#moved[at] ?? 0
      const [r2, r4] = [this.#r2[at] ?? 0, this.#r4[at] ?? 0]
      const d1 = (this.#r1[at] ?? 0) - moved * mean1
      const d3 = (this.#r3[at] ?? 0) - moved * mean3
      const r5 = this.#r5[at] ?? 0
      const d5 = r5 - moved * mean5
      first.add(at, byOpen * d1 * r2 + byClose * d3 * r4)
      second.add(at, byOpen * d1 * r5 + byClose * d5 * r4)
    }
    return mixed(first, second)
  }
}

/** Values of a moment condition. */
class Moment {
  readonly count: number
  readonly values: Float64Array
  #sum = 0
  #squares = 0

  /** @param values  only the first `count` are valid */
  constructor(count: number, values: Float64Array) {
    this.count = count
    this.values = values
  }

  add(at: number, value: number): void {
    this.values[at] = value
    this.#sum += value
    this.#squares += value * value
  }

  get mean(): number {
    return this.#sum / this.count
  }

  get variance(): number {
    return this.#squares / this.count - this.mean * this.mean
  }
}

/** Each weighs as much as the other is uncertain. */
function mixed(first: Moment, second: Moment): EdgeSpread {
  const variances = first.variance + second.variance
  const weight = variances > 0 ? second.variance / variances : 0.5
  const { count } = first
  const square = weight * first.mean + (1 - weight) * second.mean
  let deviations = 0
  for (let at = 0; at < count; at += 1) {
    const deviation = weight * (first.values[at] ?? 0) + (1 - weight) * (second.values[at] ?? 0) - square
    deviations += deviation * deviation
  }
  const error = Math.sqrt(deviations / count / count)
  return { ticks: Math.sqrt(Math.abs(square)), t: error > 0 ? square / error : 0 }
}
