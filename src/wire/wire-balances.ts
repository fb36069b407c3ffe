/** Balances parsed from a service's response. */
import { ExchangeError } from '../domain/errors.ts'
import { attempt, Fields, type OnUnreadable, throwUnreadable } from './read-fields.ts'

/**
 * Valid balances of a response.
 *
 * @throws {ExchangeError} SCHEMA_FAULT if none is valid: something other than the service may have answered
 */
export function readBalances(answer: unknown, onUnreadable: OnUnreadable = throwUnreadable): WireBalances {
  const fields = new Fields(answer, '')
  const rows = fields.names.map((asset) => {
    return [asset, attempt(() => readBalance(new Fields(fields.value(asset), asset)))] as const
  })
  const faults = rows.flatMap(([asset, row]) => (row instanceof ExchangeError ? [[asset, row] as const] : []))
  const [first] = faults
  if (first !== undefined && faults.length === rows.length) throw first[1]
  for (const [asset, fault] of faults) onUnreadable(asset, fault)
  return new Map(rows.flatMap(([asset, row]) => (row instanceof ExchangeError ? [] : [[asset, row] as const])))
}

const readBalance = (fields: Fields): WireBalance => ({
  available: fields.decimal('available'),
  locked: fields.decimal('locked'),
})

export interface WireBalance {
  /** Decimal strings without trailing zeros. */
  readonly available: string
  readonly locked: string
}

/** Balances by asset. */
export type WireBalances = ReadonlyMap<string, WireBalance>
