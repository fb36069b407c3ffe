import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { IDEAL, START, strategySource } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

/** Seconds of trades at one price, so that nothing but the limits decides what happens. */
const SECONDS = 180
const QUIET_TAPE = Array.from({ length: SECONDS + 1 }, (_, second) => `${START + second * 1000},100,1`)

beforeAll(() => {
  write(['time_ms,price,qty', ...QUIET_TAPE, ''].join('\n'), 'quiet.csv')
  const order = "buyMarket(params.symbol, '1')"
  // One order a second, 40 in all: inside of a minute.
  write(strategySource({ run: `return timer(0, 1000).pipe(take(40), map(() => ${order}))` }), 'forty.js')
})

const run = async (...flags: string[]): Promise<{ orders: number; refusals: unknown }> => {
  const { orders, refusals } = await jsonRun(
    cli,
    'backtest',
    'forty.js',
    '--tape',
    'A_USD=quiet.csv',
    ...IDEAL,
    ...flags,
  )
  return { orders, refusals }
}

describe('forty orders within a minute, where the service allows thirty', () => {
  it.concurrent.each`
    flags                             | orders | refusals                | why
    ${''}                             | ${30}  | ${{ RATE_LIMITED: 10 }} | ${'what is over the limit is refused and counted'}
    ${'--on-limit refuse'}            | ${30}  | ${{ RATE_LIMITED: 10 }} | ${'that is the default'}
    ${'--on-limit wait'}              | ${40}  | ${{}}                   | ${'it waits for the next minute, and none is refused'}
    ${'--no-limits'}                  | ${40}  | ${{}}                   | ${'without limits all go through'}
  `('$flags: $why', async ({ flags, orders, refusals }) =>
    expect(await run(...flags.split(' ').filter(Boolean))).toEqual({ orders, refusals }),
  )

  it.concurrent('the waiting ones are sent when the window opens again', async () => {
    write(
      strategySource({
        run: `return merge(
      outcomes$.pipe(tap(({ order }) => log(String(order.createdAt))), ignoreElements()),
      timer(0, 1000).pipe(take(40), map(() => buyMarket(params.symbol, '1'))))`,
      }),
      'reported.js',
    )
    const { stderr } = await cli(
      'backtest',
      'reported.js',
      '--tape',
      'A_USD=quiet.csv',
      ...IDEAL,
      '--on-limit',
      'wait',
      '--quiet',
    )
    const arrived = stderr
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[1]) - START)
    expect(arrived.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, second) => second * 1000 + 50))
    expect(arrived.slice(30)).toEqual(Array.from({ length: 10 }, () => 60_050))
  })
})
