/**
 * The events of a backtest, as a loop takes them.
 */
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest } from '../../src/run/backtest.ts'
import { backtestEvents, type BacktestEvent } from '../../src/run/backtest-events.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { write } = temporaryFiles()
const rows = Array.from({ length: 50 }, (_, index) => `${1_700_000_000_000 + index * 5_000},${100 + (index % 7)},1`)
const file = write(['time,price,qty', ...rows].join('\n'), 'trades.csv')

const strategy = defineStrategy({
  name: 'each',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, candles, log, buyMarket }) =>
    candles(symbol, '1m').pipe(
      map(() => {
        log('now')
        return buyMarket(symbol, '1')
      }),
    ),
})
const options = { strategy, tapes: { BTC_USD: file }, bounds: false } as const

async function taken(events: AsyncIterable<BacktestEvent>): Promise<readonly BacktestEvent[]> {
  const all: BacktestEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('backtestEvents', () => {
  it('reports orders, fills and lines as they come, and the result last', async () => {
    const events = await taken(backtestEvents(options))
    const run = await backtest(options)
    expect(events.flatMap((event) => (event.type === 'order' ? [event.order] : []))).toEqual(run.orders)
    expect(events.flatMap((event) => (event.type === 'fill' ? [event.fill] : []))).toEqual(run.fills)
    expect(events.filter(({ type }) => type === 'log')).toHaveLength(run.orders.length)
    expect(events.at(-1)).toMatchObject({ type: 'end', run: { digest: run.digest, orders: [] } })
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
    expect(run.orders.length).toBeGreaterThan(2)
  })

  it('keeps the rows of the result too when it is asked to', async () => {
    const last = (await taken(backtestEvents({ ...options, keepRows: true }))).at(-1)
    expect(last?.type === 'end' ? last.run.orders.length : 0).toBeGreaterThan(2)
  })

  it('ends the run when the loop is left', async () => {
    for await (const event of backtestEvents(options)) {
      if (event.type === 'fill') break
    }
    // The next run of the thread begins only when the one before is over.
    expect((await backtest(options)).failure).toBeNull()
  })

  it('is ended by its signal', async () => {
    const aborting = new AbortController()
    aborting.abort()
    await expect(taken(backtestEvents({ ...options, signal: aborting.signal }))).rejects.toThrow('aborted')
  })

  it('throws what is wrong with its options at the first event', async () => {
    await expect(taken(backtestEvents({ ...options, tapes: {} }))).rejects.toThrow(/^tapes: /)
  })
})
