/**
 * Snapshots of a damaged file: whatever is wrong with one part is refused and said, or adds up all the same.
 */
import { describe, expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { damageEach, damages, smallSnapshot, withChanges } from './rig/damaged-snapshots.ts'

const SNAPSHOT = smallSnapshot(createExchange)

describe('a snapshot with one wrong part', () => {
  it('is refused as bad input, or makes an exchange that adds up', () => {
    const { refused, believed, faults } = damageEach(SNAPSHOT, restoreExchange)
    expect(faults).toEqual([])
    expect(believed).toEqual([])
    expect(refused.size).toBeGreaterThan(100)
  })

  it.each(damages(SNAPSHOT))('is refused with what is wrong: $name', ({ changes, fault }) => {
    expect(() => restoreExchange(withChanges(SNAPSHOT, changes))).toThrow(fault)
  })
})
