/**
 * The hand-written check of a row and the schema by which the row is read: they must never differ.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InvariantError } from '../../../../src/domain/errors.ts'
import { PERSISTED_INTENT, type PersistedIntent } from '../../../../src/store/state/live/persisted-intent.ts'
import { writtenIntent } from '../../../../src/store/state/live/written-intent.ts'
import { savedIntent, savedIntents } from '../../rig/saved-intents.ts'

/** Each is what some fields take and others do not. */
const VALUES = [
  Number.NaN,
  Infinity,
  2 ** 53,
  0.5,
  0,
  -1,
  '',
  'BUY',
  'LIMIT',
  'SENDING',
  '\ud800',
  true,
  [],
  {},
  undefined,
]
const NAMES = Object.keys(savedIntent(1)) as (keyof PersistedIntent)[]

function writtenOrNot(intent: PersistedIntent): string | undefined {
  try {
    return writtenIntent(intent)[0]
  } catch (error) {
    expect(error).toBeInstanceOf(InvariantError)
    return undefined
  }
}

it('writes what the schema reads as the same intent', () =>
  fc.assert(
    fc.property(savedIntents, (intent) => {
      expect(PERSISTED_INTENT.parse(JSON.parse(writtenIntent(intent)[0]))).toEqual(intent)
    }),
  ))

it('refuses exactly what the schema could not read again, whichever field it is in', () => {
  const counts = { written: 0, refused: 0 }
  for (const name of NAMES) {
    for (const value of VALUES) {
      const intent = { ...savedIntent(1), [name]: value }
      const isReadable = PERSISTED_INTENT.safeParse({ ...nullsFor(intent) }).success
      expect(writtenOrNot(intent) !== undefined, `${name} of ${typeof value} ${JSON.stringify(value)}`).toBe(isReadable)
      counts[isReadable ? 'written' : 'refused'] += 1
    }
  }
  expect(Math.min(counts.written, counts.refused)).toBeGreaterThan(NAMES.length)
})

const nullsFor = (intent: PersistedIntent): object =>
  Object.fromEntries(Object.entries(intent).map(([name, value]) => [name, value === undefined ? null : value]))
