/**
 * A policy that quotes both sides through the last close: what takes at the open does so when the open is cheap.
 */
import type { Policy } from './policy.ts'

const SIDES = ['BUY', 'SELL'] as const

/** @param ticks  beyond the close, so that the buy is above the sell */
export function quoteThrough(ticks: number): Policy {
  let key = 0
  return {
    canStop: false,
    onCandle: ({ candles, waiting }) => {
      const close = candles.at(-1)?.close ?? Number.NaN
      const cancels = waiting.map((order) => ({ type: 'cancel', key: order.key }) as const)
      const quotes = SIDES.map((side) => {
        key += 1
        return { type: 'limit', key, side, price: side === 'BUY' ? close + ticks : close - ticks, qty: 1 } as const
      })
      return [...cancels, ...quotes]
    },
  }
}
