/**
 * The times between the opens of candles, and the length of candle that they show.
 *
 * The length is the commonest step, of equally common ones the shortest. Steps of 28 to 31 days are months. Where most
 * steps are no multiples of the commonest, a file is sparse: the greatest step that divides them all is the length, as
 * long as it is close to them.
 */
import { ALL_CANDLE_INTERVALS } from '../../domain/candle.ts'
import { isWholeSteps, leastStepOf, MONTH_MS } from '../../domain/calendar.ts'
import { HOUR_MS, DAY_MS, MINUTE_MS, WEEK_MS } from '../../domain/time.ts'
import { greatestDivisor } from '../../domain/greatest-divisor.ts'

/** Different steps that are counted; a file with more has no length. */
const MAX_DIFFERENT = 4_096
/** A sparse file has steps of a few candles. */
const MAX_SPARSE_STEP = 4
/** Periods that are whole months: a month, a quarter, half a year, a year. */
const MONTHS = [1, 3, 6, 12]
const LENGTHS = new Set<number>(Object.values(ALL_CANDLE_INTERVALS))

interface StepCount {
  readonly step: number
  count: number
  /** Time of the candle after the first such step. */
  readonly first: number
}

export class CandleSteps {
  readonly #steps = new Map<number, StepCount>()
  #newest: StepCount = { step: 0, count: 0, first: 0 }
  #firstTime = Number.NaN
  #lastTime = Number.NaN
  #uncounted = 0
  #shortest = Number.POSITIVE_INFINITY

  /** Takes the open of each candle, in order. @param time  Unix milliseconds */
  add(time: number): void {
    const step = time - this.#lastTime
    this.#lastTime = time
    if (Number.isNaN(step)) this.#firstTime = time
    if (step === this.#newest.step) this.#newest.count += 1
    else if (step > 0) this.#count(step, time)
  }

  /** Milliseconds; undefined for fewer than two candles, `irregular` if no length fits. */
  interval(): number | 'irregular' | undefined {
    const steps = this.#sorted()
    const [commonest] = steps
    if (commonest === undefined) return undefined
    const months = this.#months(steps)
    if (months !== undefined) return months
    const step = wholeDays(commonest.step)
    const odd = steps.filter((each) => !isWholeSteps(each.step, step))
    const total = steps.reduce((sum, { count }) => sum + count, this.#uncounted)
    if (this.#uncounted === 0 && odd.length === 0) return this.#isUsual(step, total) ? step : 'irregular'
    const sparse = this.#sparse(steps, commonest, total)
    if (sparse !== undefined) return sparse
    // The last step may end at a candle that was not over when the file was made.
    const isAlmostAll = odd.reduce((sum, { count }) => sum + count, this.#uncounted) <= 1
    return isAlmostAll || commonest.count * 2 >= total ? step : 'irregular'
  }

  /** The step in the middle, milliseconds; undefined for fewer than two candles. */
  median(): number | undefined {
    const steps = [...this.#steps.values()].toSorted((one, other) => one.step - other.step)
    const total = steps.reduce((sum, { count }) => sum + count, 0)
    let before = 0
    return steps.find(({ count }) => (before += count) * 2 >= total)?.step
  }

  /** Some candle opens before the one before it is over. */
  hasShort(intervalMs: number): boolean {
    return this.#shortest < leastStepOf(intervalMs)
  }

  /** Every step is an exact multiple, so no clock was moved between two candles. */
  areMultiples(intervalMs: number): boolean {
    return this.#uncounted === 0 && [...this.#steps.keys()].every((step) => step % intervalMs === 0)
  }

  /** Steps that are no multiples of a length: how many, and the time of the candle after the first. */
  odd(intervalMs: number): { readonly count: number; readonly first: number } | undefined {
    const odd = [...this.#steps.values()].filter(({ step }) => !isWholeSteps(step, intervalMs))
    if (odd.length === 0) return undefined
    return {
      count: odd.reduce((sum, { count }) => sum + count, this.#uncounted),
      first: Math.min(...odd.map(({ first }) => first)),
    }
  }

  #count(step: number, time: number): void {
    this.#shortest = Math.min(this.#shortest, step)
    const known = this.#steps.get(step)
    if (known === undefined && this.#steps.size >= MAX_DIFFERENT) {
      this.#uncounted += 1
      return
    }
    this.#newest = known ?? { step, count: 0, first: time }
    this.#newest.count += 1
    this.#steps.set(step, this.#newest)
  }

  /** The commonest first, of equally common ones the shortest. */
  #sorted(): readonly StepCount[] {
    return [...this.#steps.values()].toSorted((one, other) => other.count - one.count || one.step - other.step)
  }

  /** Rejects a length that many different steps are multiples of by chance, as steps of volume bars are of a second. */
  #isUsual(step: number, total: number): boolean {
    const alike = [...this.#steps.values()].filter((each) => wholeDays(each.step) === step)
    const count = alike.reduce((sum, each) => sum + each.count, 0)
    if (count * 2 >= total) return true
    const isOnGrid = step >= MINUTE_MS && LENGTHS.has(step) && this.#firstTime % step === 0
    return isCommon(count, total) || (count * 10 >= total && (isOnGrid || count > 2))
  }

  #months(steps: readonly StepCount[]): number | undefined {
    const [{ step, count } = { step: 0, count: 0 }] = steps
    const months = MONTHS.find((each) => isWholeSteps(step, each * MONTH_MS) && step < 1.5 * each * MONTH_MS)
    if (months === undefined || this.#uncounted > 0) return undefined
    const isOneLength = steps.every((each) => each.step % step === 0)
    // From a single step a month is more likely than 30 days; from many equal ones it is not.
    if (isOneLength && (step % WEEK_MS === 0 || (count > 1 && months < 12))) return undefined
    const whole = steps.every((each) => isWholeSteps(each.step, months * MONTH_MS) || this.#isLastRow(each))
    return whole ? months * MONTH_MS : undefined
  }

  /** The only one of its kind, and the last: the candle after it may not have been over when the file was made. */
  #isLastRow({ count, first }: StepCount): boolean {
    return count === 1 && first === this.#lastTime
  }

  #sparse(steps: readonly StepCount[], { step, count }: StepCount, total: number): number | undefined {
    if (this.#uncounted > 0) return undefined
    const divisor = steps.reduce((each, other) => greatestDivisor(each, other.step), 0)
    const least = this.#steps.get(divisor)?.count ?? 0
    if (!LENGTHS.has(divisor)) return undefined
    if (isCommon(least, total)) return divisor
    if (divisor * MAX_SPARSE_STEP < step) return undefined
    const odd = steps.filter((each) => !isWholeSteps(each.step, step) && !this.#isLastRow(each))
    if (odd.length === 0) return undefined
    return count * 2 < total || least === 0 ? divisor : undefined
  }
}

/** A day or more that is an hour too short or too long, because clocks were moved, without that hour. */
function wholeDays(step: number): number {
  const days = Math.round(step / DAY_MS)
  return days > 0 && Math.abs(step - days * DAY_MS) === HOUR_MS ? days * DAY_MS : step
}

/** Seen often enough to be no accident. */
const isCommon = (count: number, total: number): boolean => count >= 20 && count * 20 >= total
