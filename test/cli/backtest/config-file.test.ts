import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectInputError, jsonRun, type Cli } from '../rig/cli-result.ts'
import { cliFolderHere, cliHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, TRADES } from '../rig/sample-files.ts'

const { folder } = cliFolderHere()

let folders = 0

/** A folder with a tape, a strategy and a config of its own. */
function withConfig(name: string, text: string): Cli {
  folders += 1
  const own = join(folder, String(folders))
  mkdirSync(own)
  for (const [file, content] of Object.entries({ 'tape.csv': TRADES, 'hold.js': BUY_AND_HOLD, [name]: text })) {
    writeFileSync(join(own, file), content)
  }
  return (...args) => cliHere(args, { cwd: own })
}

const CONFIG = `{ "strategy": "hold.js", "tape": "A_USD=tape.csv", "params": { "qty": "2" }, "takerFee": "5", "liquidity": "ideal" }`

describe('papertape.config is found in the working directory', () => {
  it.concurrent.each`
    name                       | text
    ${'papertape.config.json'} | ${CONFIG}
    ${'papertape.config.js'}   | ${`export default ${CONFIG}`}
    ${'papertape.config.ts'}   | ${`const config: Record<string, unknown> = ${CONFIG}\nexport default config`}
  `('$name', async ({ name, text }) => {
    const report = await jsonRun(withConfig(name, text), 'backtest')
    expect(report).toMatchObject({ params: { symbol: 'A_USD', qty: '2' }, config: { takerFeeBps: '5' }, fills: 1 })
  })

  it.concurrent('or where --config says, and only there', async () => {
    const cli = withConfig('other.json', CONFIG)
    expect(await jsonRun(cli, 'backtest', '--config', 'other.json')).toMatchObject({ config: { takerFeeBps: '5' } })
    expectInputError(
      await cli('backtest'),
      /^backtest: missing strategy: give a file, or a name from `papertape strategies`$/,
    )
  })
})

it.concurrent('a flag wins over the file, and the file over the default', async () => {
  const cli = withConfig('papertape.config.json', CONFIG)
  const report = await jsonRun(cli, 'backtest', '--param', 'qty=3', '--maker-fee', '1')
  expect(report).toMatchObject({
    params: { qty: '3' },
    config: { makerFeeBps: '1', takerFeeBps: '5', orderLatencyMs: 50 },
  })
})

it.concurrent('params of the file are for the strategy that it names, and one line says so for another', async () => {
  const cli = withConfig('papertape.config.json', CONFIG.replace('"qty": "2"', '"fast": 5'))
  const flags = ['--json', '--param', 'interval=1m']
  const other = await cli('backtest', 'grid', ...flags)
  expect([other.code, other.stderr]).toEqual([
    0,
    "papertape.config.json: params are for 'hold.js', so 'grid' runs without them\n",
  ])
  expect(JSON.parse(other.stdout)).toMatchObject({ strategy: { name: 'grid' }, config: { takerFeeBps: '5' } })
  const named = await cli('backtest', './hold.js', '--json')
  expectInputError(named, /--param fast/)
})

it.concurrent('json in the file is undone by --no-json', async () => {
  const cli = withConfig('papertape.config.json', CONFIG.replace('{', '{ "json": true, "quiet": true,'))
  expect((await cli('backtest')).stdout).toMatch(/^\{"version"/)
  expect(await cli('backtest', '--no-json')).toEqual({ code: 0, stdout: '', stderr: '' })
})

it.concurrent('params of the file are typed, so that a text is no number', async () => {
  const config = '{ "strategy": "sma-cross", "tape": "A_USD=tape.csv", "params": { "fast": "5" } }'
  const result = await withConfig('papertape.config.json', config)('backtest')
  expectInputError(result, '--param fast: Invalid input: expected number, received string')
})

describe('a file that cannot be read is named', () => {
  it.concurrent.each`
    name                       | text                                        | line
    ${'papertape.config.json'} | ${'{ "strategy": }'}                        | ${/^papertape\.config\.json: Unexpected token/}
    ${'papertape.config.json'} | ${'{ "stratgy": "hold.js" }'}               | ${"papertape.config.json:1: unknown key 'stratgy'; did you mean 'strategy'?"}
    ${'papertape.config.json'} | ${'{ "url": "http://127.0.0.1:1/v1",\n"live": { "wait": "10m",\n"stopTimout": "9s" } }'} | ${"papertape.config.json:3 live: unknown key 'stopTimout'; did you mean 'stopTimeout'?"}
    ${'papertape.config.json'} | ${'{ "seed": 1,\n"wait": "10m" }'} | ${"papertape.config.json:2: unknown key 'wait' here; move it into 'live'"}
    ${'papertape.config.json'} | ${'{ "tape": ["a", {\n"file": "b",\n"simbol": "A_USD" }] }'} | ${"papertape.config.json:3 tape 1: unknown key 'simbol'; did you mean 'symbol'?"}
    ${'papertape.config.json'} | ${'{ "live": {\n"apiKey": "pk" } }'} | ${"papertape.config.json:2 live: unknown key 'apiKey'; a config file has no secrets: set PAPERTAPE_API_KEY in the environment or in .env, and pass --notify as a flag"}
    ${'papertape.config.json'} | ${'{ "paper": { "limits": {\n"generl": 1 } } }'} | ${/^papertape\.config\.json:\d paper limits/}
    ${'papertape.config.json'} | ${'{ "seed": 1,\n  "seed": 2 }'}             | ${"papertape.config.json:2: the key 'seed' appears twice"}
    ${'papertape.config.json'} | ${'{ "tape": {\n"file": "a",\n"file": "b" } }'} | ${"papertape.config.json:3: the key 'file' appears twice"}
    ${'papertape.config.js'}   | ${'export const strategy = "hold.js"'}      | ${'papertape.config.js: has no default export'}
    ${'papertape.config.js'}   | ${'export default ["hold.js"]'}             | ${'papertape.config.js: Invalid input: expected object, received array'}
    ${'papertape.config.ts'}   | ${'export default {'}                       | ${/^papertape\.config\.ts: cannot be loaded: ParseError/}
    ${'papertape.config.ts'}   | ${'throw new Error("not today")'}           | ${'papertape.config.ts: cannot be loaded: not today'}
  `('$name $text', async ({ name, text, line }) => expectInputError(await withConfig(name, text)('backtest'), line))
})

it.concurrent('an editor can be given its schema', async () => {
  const cli = withConfig(
    'papertape.config.json',
    CONFIG.replace('{', '{ "$schema": "./node_modules/papertape/config.schema.json",'),
  )
  expect(await jsonRun(cli, 'backtest')).toMatchObject({ config: { takerFeeBps: '5' }, fills: 1 })
})

it.concurrent('a run under former names of settings is the same run', async () => {
  const cli = withConfig('papertape.config.json', CONFIG)
  const run = async (...flags: string[]): Promise<unknown> => {
    const { digest, config } = await jsonRun(cli, 'backtest', ...flags)
    return { digest, config }
  }
  const current = await run('--print-filter', 'off', '--level-size', '2')
  expect(current).toMatchObject({ config: { printFilter: 'off', levelSize: 2 } })
  expect(await run('--believe', 'all', '--ladder=2')).toEqual(current)
  const ofFile = CONFIG.replace('{', '{ "believe": "all", "ladder": 2,')
  const cliOfFile = withConfig('papertape.config.json', ofFile)
  expect(await jsonRun(cliOfFile, 'backtest')).toMatchObject(current as object)
})
