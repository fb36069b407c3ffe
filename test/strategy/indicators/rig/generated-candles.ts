/**
 * Candles made of a seed: the walks on which indicators are held against their definitions.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { HOUR_MS } from '../../../../src/domain/time.ts'
import type { CandleNumbers } from '../../../../src/strategy/indicators/input.ts'

/** Kinds of markets. */
export const WALKS = {
  walk: 'steps as likely up as down, on a lattice on which prices meet often',
  constant: 'one price, no range, the same volume',
  rising: 'every candle above the one before',
  falling: 'every candle below the one before',
  tiny: 'prices about 1e-9',
  huge: 'prices about 1e12',
  jumps: 'long rests, and jumps by a factor of a thousand',
  gaps: 'hours and days without a candle, and candles without volume',
} as const

export type Walk = keyof typeof WALKS

export function generatedCandles(kind: Walk, length: number, seed = 1): readonly CandleNumbers[] {
  const generator = xoroshiro128plus(seed)
  const draw = (least: number, most: number): number => uniformInt(generator, least, most)
  const scale = { tiny: 1e-12, huge: 1e9 }[kind as string] ?? 1
  let [price, time] = [1_000, Date.UTC(2024, 0, 1)]
  return Array.from({ length }, () => {
    const open = price
    const step = stepOf(kind, price, draw)
    price = Math.max(1, price + step)
    time += HOUR_MS * (kind === 'gaps' && draw(0, 4) === 0 ? draw(2, 60) : 1)
    const wick = (): number => (kind === 'constant' || (kind === 'jumps' && step === 0) ? 0 : draw(0, 5))
    const [high, low] = [Math.max(open, price) + wick(), Math.max(0.5, Math.min(open, price) - wick())]
    const volume = kind === 'constant' ? 5 : kind === 'gaps' ? Math.max(0, draw(-20, 20)) : draw(1, 1_000) / 8
    return {
      time,
      openNumber: open * scale,
      highNumber: high * scale,
      lowNumber: low * scale,
      closeNumber: price * scale,
      volumeNumber: volume,
    }
  })
}

function stepOf(kind: Walk, price: number, draw: (least: number, most: number) => number): number {
  if (kind === 'constant') return 0
  if (kind === 'rising') return draw(1, 9)
  if (kind === 'falling') return price > 20 ? -draw(1, 9) / 4 : -price / 50
  if (kind !== 'jumps') return draw(-8, 8)
  if (draw(0, 19) > 0) return 0
  return price > 1_000 ? 1 - price : price * 999
}
