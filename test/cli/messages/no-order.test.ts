/**
 * A run without an order reports what the strategy received and emitted, so that its author finds where it stopped.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv']

beforeAll(() => {
  write(TRADES, 'tape.csv')
})

describe('a run without an order', () => {
  it.concurrent.each`
    title               | run | reported
    ${'never-acts'}     | ${'return trades(params.symbol).pipe(ignoreElements())'} | ${"the strategy received 6 values from trades('A_USD')."}
    ${'two-streams'}    | ${"return merge(trades('A_USD'), candles('A_USD', '1h')).pipe(ignoreElements())"} | ${"the strategy received 6 values from trades('A_USD') and 0 candles of A_USD (1h)."}
    ${'asks-nothing'}   | ${'return NEVER'} | ${'the strategy subscribed to no market stream.'}
    ${'completes'}      | ${'return NEVER.pipe(take(0))'} | ${'the strategy subscribed to no market stream. Its stream of orders completed immediately.'}
    ${'unheard'}        | ${"trades('A_USD').pipe(take(2)).subscribe(); return NEVER"} | ${"the strategy received 2 values from trades('A_USD'). It no longer listened to trades('A_USD') at the end: the stream ended, or catchError swallowed an error."}
    ${'cancels'}        | ${"return trades('A_USD').pipe(first(), map(() => ({ type: 'cancel-all' })))"} | ${'and emitted 1 intent without an order. Its stream of orders completed at 2023-11-14T22:13:20.000Z: the stream ended'}
  `('$title', async ({ title, run, reported }) => {
    write(strategySource({ run }), `${String(title)}.js`)
    const { notices } = await jsonRun(cli, 'backtest', `${String(title)}.js`, ...TAPE)
    expect(notices[0]).toMatch(/^No order was placed: /)
    expect(notices[0]).toContain(reported)
  })

  it.concurrent("an error that the author's own catchError took", async () => {
    const run = `return trades(params.symbol).pipe(
      map((trade) => { if (trade.priceNumber > 100.6) throw new Error('lost'); return [] }),
      catchError(() => NEVER.pipe(take(0))))`
    write(strategySource({ run }), 'swallows.js')
    const { notices } = await jsonRun(cli, 'backtest', 'swallows.js', ...TAPE)
    expect(notices[0]).toBe(
      "No order was placed: the strategy received 4 values from trades('A_USD'). Its stream of orders completed at 2023-11-14T22:13:23.000Z: the stream ended, or catchError swallowed an error.",
    )
  })

  it.concurrent('one that ordered or was refused is not reported so', async () => {
    write(
      strategySource({ run: "return trades(params.symbol).pipe(map(() => buyMarket('A_USD', '1000')))" }),
      'refused.js',
    )
    const { notices } = await jsonRun(cli, 'backtest', 'refused.js', ...TAPE)
    expect(notices.join(' ')).not.toContain('No order was placed')
  })
})
