import { describe, expect, it } from 'vitest'
import { ReplayedTrades } from '../../../src/report/replay/replayed-trades.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../../src/tape/tape.ts'

const block = (...rows: readonly (readonly [time: number, price: number, qty: number, side?: number])[]) => ({
  length: rows.length,
  time: Float64Array.from(rows, ([time]) => time),
  price: Float64Array.from(rows, ([, price]) => price),
  qty: Float64Array.from(rows, ([, , qty]) => qty),
  side: Uint8Array.from(rows, ([, , , side = SIDE_UNKNOWN]) => side),
  ids: undefined,
})

const tradesOf = (...blocks: readonly ReturnType<typeof block>[]): ReplayedTrades => {
  const trades = new ReplayedTrades()
  for (const each of blocks) expect(trades.add(each)).toBe(true)
  return trades
}

const buy = { id: '1', isBuy: true, price: 100, ahead: 10, since: 5 }

describe('recorded trades of a replay', () => {
  it('are the last ones at a moment, newest first, over the ends of blocks', () => {
    const trades = tradesOf(block([1, 10, 1, SIDE_BUY], [2, 11, 2, SIDE_SELL]), block([2, 12, 3], [4, 13, 4]))
    expect(trades.last(0, 9)).toEqual([])
    expect(trades.last(3, 2)).toEqual([
      { time: 2, price: 12, qty: 3, side: undefined, isDoubtful: false },
      { time: 2, price: 11, qty: 2, side: 'SELL', isDoubtful: false },
    ])
    expect(trades.last(9, 9).map(({ price }) => price)).toEqual([13, 12, 11, 10])
  })

  it.each`
    rows                          | order                       | left  | why
    ${[[6, 101, 3]]}              | ${buy}                      | ${10} | ${'a trade above a bid leaves its queue'}
    ${[[6, 100, 3], [7, 100, 4]]} | ${buy}                      | ${3}  | ${'trades at its price take from it'}
    ${[[6, 100, 30]]}             | ${buy}                      | ${0}  | ${'no more than there is'}
    ${[[6, 99, 1]]}               | ${buy}                      | ${0}  | ${'a trade beyond takes all'}
    ${[[5, 100, 3]]}              | ${buy}                      | ${10} | ${'a trade of the moment in which it came was before it'}
    ${[[6, 101, 1]]}              | ${{ ...buy, isBuy: false }} | ${0}  | ${'beyond an ask is above it'}
  `('$why', ({ rows, order, left }: { rows: [number, number, number][]; order: typeof buy; left: number }) => {
    expect(tradesOf(block(...rows)).ahead(order, 8)).toBe(left)
  })

  it('take nothing from a queue where their conditions say that others could not trade there', () => {
    const trades = new ReplayedTrades()
    trades.add({ ...block([6, 99, 5], [7, 100, 4]), isDoubtful: Uint8Array.of(1, 0) })
    expect([6, 7].map((time) => trades.ahead(buy, time))).toEqual([10, 6])
  })

  it('give the same queue forward and backward', () => {
    const trades = tradesOf(block([6, 100, 3], [7, 100, 4], [8, 99, 1]))
    const at = [5, 6, 7, 8]
    expect(at.map((time) => trades.ahead(buy, time))).toEqual([10, 7, 3, 0])
    expect(at.toReversed().map((time) => trades.ahead(buy, time))).toEqual([0, 3, 7, 10])
  })
})
