import { describe, expect, it } from 'vitest'
import { SIDE_BUY as B, SIDE_SELL as S, SIDE_UNKNOWN as U } from '../../src/tape/tape.ts'
import { TickRule } from '../../src/tape/tick-rule.ts'

describe('TickRule', () => {
  it.each`
    prices          | sides        | expected     | why
    ${[10]}         | ${[U]}       | ${[B]}       | ${'before any trade: a buyer'}
    ${[10, 11]}     | ${[U, U]}    | ${[B, B]}    | ${'a higher price is a buyer'}
    ${[10, 9]}      | ${[U, U]}    | ${[B, S]}    | ${'a lower price is a seller'}
    ${[10, 9, 9]}   | ${[U, U, U]} | ${[B, S, S]} | ${'the same price has the side of the one before'}
    ${[10, 9, 9.5]} | ${[U, U, U]} | ${[B, S, B]} | ${'compared with the last trade, not with the first'}
    ${[10, 10, 10]} | ${[U, U, U]} | ${[B, B, B]} | ${'no change from the start: buyers'}
    ${[10, 9]}      | ${[S, B]}    | ${[S, B]}    | ${'what was recorded is passed through'}
    ${[10, 10]}     | ${[S, U]}    | ${[S, S]}    | ${'a recorded side is the last side'}
    ${[10, 8, 9]}   | ${[U, B, U]} | ${[B, B, B]} | ${'a recorded price is the last price'}
    ${[9, 10, 10]}  | ${[B, S, U]} | ${[B, S, S]} | ${'a recorded side counts against its own price change'}
  `('$why: $prices', ({ prices, sides, expected }: { prices: number[]; sides: number[]; expected: number[] }) => {
    const rule = new TickRule()
    expect(prices.map((price, row) => rule.next(price, sides[row] ?? U))).toEqual(expected)
  })
})
