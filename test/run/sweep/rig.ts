/**
 * A small market, and a strategy that trades in it by two parameters, for tests of sweeps.
 */
import { map } from 'rxjs'
import { z } from 'zod'
import { MINUTE_MS } from '../../../src/domain/time.ts'
import { buyMarket, sellMarket } from '../../../src/strategy/orders.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'

const START = 1_700_000_000_000

/** Candles of a minute, whose closes wander. */
export function candlesCsv(count: number): string {
  let price = 10_000
  let state = 7
  const lines = ['time,open,high,low,close,volume']
  for (let row = 0; row < count; row += 1) {
    state = (state * 48_271) % 2_147_483_647
    const close = Math.max(100, price + (state % 201) - 100)
    const cells = [price, Math.max(price, close) + 5, Math.min(price, close) - 5, close]
    lines.push(
      `${START + row * MINUTE_MS},${cells.map((ticks) => (ticks / 100).toFixed(2)).join(',')},${1 + (state % 9)}`,
    )
    price = close
  }
  return `${lines.join('\n')}\n`
}

/** Buys every `every` candles and sells `hold` candles later. */
export const stepper = defineStrategy({
  name: 'stepper',
  params: z
    .object({ symbol: z.string(), every: z.int().min(2), hold: z.int().min(1), qty: z.string().default('1') })
    .refine(({ every, hold }) => hold < every, { path: ['hold'], message: 'expected hold to be smaller than every' }),
  run: ({ params: { symbol, every, hold, qty }, candles }) =>
    candles(symbol, '1m').pipe(
      map((_, index) => {
        if (index % every === 0) return buyMarket(symbol, qty)
        return index % every === hold ? sellMarket(symbol, qty) : []
      }),
    ),
})

/** The same as a file. */
export const STEPPER_FILE = `
import { buyMarket, defineStrategy, sellMarket } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

let remembered = 0

export default defineStrategy({
  name: 'stepper',
  params: z
    .object({ symbol: z.string(), every: z.int().min(2), hold: z.int().min(1), qty: z.string().default('1') })
    .refine(({ every, hold }) => hold < every, { path: ['hold'], message: 'expected hold to be smaller than every' }),
  run: ({ params: { symbol, every, hold, qty }, candles }) =>
    candles(symbol, '1m').pipe(
      map(() => {
        const index = remembered++
        if (index % every === 0) return buyMarket(symbol, qty)
        return index % every === hold ? sellMarket(symbol, qty) : []
      }),
    ),
})
`
