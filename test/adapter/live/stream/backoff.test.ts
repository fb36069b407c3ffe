import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Backoff } from '../../../../src/adapter/live/stream/backoff.ts'
import { streamUrlOf } from '../../../../src/adapter/live/stream/stream-connection.ts'

describe('waits between attempts', () => {
  it('double up to their limit, and begin again after a reset', () => {
    const backoff = new Backoff(500, 30_000, () => 0.999_999)
    const waits = Array.from({ length: 9 }, () => backoff.next())
    expect(waits).toEqual([499, 999, 1_999, 3_999, 7_999, 15_999, 29_999, 29_999, 29_999])
    backoff.reset()
    expect(backoff.next()).toBe(499)
  })

  it('are never longer than the limit, for ever', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const backoff = new Backoff(500, 30_000, () => random)
        const waits = Array.from({ length: 2_000 }, () => backoff.next())
        return waits.every((wait) => wait >= 0 && wait < 30_000)
      }),
      { numRuns: 20 },
    )
  })
})

describe('the address of a stream', () => {
  it.each([
    ['http://127.0.0.1:8080/v1', 'ws://127.0.0.1:8080/v1/ws'],
    ['https://api.example.com/v1/', 'wss://api.example.com/v1/ws'],
    ['https://api.example.com', 'wss://api.example.com/ws'],
  ])('%s has %s', (baseUrl, url) => {
    expect(streamUrlOf(baseUrl)).toBe(url)
  })
})
