/**
 * Reads the balances of an account (section 2, Balances).
 */
import { Fields } from './read-fields.ts'
import type { WireBalance, WireBalances } from './wire-balances.ts'

/** @throws {ExchangeError} SCHEMA_FAULT */
export function readBalances(answer: unknown): WireBalances {
  const fields = new Fields(answer, '')
  return new Map(fields.names.map((asset) => [asset, readBalance(new Fields(fields.value(asset), asset))]))
}

const readBalance = (fields: Fields): WireBalance => ({
  available: fields.decimal('available'),
  locked: fields.decimal('locked'),
})
