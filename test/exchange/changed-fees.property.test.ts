/** Fees that change while orders rest: every fill pays the rate of its time, and exactly what is needed is locked. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { parseFeeRate } from '../../src/domain/market.ts'
import { faultOfAudit } from '../../src/exchange/audit-exchange.ts'
import { ExchangeState } from '../../src/exchange/exchange-state.ts'
import { MatchingExchange } from '../../src/exchange/matching-exchange.ts'
import { PROPERTY_SEED, runs } from '../property/property.ts'
import { oneMarket } from './rig/configs.ts'

const SYMBOL = 'BTC_USD'
const exchangeWith = (makerFeeBps: string, takerFeeBps: string): MatchingExchange =>
  new MatchingExchange(new ExchangeState(oneMarket({ makerFeeBps, takerFeeBps })))

const credit = (exchange: MatchingExchange, account: string, asset: string, amount: bigint): unknown =>
  exchange.execute({ type: 'credit', time: 0, account, asset, amount })

const place = (exchange: MatchingExchange, account: string, side: 'BUY' | 'SELL', price: number, qty: number): void => {
  exchange.execute({
    type: 'place',
    time: 1,
    account,
    request: { symbol: SYMBOL, side, type: 'LIMIT', price, qty },
  })
}

it('cancels the newest buys that cannot pay a higher fee, and lets the others rest in their place', () => {
  const exchange = exchangeWith('0', '0')
  credit(exchange, 'alice', 'USD', 1100n)
  credit(exchange, 'bob', 'BTC', 10n)
  for (const price of [90, 100, 110]) place(exchange, 'alice', 'BUY', price, 3)
  const events = exchange.changeFees(SYMBOL, { makerFeeBps: '2500', takerFeeBps: '0' }, 1)
  // 337.5 and 375 are locked, each rounded up, and 412.5 would be too much.
  expect(events).toMatchObject([{ type: 'order-cancelled', order: { price: 110 } }])
  expect(exchange.balances('alice').get('USD')).toEqual({ available: 387n, locked: 713n })
  place(exchange, 'bob', 'SELL', 90, 6)
  expect(exchange.balances('alice').get('USD')).toEqual({ available: 387n, locked: 0n })
  expect(faultOfAudit(exchange.audit())).toBeUndefined()
})

const rates = fc.constantFrom('0', '0.0001', '33.3333', '100', '9999')
const steps = fc.array(
  fc.oneof(
    fc.record({ makerFeeBps: rates, takerFeeBps: rates }),
    fc.record({
      account: fc.constantFrom('alice', 'bob', 'crowd'),
      side: fc.constantFrom('BUY', 'SELL'),
      price: fc.integer({ min: 5, max: 12 }),
      qty: fc.integer({ min: 1, max: 9 }),
    }),
    fc.record({ cancelled: fc.nat({ max: 40 }) }),
  ),
  { maxLength: 60 },
)

it('charges each fill by the fees of its time, rounded over the whole order, and locks what is needed', () => {
  const law = fc.property(rates, rates, steps, (maker, taker, all) => {
    const exchange = exchangeWith(maker, taker)
    for (const account of ['alice', 'bob']) for (const asset of ['USD', 'BTC']) credit(exchange, account, asset, 500n)
    let fees = { makerFeeBps: maker, takerFeeBps: taker }
    const exact = new Map<number, bigint>()
    const charged = new Map<number, bigint>()
    const add = (event: ExchangeEvent): void => {
      if (event.type !== 'traded') return
      const cost = BigInt(event.trade.price) * BigInt(event.trade.qty)
      const sides = [
        [event.maker, event.makerFee, fees.makerFeeBps],
        [event.taker, event.takerFee, fees.takerFeeBps],
      ] as const
      for (const [{ id, userId }, fee, bps] of sides) {
        const rate = userId === 'crowd' ? 0n : parseFeeRate('', bps)
        exact.set(id, (exact.get(id) ?? 0n) + cost * rate)
        charged.set(id, (charged.get(id) ?? 0n) + fee)
      }
    }
    for (const step of all) {
      if ('makerFeeBps' in step) {
        exchange.changeFees(SYMBOL, step, 1)
        fees = step
      } else if ('cancelled' in step) {
        exchange.execute({ type: 'cancel', time: 1, account: 'alice', orderId: step.cancelled })
      } else {
        const { account, ...order } = step
        const request = { symbol: SYMBOL, type: 'LIMIT', ...order } as const
        exchange.execute({ type: 'place', time: 1, account, request }).forEach(add)
      }
      expect(faultOfAudit(exchange.audit())).toBeUndefined()
    }
    for (const [id, due] of exact) expect(charged.get(id)).toBe((due + 99_999_999n) / 100_000_000n)
  })
  fc.assert(law, { numRuns: runs(400), seed: PROPERTY_SEED })
})
