import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../../src/adapter/live/orders/intent.ts'
import { decide, type Decision } from '../../../../src/adapter/live/orders/reconcile-decision.ts'
import type { WireOrder } from '../../../../src/wire/wire-order.ts'

const orders = (count: number): readonly WireOrder[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `o${index + 1}`,
    userId: 'u',
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'OPEN',
    price: 1,
    qty: 1,
    filledQty: 0,
    averagePrice: undefined,
    createdAt: index,
  }))

/** `U` unknown, `Q` quarantined, `A` ambiguous; lower case of another owner. */
const intents = (letters: string): readonly Intent[] =>
  [...letters].map((letter, index) => ({
    id: index + 1,
    owner: letter === letter.toUpperCase() ? 'one' : 'two',
    session: 's',
    reference: index + 1,
    state: ({ U: 'UNKNOWN', Q: 'QUARANTINED', A: 'AMBIGUOUS' } as const)[letter.toUpperCase() as 'U' | 'Q' | 'A'],
    tag: undefined,
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    price: 1,
    qty: 1,
    watermark: undefined,
    watermarkAt: undefined,
    knownCount: 0,
    orderId: undefined,
    filledQty: 0,
    isFinished: false,
    report: undefined,
    sentAt: 0,
    changedAt: 0,
  }))

const textOf = (decision: Decision): string =>
  decision.type === 'adopt'
    ? decision.adoptions.map(({ intent, order }) => `${intent.id}=${order.id}`).join(' ')
    : decision.type

describe('a decision', () => {
  it.each`
    there | asked    | held     | over     | expected       | why
    ${0}  | ${'U'}   | ${false} | ${false} | ${'wait'}      | ${'it may come yet'}
    ${0}  | ${'U'}   | ${true}  | ${true}  | ${'absent'}    | ${'it is not there in time'}
    ${1}  | ${'U'}   | ${false} | ${false} | ${'wait'}      | ${'another may come'}
    ${1}  | ${'U'}   | ${true}  | ${false} | ${'1=o1'}      | ${'as many as are asked for, for long enough'}
    ${1}  | ${'U'}   | ${false} | ${true}  | ${'wait'}      | ${'it has only just come'}
    ${2}  | ${'U'}   | ${true}  | ${true}  | ${'ambiguous'} | ${'which of them nothing tells'}
    ${2}  | ${'QU'}  | ${true}  | ${false} | ${'1=o1 2=o2'} | ${'oldest to oldest'}
    ${1}  | ${'QU'}  | ${true}  | ${false} | ${'wait'}      | ${'the other may come yet'}
    ${1}  | ${'QU'}  | ${true}  | ${true}  | ${'2=o1'}      | ${'the unknown one first'}
    ${2}  | ${'AQU'} | ${true}  | ${true}  | ${'3=o1 1=o2'} | ${'the unknown one first, then the oldest'}
    ${0}  | ${'QU'}  | ${true}  | ${true}  | ${'absent'}    | ${'neither is there'}
    ${0}  | ${'qU'}  | ${true}  | ${true}  | ${'absent'}    | ${'whose it is does not matter when there is none'}
    ${1}  | ${'qU'}  | ${true}  | ${false} | ${'ambiguous'} | ${'it could be of either owner'}
    ${2}  | ${'qU'}  | ${true}  | ${true}  | ${'ambiguous'} | ${'which is whose nothing tells'}
  `('of $there orders for $asked is $expected: $why', ({ there, asked, held, over, expected }) => {
    const decision = decide({ candidates: orders(there), intents: intents(asked), isHeld: held, isOver: over })
    expect(textOf(decision)).toBe(expected)
  })

  it('never gives an order twice, nor two orders to one, nor one while owners differ or there are too many', () => {
    const letters = fc
      .array(fc.constantFrom('U', 'Q', 'A', 'q', 'a'), { minLength: 1, maxLength: 5 })
      .map((each) => `${each.join('').replaceAll('U', 'Q')}U`)
    fc.assert(
      fc.property(fc.nat(6), letters, fc.boolean(), fc.boolean(), (there, asked, isHeld, isOver) => {
        const decision = decide({ candidates: orders(there), intents: intents(asked), isHeld, isOver })
        if (decision.type !== 'adopt') return
        const given = decision.adoptions.map(({ order }) => order.id)
        const taken = decision.adoptions.map(({ intent }) => intent.id)
        expect(new Set(given).size).toBe(given.length)
        expect(new Set(taken).size).toBe(taken.length)
        expect(given).toHaveLength(there)
        expect(there).toBeLessThanOrEqual(asked.length)
        expect(asked).toBe(asked.toUpperCase())
      }),
    )
  })
})
