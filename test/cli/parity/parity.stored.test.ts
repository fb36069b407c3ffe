import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { write, cli } = cliFolderHere()
write(TRADES, 'btc.csv')
const TAPE = ['--tape', 'BTC_USD=btc.csv']

it('says that both sides are equal, with exit code 0', async () => {
  write(
    strategySource({
      run: "    return trades(params.symbol).pipe(first(), map(() => buyMarket(params.symbol, '1')))",
    }),
    'same.js',
  )
  const result = await cli('parity', './same.js', ...TAPE)
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(result.stdout).toMatch(/^equal: sample, 1 request, \d+ fills?, /)
})

it('prints the first difference with its cause and both lines, with exit code 1', async () => {
  write(
    strategySource({
      run: '    globalThis.runs = (globalThis.runs ?? 0) + 1\n    const qty = String(globalThis.runs)\n    return trades(params.symbol).pipe(first(), map(() => buyMarket(params.symbol, qty)))',
    }),
    'other.js',
  )
  const { code, stdout } = await cli('parity', './other.js', ...TAPE)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^different: strategy\n {2}at 2023-11-14T22:13:20.000Z: [^{]*\n {2}in process {2}\{.*"qty":"1".*\n {2}live {8}\{.*"qty":"2".*\n$/,
  )
})

it('compares the strategies of the config file, each on its book', async () => {
  const strategies = ['one', 'two'].map((name) => ({ use: './same.js', name, limits: { position: '150' } }))
  const config = { strategies, limits: { position: '150' }, tape: 'BTC_USD=btc.csv', orderLatency: 50 }
  const path = write(JSON.stringify(config), 'papertape.config.json')
  const { code, stdout } = await cli('parity')
  rmSync(path)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^equal: one, 1 request, 1 fill, .*\nequal: two, 1 request, 0 fills, .*\n$/,
    ) as string,
  })
})

it('names what has to be mended, with exit code 2', async () => {
  expectInputError(await cli('parity', 'grid'), /^--tape: /)
  expectInputError(await cli('parity', ...TAPE), /^parity: missing strategy/)
})

it.each([
  ['order-latency', '5'],
  ['db', 'runs.db'],
  ['force'],
  ['no-count-trials'],
  ['turn-limit', '5'],
  ['stats-period', '1h'],
])('does not take --%s, which only a backtest has, and does not list it', async (flag, ...value) => {
  const name = flag.replace('no-', '')
  expectInputError(await cli('parity', 'grid', ...TAPE, `--${flag}`, ...value), new RegExp(`unknown flag --${flag}`))
  expect((await cli('parity', '--help')).stdout).not.toMatch(new RegExp(`^ +--${name} `, 'm'))
})
