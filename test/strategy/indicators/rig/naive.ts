/**
 * Every indicator once more, from its definition: over the whole series at once, windows cut out and summed again,
 * nothing carried along that the definition does not carry. It shares no code with what it judges.
 */
import type { CandleNumbers } from '../../../../src/strategy/indicators/input.ts'

type Candles = readonly CandleNumbers[]
type Numbers = readonly number[]
/** Undefined before the first value. */
export type Series<Value = number> = readonly (Value | undefined)[]

const sum = (values: Numbers): number => values.reduce((total, value) => total + value, 0)
const mean = (values: Numbers): number => sum(values) / values.length
/** The n values that end at `index`. */
const window = <T>(values: readonly T[], n: number, index: number): readonly T[] =>
  values.slice(index - n + 1, index + 1)
const at = (values: Numbers, index: number): number => values[index] ?? Number.NaN

/** A function of the row from `first` on. */
const from = <Value>(length: number, first: number, valueAt: (index: number) => Value): Series<Value> =>
  Array.from({ length }, (_, index) => (index < first ? undefined : valueAt(index)))

/** Puts `first` undefined rows before a series that was made without them. */
const shifted = <Value>(series: Series<Value>, first: number, length: number): Series<Value> =>
  [...Array.from({ length: first }, () => undefined), ...series].slice(0, length)
const defined = <Value>(series: Series<Value>): readonly Value[] => series.filter((value) => value !== undefined)
const paired = <A, B, C>(a: Series<A>, b: Series<B>, join: (a: A, b: B) => C): Series<C> =>
  a.map((value, index) => {
    const other = b[index]
    return value === undefined || other === undefined ? undefined : join(value, other)
  })

export const closes = (candles: Candles): Numbers => candles.map(({ closeNumber }) => closeNumber)
const typical = (candles: Candles): Numbers =>
  candles.map(({ highNumber, lowNumber, closeNumber }) => (highNumber + lowNumber + closeNumber) / 3)

export const sma = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => mean(window(values, n, index)))

export const wma = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => {
    const weights = Array.from({ length: n }, (_, each) => each + 1)
    return sum(window(values, n, index).map((value, each) => value * at(weights, each))) / sum(weights)
  })

/** Seeded by the mean of the first n, then by `share`. */
function average(values: Numbers, n: number, share: number): Series {
  const result: (number | undefined)[] = []
  values.forEach((value, index) => {
    const before = result[index - 1]
    if (index < n - 1) result.push(undefined)
    else if (before === undefined) result.push(mean(values.slice(0, n)))
    else result.push(share * value + (1 - share) * before)
  })
  return result
}
export const ema = (values: Numbers, n: number): Series => average(values, n, 2 / (n + 1))
const wilder = (values: Numbers, n: number): Series => average(values, n, 1 / n)

/** An EMA of what has values only from some row on. */
const emaOf = (series: Series, n: number): Series =>
  shifted(ema(defined(series), n), series.length - defined(series).length, series.length)

export function dema(values: Numbers, n: number): Series {
  const once = ema(values, n)
  return paired(once, emaOf(once, n), (e, ee) => 2 * e - ee)
}
export function tema(values: Numbers, n: number): Series {
  const once = ema(values, n)
  const twice = emaOf(once, n)
  const both = paired(once, twice, (e, ee) => 3 * e - 3 * ee)
  return paired(both, emaOf(twice, n), (rest, eee) => rest + eee)
}
export function hma(values: Numbers, n: number): Series {
  const raw = paired(wma(values, Math.floor(n / 2)), wma(values, n), (near, far) => 2 * near - far)
  return shifted(wma(defined(raw), Math.round(Math.sqrt(n))), n - 1, values.length)
}
export function trix(values: Numbers, n: number): Series {
  const third = emaOf(emaOf(ema(values, n), n), n)
  return third.map((now, index) => {
    const before = third[index - 1]
    return now === undefined || before === undefined ? undefined : before === 0 ? 0 : (now / before - 1) * 100
  })
}

export function kama(values: Numbers, n: number, fast = 2, slow = 30): Series {
  const result: (number | undefined)[] = []
  values.forEach((value, index) => {
    if (index < n) {
      result.push(undefined)
      return
    }
    const moves = Array.from({ length: n }, (_, each) =>
      Math.abs(at(values, index - each) - at(values, index - each - 1)),
    )
    const ratio = sum(moves) === 0 ? 1 : Math.abs(value - at(values, index - n)) / sum(moves)
    const share = ratio * (2 / (fast + 1) - 2 / (slow + 1)) + 2 / (slow + 1)
    const before = result[index - 1] ?? at(values, index - 1)
    result.push(before + share ** 2 * (value - before))
  })
  return result
}

export function rsi(values: Numbers, n: number): Series {
  const changes = values.slice(1).map((value, index) => value - at(values, index))
  const gains = wilder(
    changes.map((change) => Math.max(change, 0)),
    n,
  )
  const losses = wilder(
    changes.map((change) => Math.max(-change, 0)),
    n,
  )
  const value = (gain: number, loss: number): number => (gain + loss === 0 ? 0 : 100 - 100 / (1 + gain / loss))
  return shifted(paired(gains, losses, value), 1, values.length)
}

export function macd(values: Numbers, fast: number, slow: number, signal: number): Series<readonly number[]> {
  const late = shifted(ema(values.slice(slow - fast), fast), slow - fast, values.length)
  const difference = paired(late, ema(values, slow), (near, far) => near - far)
  return paired(difference, emaOf(difference, signal), (line, smooth) => [line, smooth, line - smooth])
}

export const momentum = (values: Numbers, n: number): Series =>
  from(values.length, n, (index) => at(values, index) - at(values, index - n))
export const roc = (values: Numbers, n: number): Series =>
  from(values.length, n, (index) => {
    const before = at(values, index - n)
    return before === 0 ? 0 : (at(values, index) / before - 1) * 100
  })

const deviationOf = (values: Numbers): number => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)))
const isFlat = (values: Numbers): boolean => values.every((value) => value === values[0])
export const deviation = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => deviationOf(window(values, n, index)))
export const bollinger = (values: Numbers, n: number, k: number): Series<readonly number[]> =>
  paired(sma(values, n), deviation(values, n), (middle, width) => [middle + k * width, middle, middle - k * width])
export const zScore = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => {
    const seen = window(values, n, index)
    return isFlat(seen) ? 0 : (at(values, index) - mean(seen)) / deviationOf(seen)
  })

export const highest = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => Math.max(...window(values, n, index)))
export const lowest = (values: Numbers, n: number): Series =>
  from(values.length, n - 1, (index) => Math.min(...window(values, n, index)))

const highs = (candles: Candles): Numbers => candles.map(({ highNumber }) => highNumber)
const lows = (candles: Candles): Numbers => candles.map(({ lowNumber }) => lowNumber)

export const donchian = (candles: Candles, n: number): Series<readonly number[]> =>
  paired(highest(highs(candles), n), lowest(lows(candles), n), (upper, lower) => [upper, (upper + lower) / 2, lower])

export const linearRegression = (values: Numbers, n: number): Series<readonly number[]> =>
  from(values.length, n - 1, (index) => {
    const seen = window(values, n, index)
    const steps = seen.map((_, each) => each)
    const spread = sum(steps.map((step) => (step - mean(steps)) ** 2))
    const slope = sum(seen.map((value, step) => (value - mean(seen)) * (step - mean(steps)))) / spread
    return [mean(seen) + slope * (n - 1 - mean(steps)), slope]
  })

export const correlation = (a: Numbers, b: Numbers, n: number): Series<number | null> =>
  from(a.length, n - 1, (index) => {
    const [seenA, seenB] = [window(a, n, index), window(b, n, index)]
    if (isFlat(seenA) || isFlat(seenB)) return null
    const shared = mean(seenA.map((value, each) => (value - mean(seenA)) * (at(seenB, each) - mean(seenB))))
    return shared / deviationOf(seenA) / deviationOf(seenB)
  })

export const trueRange = (candles: Candles): Series =>
  candles.map(({ highNumber, lowNumber }, index) => {
    const before = candles[index - 1]?.closeNumber
    if (before === undefined) return undefined
    return Math.max(highNumber - lowNumber, Math.abs(highNumber - before), Math.abs(lowNumber - before))
  })
export const atr = (candles: Candles, n: number): Series =>
  shifted(wilder(defined(trueRange(candles)), n), 1, candles.length)
export const keltner = (candles: Candles, n: number, atrLength: number, k: number): Series<readonly number[]> =>
  paired(ema(closes(candles), n), atr(candles, atrLength), (middle, range) => [
    middle + k * range,
    middle,
    middle - k * range,
  ])

export function superTrend(candles: Candles, n: number, k: number): Series<readonly number[]> {
  let before:
    { readonly upper: number; readonly lower: number; readonly close: number; readonly up: boolean } | undefined
  return paired(candles, atr(candles, n), ({ highNumber, lowNumber, closeNumber: close }, range) => {
    const [high, low] = [(highNumber + lowNumber) / 2 + k * range, (highNumber + lowNumber) / 2 - k * range]
    const upper = before === undefined || before.close > before.upper ? high : Math.min(high, before.upper)
    const lower = before === undefined || before.close < before.lower ? low : Math.max(low, before.lower)
    const up = before === undefined || (before.up ? close >= lower : close > upper)
    before = { upper, lower, close, up }
    return [up ? lower : upper, up ? 1 : -1]
  })
}

const place = (candles: Candles, n: number): Series =>
  from(candles.length, n - 1, (index) => {
    const seen = window(candles, n, index)
    const [highest, lowest] = [Math.max(...highs(seen)), Math.min(...lows(seen))]
    return highest === lowest ? Number.NaN : (at(closes(seen), n - 1) - lowest) / (highest - lowest)
  })
export function stochastic(candles: Candles, k: number, smooth: number, d: number): Series<readonly number[]> {
  const raw = defined(place(candles, k)).map((value) => (Number.isNaN(value) ? 0 : 100 * value))
  const fast = sma(raw, smooth)
  const slow = shifted(sma(defined(fast), d), smooth - 1, raw.length)
  return shifted(
    paired(fast, slow, (first, second) => [first, second]),
    k - 1,
    candles.length,
  )
}
export const williamsR = (candles: Candles, n: number): Series =>
  place(candles, n).map((value) => (value === undefined ? undefined : Number.isNaN(value) ? 0 : -100 * (1 - value)))

export const cci = (candles: Candles, n: number): Series =>
  from(candles.length, n - 1, (index) => {
    const seen = window(typical(candles), n, index)
    if (isFlat(seen)) return 0
    return (at(seen, n - 1) - mean(seen)) / (0.015 * mean(seen.map((price) => Math.abs(price - mean(seen)))))
  })

/** Upward and downward movement of each row from 1 on. */
const movements = (candles: Candles): readonly (readonly [plus: number, minus: number])[] =>
  candles.slice(1).map(({ highNumber, lowNumber }, index) => {
    const up = highNumber - at(highs(candles), index)
    const down = at(lows(candles), index) - lowNumber
    return [up > down && up > 0 ? up : 0, down > up && down > 0 ? down : 0]
  })

/** The first n - 1 summed; undefined before n. */
function wilderSum(values: Numbers, n: number): Series {
  let total = 0
  return values.map((value, index) => {
    total = index < n - 1 ? total + value : total - total / n + value
    return index < n - 1 ? undefined : total
  })
}

export function adx(candles: Candles, n: number): Series<readonly number[]> {
  const plus = wilderSum(
    movements(candles).map(([each]) => each),
    n,
  )
  const minus = wilderSum(
    movements(candles).map(([, each]) => each),
    n,
  )
  const range = wilderSum(defined(trueRange(candles)), n)
  const result: (readonly number[] | undefined)[] = []
  const indexes: number[] = []
  let adx: number | undefined
  plus.forEach((up, row) => {
    const [down, all] = [minus[row], range[row]]
    if (up === undefined || down === undefined || all === undefined) {
      result.push(undefined)
      return
    }
    const index = up + down === 0 ? undefined : (100 * Math.abs(up - down)) / (up + down)
    indexes.push(index ?? 0)
    if (indexes.length === n) adx = mean(indexes)
    else if (adx !== undefined && index !== undefined) adx = (adx * (n - 1) + index) / n
    result.push(
      adx === undefined ? undefined : [adx, all === 0 ? 0 : (100 * up) / all, all === 0 ? 0 : (100 * down) / all],
    )
  })
  return shifted(result, 1, candles.length)
}

export const aroon = (candles: Candles, n: number): Series<readonly number[]> =>
  from(candles.length, n, (index) => {
    const seen = window(candles, n + 1, index)
    const [up, down] = [
      highs(seen).lastIndexOf(Math.max(...highs(seen))),
      lows(seen).lastIndexOf(Math.min(...lows(seen))),
    ]
    return [(100 * up) / n, (100 * down) / n]
  })

export function parabolicSar(candles: Candles, step: number, max: number): Series {
  const [high, low] = [highs(candles), lows(candles)]
  const [, minusFirst] = movements(candles)[0] ?? [0, 0]
  let isUp = minusFirst === 0
  let stop = isUp ? at(low, 0) : at(high, 0)
  let extreme = isUp ? at(high, 1) : at(low, 1)
  let share = step
  return from(candles.length, 1, (index) => {
    const earlier = Math.max(1, index - 1)
    const [top, bottom] = [Math.max(at(high, earlier), at(high, index)), Math.min(at(low, earlier), at(low, index))]
    const isTouched = isUp ? at(low, index) <= stop : at(high, index) >= stop
    if (isTouched) stop = isUp ? Math.max(extreme, top) : Math.min(extreme, bottom)
    const reported = stop
    if (isTouched) {
      isUp = !isUp
      share = step
      extreme = isUp ? at(high, index) : at(low, index)
    } else if (isUp ? at(high, index) > extreme : at(low, index) < extreme) {
      share = Math.min(max, share + step)
      extreme = isUp ? at(high, index) : at(low, index)
    }
    stop += share * (extreme - stop)
    stop = isUp ? Math.min(stop, bottom) : Math.max(stop, top)
    return reported
  })
}

export const obv = (candles: Candles): Series =>
  candles.map((_, index) =>
    sum(
      candles.slice(0, index + 1).map(({ closeNumber, volumeNumber }, each) => {
        const before = candles[each - 1]?.closeNumber
        return before === undefined ? volumeNumber : Math.sign(closeNumber - before) * volumeNumber
      }),
    ),
  )

export const mfi = (candles: Candles, n: number): Series =>
  from(candles.length, n, (index) => {
    const prices = window(typical(candles), n + 1, index)
    const flows = window(candles, n, index).map(({ volumeNumber }, each) => volumeNumber * at(prices, each + 1))
    const up = sum(flows.filter((_, each) => at(prices, each + 1) > at(prices, each)))
    const down = sum(flows.filter((_, each) => at(prices, each + 1) < at(prices, each)))
    return up + down < 1 ? 0 : (100 * up) / (up + down)
  })

export const vwap = (candles: Candles, dayMs: number): Series =>
  candles.map(({ time }, index) => {
    const seen = candles
      .slice(0, index + 1)
      .filter((each) => Math.floor(each.time / dayMs) === Math.floor(time / dayMs))
    const volume = sum(seen.map(({ volumeNumber }) => volumeNumber))
    const prices = typical(seen)
    if (volume === 0) return prices.at(-1)
    return sum(seen.map(({ volumeNumber }, each) => at(prices, each) * volumeNumber)) / volume
  })
