import { describe, expect, it } from 'vitest'
import { TradeSequence } from '../../../../src/adapter/live/market-data/trade-sequence.ts'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { START } from '../rig/fake-live-time.ts'
import { tradeAt } from './rig/trade-adversary.ts'

/** What a sequence of `index@ms` is asked to be, by index. */
class Log {
  readonly reported: string[] = []
  readonly sequence = new TradeSequence(START, {
    onTrade: ({ buyOrderId }) => this.reported.push(buyOrderId.slice(1)),
    onGap: (from, to) => this.reported.push(`gap ${from - START}-${to - START}`),
  })

  stream(...names: readonly string[]): void {
    for (const name of names) this.sequence.stream(named(name))
  }

  /** Oldest first, as one reads. */
  read(...names: readonly string[]): string {
    return this.sequence.read(names.map(named).reverse())
  }

  begin(...names: readonly string[]): void {
    this.sequence.begin(names.map(named).reverse())
  }
}

function named(name: string): WireTrade {
  const [index, ms] = name.split('@').map(Number)
  return tradeAt(index ?? 0, START + (ms ?? 0))
}

describe('the sequence of a market', () => {
  it('reports what a read has and the stream has not, and drops what comes again', () => {
    const log = new Log()
    log.begin('0@0')
    log.stream('1@1', '1@1', '2@1')
    expect(log.read('0@0', '1@1', '2@1', '3@2')).toBe('clean')
    log.stream('3@2', '4@2')
    expect(log.reported).toEqual(['1', '2', '3', '4'])
    expect(log.sequence.counts).toMatchObject({ duplicates: 2, missed: 0, gaps: 0 })
  })

  it('reports a gap, once, for what a read shows between trades that were reported', () => {
    const log = new Log()
    log.begin('0@0')
    log.stream('1@1', '4@4')
    expect(log.read('0@0', '1@1', '2@2', '3@3', '4@4')).toBe('differs')
    expect(log.read('0@0', '1@1', '2@2', '3@3', '4@4')).toBe('clean')
    log.stream('2@2')
    expect(log.reported).toEqual(['1', '4', 'gap 1-4'])
    expect(log.sequence.counts).toMatchObject({ missed: 2, gaps: 1 })
  })

  it('reports no trade of the past, but a gap', () => {
    const log = new Log()
    log.begin('0@0')
    log.stream('1@1', '3@3', '2@2')
    expect(log.reported).toEqual(['1', '3', 'gap 1-3'])
    expect(log.read('0@0', '1@1', '2@2', '3@3')).toBe('clean')
  })

  it('reports a gap of the millisecond whose order the stream had wrong', () => {
    const log = new Log()
    log.begin('0@0')
    log.stream('2@5', '1@5', '3@6')
    expect(log.read('0@0', '1@5', '2@5', '3@6')).toBe('differs')
    expect(log.read('0@0', '1@5', '2@5', '3@6', '4@7')).toBe('clean')
    expect(log.reported).toEqual(['2', '1', '3', 'gap 5-5', '4'])
  })

  it('reports a gap before the first trade behind what a read no longer shows', () => {
    const log = new Log()
    log.begin('0@0')
    log.stream('1@1')
    expect(log.read('8@8', '9@9')).toBe('clean')
    expect(log.reported).toEqual(['1', 'gap 0-8', '8', '9'])
  })

  it('takes a read of an earlier state for that', () => {
    const log = new Log()
    log.begin('1@1', '2@2')
    log.stream('3@3', '4@4')
    expect(log.read('0@0', '1@1', '2@2', '3@3')).toBe('clean')
    expect(log.read('0@0')).toBe('stale')
    expect(log.read()).toBe('stale')
    expect(log.reported).toEqual(['3', '4'])
  })

  it('keeps a bounded memory over any number of trades', () => {
    let reported = 0
    const sequence = new TradeSequence(START, { onTrade: () => (reported += 1), onGap: () => expect.fail('a gap') })
    sequence.begin([])
    let page: WireTrade[] = []
    for (let index = 0; index < 300_000; index += 1) {
      const trade = tradeAt(index, START + Math.floor(index / 3))
      sequence.stream(trade)
      page.push(trade)
      if (page.length < 450) continue
      expect(sequence.read(page.toReversed())).toBe('clean')
      page = page.slice(-20)
    }
    expect(reported).toBe(300_000)
    expect(sequence.recent().trades.length).toBeLessThanOrEqual(4_000)
  })
})
