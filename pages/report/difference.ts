/**
 * The exact difference of two figures that are shown as numbers, in the unit and with the digits in which they are
 * shown.
 *
 * Known limit: of figures whose text is no decimal, such as a duration in words, there is none.
 */
import type { PageFigure } from '../../src/report/page/page-data.ts'

/** units x 10^-scale */
interface Exact {
  readonly units: bigint
  readonly scale: number
}

const MAX_DIGITS = 60

function exactOf(text: string): Exact | undefined {
  const [, sign = '', whole = '', rest = '', power = '0'] =
    /^([+\-−]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (whole === '' || Math.abs(Number(power)) > MAX_DIGITS) return undefined
  const scale = rest.length - Number(power)
  const units = BigInt(whole + rest) * (sign === '' || sign === '+' ? 1n : -1n)
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** Rounded to so many digits, halves away from 0. */
function rounded({ units, scale }: Exact, digits: number): bigint {
  if (digits >= scale) return units * 10n ** BigInt(digits - scale)
  const unit = 10n ** BigInt(scale - digits)
  const half = units < 0n ? -unit / 2n : unit / 2n
  return (units + half) / unit
}

/** A shown figure: number, digits after its point, unit. */
function shownOf(text: string): { readonly value: Exact; readonly digits: number; readonly unit: string } | undefined {
  const [, number = '', unit = ''] = /^([+\-−]?[\d, ]*\d(?:\.\d+)?)(\s*\D*)$/.exec(text.replace('…', '')) ?? []
  const value = exactOf(number.replaceAll(/[, ]/g, ''))
  return value === undefined ? undefined : { value, digits: value.scale, unit }
}

/** Undefined where there is none to be reported; the empty text where they are equal. */
export function differenceOf(figure: PageFigure, first: PageFigure): string | undefined {
  if (figure.exact === first.exact) return ''
  const [shown, base] = [shownOf(figure.text), shownOf(first.text)]
  const [one, other] = [exactOf(figure.exact), exactOf(first.exact)]
  if (shown === undefined || base === undefined || one === undefined || other === undefined) return undefined
  if (shown.unit !== base.unit) return undefined
  const isPercent = shown.unit.trim() === '%'
  const scaled = (value: Exact): Exact => (isPercent ? { units: value.units * 100n, scale: value.scale } : value)
  // A text in another unit than the figure has no difference in it.
  if (rounded(scaled(one), shown.digits) - rounded(shown.value, shown.digits) > 1n) return undefined
  if (rounded(scaled(one), shown.digits) - rounded(shown.value, shown.digits) < -1n) return undefined
  const digits = Math.max(shown.digits, base.digits)
  const scale = Math.max(one.scale, other.scale)
  const units = (value: Exact): bigint => value.units * 10n ** BigInt(scale - value.scale)
  return (
    written(rounded(scaled({ units: units(one) - units(other), scale }), digits), digits) +
    (isPercent ? ' pp' : shown.unit)
  )
}

function written(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${units < 0n ? '-' : '+'}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}
