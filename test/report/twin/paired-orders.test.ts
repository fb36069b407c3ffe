import { expect, it } from 'vitest'
import { pairedOrders } from '../../../src/report/twin/paired-orders.ts'
import type { TwinOrder } from '../../../src/report/twin/twin-trace.ts'

const order = (t: number, words = 'buy 1 A_USD at market'): TwinOrder => ({
  ...{ ref: t, t, symbol: 'A_USD', side: 'BUY', isLimit: false, words, fills: [] },
  ...{ orderId: undefined, answeredAt: undefined, refusal: undefined, stoppedBy: undefined },
})
const times = (session: readonly TwinOrder[], twin: readonly TwinOrder[]): readonly unknown[] =>
  pairedOrders(session, twin).map(({ session: a, twin: b }) => [a?.t, b?.t])

it('takes equal requests of about the same moment for one decision', () => {
  expect(times([order(1_000), order(3_000)], [order(1_000), order(3_400)])).toEqual([[1_000, 1_000], [3_000, 3_400]]) // prettier-ignore
})

it('takes equal requests of other times for other decisions', () => {
  expect(times([order(1_000), order(3_000)], [order(1_700), order(9_000)])).toEqual([
    [1_000, undefined],
    [undefined, 1_700],
    [3_000, undefined],
    [undefined, 9_000],
  ])
})
