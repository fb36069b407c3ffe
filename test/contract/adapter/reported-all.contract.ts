/**
 * Random scripts: every request is answered once, and what the client was reported adds up to what is.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Decimal } from '../../../src/domain/decimal.ts'
import { isOpen, type OrderRequest, type Side } from '../../../src/domain/order.ts'
import type { OwnBalances, OwnOrder } from '../../../src/strategy/own-order.ts'
import { balancesText, Client } from './contract-client.ts'
import { atMarket, limit, type ContractStage, type ContractSubject } from './contract-stage.ts'

type Step =
  | { readonly do: 'place' | 'other'; readonly request: OrderRequest }
  | { readonly do: 'cancel'; readonly pick: number }
  | { readonly do: 'settle' }
  | { readonly do: 'pass'; readonly ms: number }

const request: fc.Arbitrary<OrderRequest> = fc
  .record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    type: fc.constantFrom('LIMIT', 'LIMIT', 'MARKET'),
    price: fc.integer({ min: 998, max: 1_002 }),
    qty: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 400 }) }, { weight: 1, arbitrary: fc.constant(0) }),
  })
  .map(({ side, type, price, qty }) => (type === 'LIMIT' ? limit(side, price, qty) : atMarket(side, qty)))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('place' as const), request }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('other' as const), request }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 20, 50) }) },
)

/** What the scripts must have led to. */
const CORNERS = [
  ...[/^fill .* maker$/, /^fill .* taker$/, /^order .* PARTIALLY_FILLED/, /^acknowledged .* LIMIT CANCELLED/],
  ...[/^acknowledged .* MARKET CANCELLED/, /^refused INSUFFICIENT_BALANCE$/, /^refused NO_LIQUIDITY$/],
  ...[/^refused ORDER_REJECTED$/, /^refused ORDER_NOT_FOUND$/, /^refused ORDER_NOT_CANCELLABLE$/],
]

export function describeReportedAll({ open, numRuns }: ContractSubject): void {
  it('answers every request once, and reports everything: what the client was reported is in the end what is', async () => {
    const reached = new Set<RegExp>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15, size: 'max' }), async (steps) => {
        const each = await open()
        const one = new Client(each)
        let sent = 0
        for (const action of steps) {
          if (action.do === 'place' || action.do === 'cancel') sent += 1
          await perform(one, action)
        }
        await one.settle()
        expect(one.replies).toBe(sent)
        expectReportedAll(one, await each.atExchange())
        for (const corner of CORNERS) {
          if (one.texts.some((text) => corner.test(text))) reached.add(corner)
        }
        await each.close()
      }),
      { numRuns },
    )
    expect(CORNERS.filter((corner) => !reached.has(corner))).toEqual([])
  })
}

async function perform(client: Client, step: Step): Promise<void> {
  switch (step.do) {
    case 'place':
      client.place(step.request)
      break
    case 'cancel': {
      const known = client.reported.flatMap((reported) => (reported.type === 'order' ? [reported.order.id] : []))
      client.cancel(known[step.pick % Math.max(1, known.length)] ?? '999999')
      break
    }
    case 'other':
      await client.stage.otherPlaces(step.request)
      break
    case 'settle':
      await client.settle()
      break
    case 'pass':
      await client.stage.pass(step.ms)
  }
}

type Truth = Awaited<ReturnType<ContractStage['atExchange']>>

/** Folds what a client was reported, and expects the adapter and the exchange to say the same. */
function expectReportedAll({ reported, adapter }: Client, truth: Truth): void {
  const open = new Map<string, OwnOrder>()
  const filled = new Map<string, Decimal>()
  const acknowledgedIds = new Set<string>()
  let balances: OwnBalances | undefined
  for (const each of reported) {
    if (each.type === 'reply' && each.outcome.type === 'acknowledged') acknowledgedIds.add(each.outcome.order.id)
    if (each.type === 'balances') balances = each.balances
    if (each.type === 'fill') {
      const { orderId, qty } = each.fill
      expect(acknowledgedIds).toContain(orderId)
      filled.set(orderId, qty.plus(filled.get(orderId) ?? 0))
    }
    if (each.type === 'order') {
      const { id, status, filledQty } = each.order
      expect(acknowledgedIds).toContain(id)
      expect(filledQty.toFixed()).toBe((filled.get(id) ?? filledQty.minus(filledQty)).toFixed())
      if (isOpen(status)) open.set(id, each.order)
      else open.delete(id)
    }
  }
  expect(adapter.openOrders()).toEqual([...open.values()].reverse())
  expect([...open.keys()].reverse()).toEqual(truth.openOrderIds)
  expect(balancesText(adapter.balances())).toEqual(balancesText(truth.balances))
  if (balances !== undefined) expect(balancesText(balances)).toEqual(balancesText(truth.balances))
}
