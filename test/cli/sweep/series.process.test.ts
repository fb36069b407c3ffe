/** A sweep, a fork and a portfolio of a strategy with a series of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { expectInputError, reportIn } from '../rig/cli-result.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { folder, cli, write } = cliFolder()

const ROWS = `timestamp,value\n${START - 1_000},1\n${START + 1_500},9\n${START + 60_000},2\n`
const RUN = `
    return series('mood', ['value']).pipe(
      map(({ value }) => (Number(value) > params.above ? buyMarket(params.symbol, '0.1') : undefined)),
    )`
const given = ['--tape', 'A_USD=trades.csv', '--series', 'mood=mood.csv', '--quiet']

beforeAll(() => {
  write(TRADES, 'trades.csv')
  write(ROWS, 'mood.csv')
  write(ROWS.replace(',9', ',0'), 'other.csv')
  write(strategySource({ name: 'moody', run: RUN, params: 'above: z.number().default(1)' }), 'moody.js')
})

it('each point of a sweep has the digest of its backtest, and the sweep goes on with the same file only', async () => {
  const sweep = ['sweep', 'moody.js', '--param', 'above=0,1,5', '--out', 'sweep', ...given]
  expect(await cli(...sweep)).toMatchObject({ code: 0 })
  const rows = readFileSync(join(folder, 'sweep/sweep.csv'), 'utf8')
  const single = reportIn(await cli('backtest', 'moody.js', '--param', 'above=5', '--json', ...given))
  expect(single.orders).toBe(1)
  expect(rows).toContain(`5,${single.digest},1,`)
  expect(await cli(...sweep)).toMatchObject({ code: 0 })
  const other = sweep.map((arg) => arg.replace('mood.csv', 'other.csv'))
  expectInputError(
    await cli(...other),
    /^--out: 'sweep' has a sweep of another series 'mood' \(SHA-256 \w{8}, now \w{8}\)/,
  )
})

it('a fork has the series of its run, and both can be verified', async () => {
  expect(await cli('backtest', 'moody.js', '--out', 'run', ...given)).toMatchObject({ code: 0 })
  const at = new Date(START + 30_000).toISOString()
  expect(await cli('fork', 'run', '--at', at, '--taker-fee', '5', '--out', 'forked')).toMatchObject({ code: 0 })
  for (const name of ['run', 'forked'])
    expect(await cli('verify', name)).toMatchObject({ code: 0, stdout: expect.stringContaining('verified') as unknown })
})

it('each strategy of a portfolio receives it', async () => {
  const strategies = [0, 5].map((above) => ({ use: './moody.js', name: `above-${above}`, params: { above } }))
  write(JSON.stringify({ strategies, tape: 'A_USD=trades.csv', series: { mood: 'mood.csv' } }), 'both.json')
  expect(await cli('backtest', '--config', 'both.json', '--out', 'both', '--quiet')).toMatchObject({ code: 0 })
  const orders = strategies.map(({ name }) => {
    const text = readFileSync(join(folder, 'both', name, 'run.json'), 'utf8')
    return (JSON.parse(text) as { readonly orders: number }).orders
  })
  expect(orders).toEqual([3, 1])
})
