/** Parses the text of a flag strictly: anything that is not exactly of the form is refused, naming the flag. */
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { DAY_MS } from '../domain/time.ts'
import { flagName } from './flag-words.ts'

/**
 * Value of an option of type string, as yargs gives it: nothing, one text, several when it was repeated, false for
 * `--no-...`.
 */
export type FlagText = string | readonly (string | false)[] | false | undefined

export function single(flag: string, value: FlagText): string | undefined {
  const values = several(flag, value)
  if (values.length > 1) throw new InputError(flag, `given ${values.length} times, expected once`)
  return values[0]
}

export function several(flag: string, value: FlagText): readonly string[] {
  if (value === undefined) return []
  return [value].flat().map((each) => {
    if (each === false) throw new InputError(flag, 'cannot be negated: remove it')
    if (each === '') throw new InputError(flag, 'expected a value')
    return each
  })
}

/** `k=v` as a pair. */
export function assignment(flag: string, text: string): readonly [string, string] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)]
  throw new InputError(flag, `expected NAME=VALUE, got '${text}'`)
}

/** Pairs as an object; a name that is there twice is refused. */
export function record(flag: string, pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (values.has(name)) throw new InputError(`${flag} ${name}`, 'given twice')
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

/** Files of `--series` by name; those of the config file without the flag. */
export function seriesFiles(
  value: FlagText,
  file: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  const given = several('--series', value).map((each) => assignment('--series', each))
  return given.length === 0 ? file : record('--series', given)
}

/** A whole number; its range is checked where it is used. */
export function numberOf(option: string, value: FlagText): number | undefined {
  const given = single(`--${flagName(option)}`, value)
  if (given === undefined) return undefined
  if (/^-?\d+$/.test(given) && Number.isSafeInteger(Number(given))) return Number(given)
  throw new InputError(setting(option), `expected a whole number, got '${given}'`)
}

/** @throws {InputError} for text that is no number of milliseconds up to a day */
export function milliseconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= DAY_MS) return Number(text)
  throw new InputError(flag, `expected milliseconds, a whole number of at most ${DAY_MS}, got '${text}'`)
}
