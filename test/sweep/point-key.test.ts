import { describe, expect, it } from 'vitest'
import { identityHash, pointKey, type SweepIdentity } from '../../src/sweep/point-key.ts'
import type { SweepRun } from '../../src/sweep/sweep-point.ts'

const IDENTITY: SweepIdentity = {
  version: '1.0.0',
  strategy: { name: 'mine', sha256: 'aa' },
  tapes: [
    {
      symbol: 'BTC_USD',
      kind: 'trades',
      sha256: 'bb',
      rows: 2,
      from: 0,
      to: 9,
      pricePrecision: 2,
      qtyPrecision: 8,
      intervalMs: null,
      gapsSha256: null,
      reading: {},
    },
  ],
  settings: { seed: 1, credit: { USD: '5', BTC: '1' } },
}

const RUN: SweepRun = { params: { fast: '5', slow: '20' } }
const hash = identityHash(IDENTITY)

describe('the key of a point', () => {
  it('is a hash in lower-case hex', () => expect(pointKey(hash, RUN)).toMatch(/^[0-9a-f]{64}$/))

  it('does not depend on the order in which anything is named', () => {
    const settings = { credit: { BTC: '1', USD: '5' }, seed: 1 }
    expect(pointKey(identityHash({ ...IDENTITY, settings }), { params: { slow: '20', fast: '5' } })).toBe(
      pointKey(hash, RUN),
    )
  })

  it('is that of a point without terms where the terms say nothing', () => {
    const terms = { window: undefined, shuffle: undefined, isDetailed: false }
    expect(pointKey(hash, { ...RUN, terms })).toBe(pointKey(hash, RUN))
  })

  it.each`
    other                                                   | why
    ${{ params: { fast: '5', slow: '21' } }}                | ${'a value'}
    ${{ params: { fast: '5' } }}                            | ${'a parameter less'}
    ${{ params: { fast: '20', slow: '5' } }}                | ${'values that changed places'}
    ${{ ...RUN, terms: { isDetailed: true } }}              | ${'detail'}
    ${{ ...RUN, terms: { window: { from: 0, to: null } } }} | ${'a window'}
    ${{ ...RUN, terms: { shuffle: { seed: 1 } } }}          | ${'a shuffle'}
    ${{ ...RUN, terms: { shuffle: { seed: 2 } } }}          | ${'another shuffle'}
  `('is another for $why', ({ other }) => {
    expect(pointKey(hash, other)).not.toBe(pointKey(hash, RUN))
    expect(pointKey(hash, other)).not.toBe(pointKey(hash, { ...RUN, terms: { shuffle: { seed: 3 } } }))
  })

  it.each([
    ['version', { ...IDENTITY, version: '1.0.1' }],
    ['strategy', { ...IDENTITY, strategy: { name: 'mine', sha256: 'ab' } }],
    ['setting', { ...IDENTITY, settings: { ...IDENTITY.settings, seed: 2 } }],
    ['tape', { ...IDENTITY, tapes: [] }],
  ])('is another for another %s', (_, other) => {
    expect(pointKey(identityHash(other), RUN)).not.toBe(pointKey(hash, RUN))
  })
})
