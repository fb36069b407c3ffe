/**
 * Numbers of a sweep, shortened for reading. The exact ones are shown on hover, as in `sweep.csv`.
 */
import type { SweptFigure } from './sweep-page-data.ts'

const NOTHING = '–'
const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const

/** Shortened for the eye. */
export function figureText({ form }: Pick<SweptFigure, 'form'>, value: number | null | undefined): string {
  if (value === null || value === undefined) return NOTHING
  if (form === 'share') return `${decimal(value * 100, 2)} %`
  if (form === 'milliseconds') return lengthText(value)
  return decimal(value, form === 'count' ? 0 : 2)
}

/** Whole. */
export const exactText = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'undefined, or too little data' : String(value)

/** Small ones keep two digits that say something; large ones, or tiny ones, are written with a power of ten. */
function decimal(value: number, digits: number): string {
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(1)
  if (digits > 0 && size > 0 && size < 0.1) return value.toPrecision(2)
  const [whole = '', rest] = value.toFixed(digits).split('.')
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...(rest === undefined ? [] : [rest])].join('.')
}

function lengthText(ms: number): string {
  const [unit, name] = UNITS.find(([each]) => Math.abs(ms) >= each) ?? [1, 'ms']
  return `${decimal(ms / unit, unit === 1 ? 0 : 1)} ${name}`
}
