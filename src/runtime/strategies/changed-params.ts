/** Parameters that change while a session runs, and those that cannot. */
import { isDeepStrictEqual } from 'node:util'
import { InputError } from '../../domain/errors.ts'
import { jsonFault } from '../../domain/json-fault.ts'
import { setting } from '../../domain/setting-name.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { readParams, type ParamValues } from './params.ts'

export interface ParamChange {
  /** All parameters. */
  readonly params: ParamValues
  /** Those that differ from before. */
  readonly changed: ParamValues
}

/**
 * @param texts    new values as text, by name
 * @param symbols  of the markets of the session
 * @throws {InputError} for an unknown parameter, a value that the schema refuses, or one that cannot change
 */
export function changedParams(
  strategy: Strategy,
  present: ParamValues,
  texts: Readonly<Record<string, string>>,
  symbols: readonly string[],
): ParamChange {
  const params = readParams(strategy, { values: present, texts, symbol: '' })
  const changed = Object.entries(params).filter(([name, value]) => !isDeepStrictEqual(value, present[name]))
  for (const [name, value] of changed) checkChange(name, [present[name], value], { texts, symbols })
  return { params, changed: Object.fromEntries(changed) }
}

function checkChange(
  name: string,
  values: readonly unknown[],
  { texts, symbols }: { readonly texts: Readonly<Record<string, string>>; readonly symbols: readonly string[] },
): void {
  const where = setting(`params.${name}`)
  const symbol = symbols.find((each) => values.flat().includes(each))
  if (symbol !== undefined) {
    const why = 'a session trades the markets that it began with: stop it, and start it with the other one'
    throw new InputError(where, `names the market ${symbol}, and cannot change: ${why}`)
  }
  if (!Object.hasOwn(texts, name) || values.some((value) => value !== undefined && jsonFault(value) !== undefined)) {
    const why = 'its schema transforms it: stop the session, and start it with other parameters'
    throw new InputError(where, `cannot change while a session runs, because ${why}`)
  }
}
