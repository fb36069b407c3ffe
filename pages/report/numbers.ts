/**
 * Doubles as they stand beside a chart: rounded for reading, never to be quoted.
 */

/** With as many digits as distinguish values of a chart. @param width  between the lowest and the highest */
export function readerOf(width: number): (value: number) => string {
  const digits = Math.min(8, Math.max(0, 2 - Math.floor(Math.log10(width > 0 ? width : 1))))
  const format = new Intl.NumberFormat('en', {
    maximumFractionDigits: digits,
    minimumFractionDigits: Math.min(2, digits),
  })
  return (value) => format.format(value)
}

/** A fraction, by how far apart those of a chart are. */
export function percentReaderOf(width: number): (value: number) => string {
  const digits = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(width > 0 ? width * 100 : 1))))
  return (value) => `${(value * 100).toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1')} %`
}

/** Width for the reader of labels that are a step apart: steps of 2.5 % take one more digit than those of 2 %. */
export function labelWidth(step: number): number {
  const mantissa = step / 10 ** Math.floor(Math.log10(step))
  return step < 1 && Math.abs(mantissa - 2.5) < 0.01 ? step * 2.5 : step * 5
}

/** Lowest and highest of what is known; 0 and 0 of nothing. */
export function extentOf(values: readonly (number | null)[]): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low > high ? [0, 0] : [low, high]
}

export const countText = (count: number): string => count.toLocaleString('en')

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
] as const

const unitOf = (width: number) => UNITS.find(([each]) => width >= each) ?? ([1, 'ms'] as const)

/** Milliseconds of the unit in which durations of a chart are written. */
export const durationUnit = (width: number): number => unitOf(width)[0]

/** Milliseconds in the unit that distinguishes those of a chart. */
export function durationReaderOf(width: number): (ms: number) => string {
  const [length, unit] = unitOf(width)
  return (ms) => `${Number((ms / length).toFixed(1))} ${unit}`
}
