import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ordersSince } from '../../../../src/adapter/live/orders/known-orders.ts'
import type { WireOrder } from '../../../../src/wire/wire-order.ts'

const order = (number: number, createdAt: number): WireOrder => ({
  id: `o${number}`,
  userId: 'u',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: 1,
  qty: 1,
  filledQty: 0,
  averagePrice: undefined,
  createdAt,
})

/** Oldest first; `onPage` may add newer ones while they are read. */
function service(rows: WireOrder[], cap: number, onPage: (page: number) => void = () => undefined) {
  const pages: number[] = []
  return {
    pages,
    orders: ({ page }: { readonly page: number }) => {
      pages.push(page)
      const size = cap
      const shown = rows.toReversed().slice((page - 1) * size, page * size)
      onPage(page)
      return Promise.resolve({ orders: shown, unreadable: [] })
    },
  }
}

const history = (count: number, stepMs: number): WireOrder[] =>
  Array.from({ length: count }, (_, index) => order(index + 1, index * stepMs))

describe('the orders since a known one', () => {
  it.each([1, 7, 500])('are all there, though a page shows %i', async (cap) => {
    const rows = history(60, 1_000)
    const found = await ordersSince(service(rows, cap), 'BTC_USD', { id: 'o21', createdAt: 20_000 })
    const ids = found.orders.map(({ id }) => id)
    expect(ids.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, index) => `o${60 - index}`))
  })

  it('are read no further than two seconds behind it', async () => {
    const calls = service(history(1_000, 1_000), 10)
    await ordersSince(calls, 'BTC_USD', { id: 'o995', createdAt: 994_000 })
    expect(calls.pages).toEqual([1])
    const denser = service(history(1_000, 10), 10)
    await ordersSince(denser, 'BTC_USD', { id: 'o995', createdAt: 9_940 })
    expect(denser.pages).toHaveLength(21)
  })

  it('are the whole history when none is known, to an empty page', async () => {
    const calls = service(history(25, 1_000), 10)
    expect((await ordersSince(calls, 'BTC_USD', undefined)).orders).toHaveLength(25)
    expect(calls.pages).toEqual([1, 2, 3, 4])
  })

  it('cannot be known when the service has forgotten it', async () => {
    const calls = service(history(5, 1_000), 10)
    await expect(ordersSince(calls, 'BTC_USD', { id: 'gone', createdAt: 0 })).rejects.toMatchObject({
      code: 'HISTORY_CUT',
    })
  })

  it('are none the fewer for those that come while they are read, and each is there once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(4), { maxLength: 12 }),
        fc.constantFrom(0, 1, 700, 5_000),
        async (count, cap, arrivals, stepMs) => {
          const rows = history(count, stepMs)
          const there = rows.map(({ id }) => id)
          let next = count
          const calls = service(rows, cap, (page) => {
            for (let each = 0; each < (arrivals[page - 1] ?? 0); each += 1) {
              next += 1
              rows.push(order(next, (next - 1) * stepMs))
            }
          })
          const known = rows[Math.floor(count / 2)]
          if (known === undefined) return
          const found = (await ordersSince(calls, 'BTC_USD', known)).orders.map(({ id }) => id)
          expect(new Set(found).size).toBe(found.length)
          const newer = there.slice(there.indexOf(known.id) + 1)
          expect(newer.filter((id) => !found.includes(id))).toEqual([])
        },
      ),
    ))
})
