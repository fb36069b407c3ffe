/**
 * Memory of an exchange by what is there, not by what was: numbers lie in array buffers, which no one collects while
 * they are held.
 */
import { describe, expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { market } from './rig/configs.ts'

const SYMBOL = 'BTC_USD'
/** An order's record has some 70 bytes. */
const LITTLE = 2e6

function exchangeOfAnn(): Exchange {
  const history = { orders: 100, fills: 100, trades: 100, candles: 10 }
  const exchange = createExchange({ markets: [market(SYMBOL)], quoteAsset: 'USD', history })
  exchange.execute({ type: 'credit', time: 0, account: 'ann', asset: 'USD', amount: 10n ** 30n })
  return exchange
}

/** Bytes of array buffers that `action` leaves behind when it is done `times` times more. */
function growth(times: number, action: () => void): number {
  for (let count = 0; count < 200; count += 1) action()
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < times; count += 1) action()
  return process.memoryUsage().arrayBuffers - before
}

describe('memory', () => {
  it('is not taken by offers that are over', () => {
    const exchange = exchangeOfAnn()
    const request = { symbol: SYMBOL, side: 'BUY', type: 'MARKET', qty: 1 } as const
    const offers = Array.from({ length: 100 }, (_, index) => ({ price: 100 + index, qty: 1 }))
    const answer = (): void => void exchange.execute({ type: 'place', time: 1, account: 'ann', request, offers })
    expect(growth(1_000, answer)).toBeLessThan(LITTLE)
  })

  it('is not taken by orders that are kept no longer, cancelled or filled', () => {
    const exchange = exchangeOfAnn()
    const limit = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 100, qty: 1 } as const
    const offers = [{ price: 100, qty: 1 }]
    const comeAndGo = (): void => {
      exchange.execute({ type: 'place', time: 1, account: 'ann', request: limit })
      exchange.execute({ type: 'cancel', time: 1, account: 'ann', orderId: exchange.lastOrderId })
      exchange.execute({ type: 'place', time: 1, account: 'ann', request: limit, offers })
    }
    expect(growth(50_000, comeAndGo)).toBeLessThan(LITTLE)
  })
})
