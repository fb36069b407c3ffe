import { describe, expect, it } from 'vitest'
import { Markout } from '../../src/analysis/markout.ts'
import type { Side } from '../../src/domain/order.ts'

describe('markout after 5 s', () => {
  it.each<[Side, number, number, string]>([
    ['BUY', 99, -100, 'a buy before a fall of 1 percent'],
    ['BUY', 101, 100, 'a buy before a rise'],
    ['SELL', 99, 100, 'a sell before a fall'],
    ['SELL', 101, -100, 'a sell before a rise'],
    ['SELL', 100, 0, 'nothing moved'],
  ])('%s at 100, %d later: %d basis points, %s', (side, later, expected) => {
    const markout = new Markout(5_000)
    markout.fill(0, side, 100, 1)
    markout.advance(5_001, later)
    expect(markout.meanBps).toBeCloseTo(expected)
  })

  it('is held against the last trade at or before its end', () => {
    const markout = new Markout(5_000)
    markout.fill(0, 'BUY', 100, 1)
    // Trades at 4 999 and 5 000 count, the one at 5 001 does not.
    markout.advance(4_999, 90)
    markout.advance(5_000, 95)
    expect(markout.meanBps).toBeNull()
    markout.advance(5_001, 110)
    expect(markout.meanBps).toBeCloseTo(1_000)
  })

  it('is a mean over lots', () => {
    const markout = new Markout(1_000)
    markout.fill(0, 'BUY', 100, 3)
    markout.fill(0, 'SELL', 100, 1)
    markout.advance(2_000, 101)
    expect(markout.meanBps).toBeCloseTo((3 * 100 - 1 * 100) / 4)
  })

  it('leaves out what has not lasted so long', () => {
    const markout = new Markout(1_000)
    markout.fill(0, 'BUY', 100, 1)
    markout.fill(1_500, 'BUY', 100, 1)
    markout.advance(2_000, 102)
    expect(markout.meanBps).toBeCloseTo(200)
  })

  it('settles each fill once, however many there are', () => {
    const markout = new Markout(10)
    for (let time = 0; time < 5_000; time += 1) {
      markout.advance(time, 200)
      markout.fill(time, 'BUY', 100, 1)
    }
    markout.advance(6_000, 200)
    markout.advance(7_000, 1)
    expect(markout.meanBps).toBeCloseTo(10_000)
  })
})
