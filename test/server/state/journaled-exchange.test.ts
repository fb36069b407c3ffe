/**
 * What of an exchange's life goes into its journal: every change, once, and nothing else.
 */
import { describe, expect, it } from 'vitest'
import { CROWD, type Command } from '../../../src/domain/command.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { JournaledExchange } from '../../../src/server/state/journaled-exchange.ts'
import { systemSecrets } from '../../../src/server/service/secrets.ts'
import { UserRegistry } from '../../../src/server/service/user-registry.ts'
import { applyEntry, readEntries, writeEntry, type StateEntry } from '../../../src/server/state/state-entry.ts'
import { oneMarket } from '../../exchange/rig/configs.ts'

const SYMBOL = 'BTC_USD'
const CREDIT: Command = { type: 'credit', time: 1, account: 'ann', asset: 'USD', amount: 100n }
const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: 10, qty: 2 } as const

function journaled() {
  const entries: StateEntry[] = []
  let isSound = true
  const journal = {
    checkIsOpen: () => {
      if (!isSound) throw new Error('closed')
    },
    add: (entry: StateEntry) => void entries.push(entry),
    abandon: () => {
      isSound = false
    },
  }
  const inner = createExchange(oneMarket())
  return { inner, exchange: new JournaledExchange(inner, journal), entries }
}

describe('an exchange with a journal', () => {
  it('enters what changes something, in its order', () => {
    const { exchange, entries } = journaled()
    exchange.execute(CREDIT)
    exchange.execute({ type: 'place', time: 2, account: 'ann', request: BID })
    exchange.execute({ type: 'cancel', time: 3, account: 'ann', orderId: 1 })
    const print = { symbol: SYMBOL, time: 4, price: 11, qty: 3, isBuyerMaker: true }
    expect(exchange.print(print)).toBe(1)
    expect(exchange.market(SYMBOL).print(5, 12, 4, false)).toBe(2)
    expect(entries).toEqual([
      CREDIT,
      { type: 'place', time: 2, account: 'ann', request: BID },
      { type: 'cancel', time: 3, account: 'ann', orderId: 1 },
      { type: 'print', ...print },
      { type: 'print', symbol: SYMBOL, time: 5, price: 12, qty: 4, isBuyerMaker: false },
    ])
  })

  it('enters what takes from an offer, also when nothing is taken', () => {
    const { inner, exchange, entries } = journaled()
    exchange.execute(CREDIT)
    exchange.execute({ type: 'place', time: 2, account: 'ann', request: BID })
    const take = { type: 'take', time: 3, symbol: SYMBOL, orderIds: [1] } as const
    exchange.execute({ ...take, offers: [{ price: 11, qty: 1 }] })
    exchange.execute({ ...take, time: 4, offers: [{ price: 9, qty: 1 }] })
    expect(entries.slice(2)).toEqual([
      { ...take, offers: [{ price: 11, qty: 1 }] },
      { ...take, time: 4, offers: [{ price: 9, qty: 1 }] },
    ])
    const replayed = createExchange(oneMarket())
    const users = new UserRegistry(systemSecrets, () => undefined)
    for (const entry of readEntries(`[${entries.map(writeEntry).join(',')}]`)) applyEntry(entry, replayed, users)
    expect(JSON.stringify(replayed.snapshot())).toBe(JSON.stringify(inner.snapshot()))
    expect(replayed.order('ann', 1)).toMatchObject({ status: 'PARTIALLY_FILLED', filledNotional: 9n })
  })

  it('enters what is taken off an order of the crowd, and takes it off again when it is read back', () => {
    const { inner, exchange, entries } = journaled()
    exchange.execute({ type: 'place', time: 1, account: CROWD, request: { ...BID, qty: 9 } })
    exchange.execute({ ...CREDIT, time: 2 })
    exchange.execute({ type: 'place', time: 2, account: 'ann', request: BID })
    const reduce = { type: 'reduce', time: 3, account: CROWD, orderId: 1, qty: 8 } as const
    exchange.execute(reduce)
    exchange.execute({ type: 'place', time: 4, account: CROWD, request: { ...BID, side: 'SELL' } })
    expect(entries[3]).toEqual(reduce)
    const replayed = createExchange(oneMarket())
    const users = new UserRegistry(systemSecrets, () => undefined)
    for (const entry of readEntries(`[${entries.map(writeEntry).join(',')}]`)) applyEntry(entry, replayed, users)
    expect(JSON.stringify(replayed.snapshot())).toBe(JSON.stringify(inner.snapshot()))
    expect(replayed.order('ann', 2)).toMatchObject({ status: 'PARTIALLY_FILLED', filledQty: 1 })
  })

  it('does not let an entry take lots off an order of a participant, whomever it names', () => {
    const exchange = createExchange(oneMarket())
    exchange.execute(CREDIT)
    exchange.execute({ type: 'place', time: 2, account: 'ann', request: BID })
    const users = new UserRegistry(systemSecrets, () => undefined)
    for (const account of ['ann', CROWD]) {
      const text = JSON.stringify([{ type: 'reduce', time: 3, account, orderId: 1, qty: 1 }])
      for (const entry of readEntries(text)) {
        expect(() => applyEntry(entry, exchange, users)).toThrow('the crowd alone reduces orders, its own')
      }
    }
    expect(exchange.order('ann', 1)).toMatchObject({ qty: 2 })
  })

  it.each<{ command: Command; why: string }>([
    { command: { type: 'place', time: 2, account: 'bob', request: BID }, why: 'an order without money' },
    { command: { type: 'cancel', time: 2, account: 'ann', orderId: 7 }, why: 'a cancel of no order' },
    { command: { type: 'credit', time: 2, account: 'ann', asset: 'EUR', amount: 1n }, why: 'a credit of no asset' },
  ])('enters nothing for $why', ({ command }) => {
    const { exchange, entries } = journaled()
    expect(exchange.execute(command)[0]?.type).toMatch(/-refused$/)
    expect(entries).toEqual([])
  })

  it('answers every question as the exchange inside of it', () => {
    const { inner, exchange } = journaled()
    exchange.execute(CREDIT)
    exchange.execute({ type: 'place', time: 2, account: 'ann', request: BID })
    exchange.print({ symbol: SYMBOL, time: 3, price: 11, qty: 3, isBuyerMaker: true })
    const answers = (each: Exchange): readonly unknown[] => [
      each.markets,
      each.scales,
      each.lastOrderId,
      each.market(SYMBOL).bestPrice('BUY'),
      each.bestPrice(SYMBOL, 'BUY'),
      each.restingAt(SYMBOL, 'BUY', 10),
      each.restingTo(SYMBOL, 'BUY', 9),
      each.depth(SYMBOL, 1),
      each.depth(SYMBOL),
      each.ticker(SYMBOL, 4),
      each.trades(SYMBOL, 5),
      each.candles(SYMBOL, { interval: '1m', limit: 5 }),
      each.order('ann', 1),
      each.orders('ann', { limit: 5, page: 1 }),
      each.openOrders('ann'),
      each.fills('ann', 5),
      each.balances('ann'),
      each.portfolio('ann', 4),
      each.audit(),
    ]
    expect(answers(exchange)).toEqual(answers(inner))
  })

  it('lets nothing in after an error inside', () => {
    const { exchange, entries } = journaled()
    exchange.execute(CREDIT)
    expect(() => exchange.execute({ ...CREDIT, time: 0 })).toThrow('time went back')
    expect(() => exchange.execute(CREDIT)).toThrow('closed')
    expect(() => exchange.market(SYMBOL).print(5, 12, 4, false)).toThrow('closed')
    expect(entries).toEqual([CREDIT])
  })
})
