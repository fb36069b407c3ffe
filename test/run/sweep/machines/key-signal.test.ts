/**
 * News of keys, for anyone who waits.
 */
import { describe, expect, it } from 'vitest'
import { KeySignal } from '../../../../src/run/sweep/machines/redis-pool.ts'

const LONG_MS = 60_000

describe('KeySignal', () => {
  it('gives at once what came before, each once', async () => {
    const news = new KeySignal()
    for (const key of ['a', 'b', 'a']) news.add(key)
    expect(await news.next(LONG_MS)).toEqual(['a', 'b'])
    expect(await news.next(1)).toEqual([])
  })

  it('wakes anyone who waits', async () => {
    const news = new KeySignal()
    const waited = news.next(LONG_MS)
    news.add('a')
    expect(await waited).toEqual(['a'])
    const woken = news.next(LONG_MS)
    news.wake()
    expect(await woken).toEqual([])
  })
})
