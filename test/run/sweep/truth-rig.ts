/**
 * Markets with and without anything to find, and a strategy that guesses, for tests of what the best of a sweep is
 * worth.
 */
import { map } from 'rxjs'
import { z } from 'zod'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { buyMarket, sellMarket } from '../../../src/strategy/orders.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'

export const START = Date.UTC(2024, 0, 1)
export const MINUTE_MS = 60_000

/** Cents by which each candle moves the price. */
export type Moves = readonly number[]

/** Half of a cycle of ten candles goes up, half goes down, by as much as is planted; the rest is chance. */
export function movesOf(count: number, seed: number, planted: number): Moves {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const chance = Math.round((random() + random() + random() - 1.5) * 40)
    return chance + (index % 10 < 5 ? planted : -planted)
  })
}

/** Candles of a minute; a price that would fall too low turns round. */
export function csvOf(moves: Moves): string {
  let price = 10_000
  const lines = moves.map((move, row) => {
    const open = price
    price = price + move < 5_000 ? price - move : price + move
    const cells = [open, Math.max(open, price), Math.min(open, price), price].map((cents) => (cents / 100).toFixed(2))
    return `${START + row * MINUTE_MS},${cells.join(',')},1.5`
  })
  return `time,open,high,low,close,volume\n${lines.join('\n')}\n`
}

/** Holds for five of ten candles, from a phase on: of a cycle of ten one is right, one is as wrong as can be. */
export const phases = defineStrategy({
  name: 'phases',
  params: z.object({ symbol: z.string(), phase: z.int().min(0).max(9) }),
  run: ({ params: { symbol, phase }, candles }) =>
    candles(symbol, '1m').pipe(
      map(({ time }) => {
        const minute = Math.round(time / MINUTE_MS) % 10
        if (minute === phase) return buyMarket(symbol, '1')
        return minute === (phase + 5) % 10 ? sellMarket(symbol, '1') : []
      }),
    ),
})

/** Tosses a coin a candle, another one for each variant. */
export const coins = defineStrategy({
  name: 'coins',
  params: z.object({ symbol: z.string(), variant: z.int().min(0) }),
  run: ({ params: { symbol, variant }, candles }) => {
    const random = seededRandom(variant * 7_919 + 17)
    let isHeld = false
    return candles(symbol, '1m').pipe(
      map(() => {
        const isWanted = random() < 0.5
        if (isWanted === isHeld) return []
        isHeld = isWanted
        return isWanted ? buyMarket(symbol, '1') : sellMarket(symbol, '1')
      }),
    )
  },
})

/** Variant 3 knows the cycle of ten; every other tosses a coin. */
export const hidden = defineStrategy({
  name: 'hidden',
  params: z.object({ symbol: z.string(), variant: z.int().min(0) }),
  run: ({ params: { symbol, variant }, candles }) => {
    const random = seededRandom(variant * 7_919 + 17)
    let isHeld = false
    return candles(symbol, '1m').pipe(
      map(({ time }) => {
        const minute = Math.round(time / MINUTE_MS) % 10
        const isWanted = variant === 3 ? minute === 9 || minute < 4 : random() < 0.5
        if (isWanted === isHeld) return []
        isHeld = isWanted
        return isWanted ? buyMarket(symbol, '1') : sellMarket(symbol, '1')
      }),
    )
  },
})
