/**
 * Lots beside the trades that form prices: 24 hours of them, of either sign.
 */
import { expect, it } from 'vitest'
import { TICKER_WINDOW_MS } from '../../../src/domain/ticker.ts'
import type { TradeColumns } from '../../../src/exchange/snapshot/exchange-snapshot.ts'
import { wholeOf } from '../../../src/exchange/snapshot/later-list.ts'
import { NO_VOLUME, VolumeCorrection } from '../../../src/exchange/statistics/market-statistics.ts'

const volumeOf = (correction: VolumeCorrection, now: number): readonly bigint[] => {
  const { volume, quoteVolume } = correction.figures(now)
  return [volume, quoteVolume]
}

it('is nothing before the first lot', () => {
  expect(new VolumeCorrection().figures(0)).toEqual(NO_VOLUME)
})

it('a print that was counted twice is taken back, each part for 24 hours from its own time', () => {
  const correction = new VolumeCorrection()
  correction.add(1_000, 130, 3)
  expect(volumeOf(correction, 1_000)).toEqual([3n, 390n])
  // Believed 500 ms later: it enters the statistics whole, so it goes out here.
  correction.add(1_500, 130, -3)
  expect(volumeOf(correction, 1_500)).toEqual([0n, 0n])
  // Shown a day ago, and no longer counted; believed less than a day ago, and counted elsewhere.
  expect(volumeOf(correction, 1_000 + TICKER_WINDOW_MS)).toEqual([-3n, -390n])
  expect(volumeOf(correction, 1_500 + TICKER_WINDOW_MS)).toEqual([0n, 0n])
})

it('is exact beyond 2^53', () => {
  const correction = new VolumeCorrection()
  const most = Number.MAX_SAFE_INTEGER
  for (const time of [1, 2, 3]) correction.add(time, most, most)
  expect(volumeOf(correction, 3)).toEqual([3n * BigInt(most), 3n * BigInt(most) ** 2n])
  correction.add(4, most, -most)
  expect(volumeOf(correction, 4)).toEqual([2n * BigInt(most), 2n * BigInt(most) ** 2n])
})

it('of many lots counts those of the last day, and its snapshot holds no others', () => {
  const correction = new VolumeCorrection()
  // Three days, more than are kept together.
  const prints = 10_000
  const gapMs = (3 * TICKER_WINDOW_MS) / prints
  for (let print = 0; print < prints; print += 1) correction.add(Math.floor(print * gapMs), 2, 1)
  const now = Math.floor((prints - 1) * gapMs)
  const times = Array.from({ length: prints }, (_, print) => Math.floor(print * gapMs))
  const inside = times.filter((time) => time > now - TICKER_WINDOW_MS)
  expect(volumeOf(correction, now)).toEqual([BigInt(inside.length), 2n * BigInt(inside.length)])
  expect(wholeOf<TradeColumns>(correction.snapshot(now)).time).toEqual(inside)
})
