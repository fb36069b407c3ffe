/**
 * Parses the values that a sweep tries for a parameter: `20,50,100`, `5..50/5`, or both in one list.
 *
 * Invariant: the values of a range are exact decimals: 0.1..0.3/0.1 is 0.1, 0.2 and 0.3, and never 0.30000000000000004.
 */
import { InputError, type Place } from '../domain/errors.ts'

const NUMBER = '(-?[0-9]{1,15}(?:\\.[0-9]{1,15})?)'
const RANGE = new RegExp(`^${NUMBER}\\.\\.${NUMBER}(?:/${NUMBER})?$`)
/** Two numbers with dots between them: intended as a range, even if it is invalid. */
const LIKE_RANGE = /^-?[0-9.]+\.\.-?[0-9]/

/** Maximum number of values per parameter: a longer list is a typing error. */
const MAX_VALUES = 100_000

/**
 * Distinct values in the given order.
 * @param place  the setting, for errors
 * @throws {InputError} for an invalid range, and for a list with an empty element or a repeated value
 */
export function paramValues(place: Place, text: string): readonly string[] {
  const parts = text.split(',')
  const values = parts.flatMap((part) => {
    if (part === '' && parts.length > 1) throw new InputError(place, `expected a value between commas, got '${text}'`)
    return LIKE_RANGE.test(part) ? rangeValues(place, part) : [part]
  })
  checkDistinct(place, values)
  return values
}

/** @throws {InputError} for a repeated value: its points would be the same */
export function checkDistinct(place: Place, values: readonly string[]): void {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) throw new InputError(place, `'${value}' is given twice`)
    seen.add(value)
  }
}

/** @param text  `FROM..TO/STEP`; the default step of whole numbers is 1 */
function rangeValues(place: Place, text: string): readonly string[] {
  const [, from, to, step] = RANGE.exec(text) ?? []
  const expected = `expected FROM..TO/STEP such as 5..50/5`
  if (from === undefined || to === undefined) throw new InputError(place, `${expected}, got '${text}'`)
  if (step === undefined && `${from}${to}`.includes('.')) {
    throw new InputError(place, `${expected}; a range of decimals needs a step, got '${text}'`)
  }
  const scale = Math.max(...[from, to, step ?? '1'].map((number) => number.split('.')[1]?.length ?? 0))
  const [first, last, by] = [unitsOf(from, scale), unitsOf(to, scale), unitsOf(step ?? '1', scale)]
  if (by <= 0n) throw new InputError(place, `expected a step above 0, got '${text}'`)
  if (last < first) throw new InputError(place, `expected an ascending range, got '${text}'`)
  const count = (last - first) / by + 1n
  if (count > BigInt(MAX_VALUES)) {
    throw new InputError(place, `'${text}' has ${count} values, more than ${MAX_VALUES}; use a larger step`)
  }
  return Array.from({ length: Number(count) }, (_, index) => decimalText(first + BigInt(index) * by, scale))
}

/** Value in units of 10^-scale. */
function unitsOf(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  return text.startsWith('-') ? -units : units
}

/** Without trailing zeros. */
function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  const trimmed = fraction.replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${trimmed === '' ? '' : `.${trimmed}`}`
}
