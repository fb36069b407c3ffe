/** Strict parsing of query values: only digits are converted, to the integer they denote. */
import { fieldError } from './service-error.ts'

const INTEGER = /^(?:0|[1-9][0-9]*)$/

/**
 * An integer.
 *
 * @throws {ServiceError} VALIDATION_ERROR naming the parameter
 */
export function integerOf(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = INTEGER.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
  throw fieldError(name, `expected an integer ${range}, got '${shown(text)}'`)
}

/** @throws {ServiceError} VALIDATION_ERROR naming the parameter */
export function choiceOf<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw fieldError(name, `expected ${choices.join(', ')}, got '${shown(text)}'`)
}

/** A text shortened for an error message. */
export const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
