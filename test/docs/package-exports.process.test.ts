/**
 * The exports of the package, used as a program of somebody else uses them: compiled against its types, and run on what
 * is built.
 *
 * A line under `@ts-expect-error` must not compile, so a type that is lost on the way to `any` fails as well.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { fenced } from './rig/document-commands.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** What such a program installs: the package, and what it imports beside it. */
const INSTALLED = ['rxjs', 'zod', '@types/node', 'undici-types']

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmitOnError: true,
    outDir: 'built',
  },
}

const STRATEGY = `
import { Decimal, defineStrategy, InputError, sma, type MarketTrade, type OwnOrder } from 'papertape'
import { map, of, pairwise, toArray } from 'rxjs'
import { z } from 'zod'

const SPREAD = new Decimal('0.1').plus('0.2')

const strategy = defineStrategy({
  name: 'consumer',
  params: z.object({ symbol: z.string(), qty: z.string().default('1') }),
  run: ({ params: { symbol, qty }, trades, buyLimit }) => {
    // @ts-expect-error -- params have the types of their schema
    const wrong: number = qty
    return trades(symbol).pipe(
      pairwise(),
      map(([before, trade]) => buyLimit(symbol, Decimal.min(before.price, trade.price).minus(SPREAD), wrong)),
    )
  },
})
// @ts-expect-error -- an exact price is no double
const price = (trade: MarketTrade): number => trade.price
// @ts-expect-error -- the price of a market order is undefined
const limit = (order: OwnOrder): Decimal => order.price

const told = (run: () => unknown): string => {
  try {
    return String(run())
  } catch (error) {
    return error instanceof InputError ? error.where : String(error).slice(0, 27)
  }
}
console.log(strategy.name, strategy.params.parse({ symbol: 'A_B' }).qty, SPREAD instanceof Decimal, \`\${SPREAD}\`)
of(1, 2, 6).pipe(sma(2), toArray()).subscribe((means) => console.log(means.join(' ')))
console.log(told(() => sma(0)), 'and', told(() => SPREAD > SPREAD))
`

const MODEL = `
import { TapeLiquidity, TradeEstimates, type LiquidityFactory, type Side } from 'papertape/liquidity'

class Crowded extends TapeLiquidity {
  override queueAhead(side: Side, price: number): number {
    return super.queueAhead(side, price) + 7
  }
}
const create: LiquidityFactory = ({ spread, terms }) => new Crowded(new TradeEstimates(spread), terms)
// @ts-expect-error -- a factory is told of its market
const untold = () => create()

const terms = { queueSize: 1, levelSize: 2, staleAfterMs: 60_000 }
// Terms and estimates under their former names.
const former = { spread: 2, clip: 7, step: 4, learn: () => undefined, gap: () => undefined }
console.log(new TapeLiquidity(former, { queueClips: 2, depthClips: 2, staleAfterMs: 60_000 }).estimates.averageTrade)
const model = create({ symbol: 'A_B', spread: 2, terms })
model.learn({ time: 0, price: 100, qty: 5, isBuyerMaker: true })
const taking = { side: 'BUY', qty: 12, time: 1, ownBest: undefined, queued: [] } as const
console.log(JSON.stringify([model.quote, model.ladder(taking), model.queueAhead('BUY', 101), model.queueAhead('BUY', 100)]))
`

const EMULATOR = `
import { InputError, startEmulator, type Emulator, type EmulatorOptions } from 'papertape/emulator'

const gold = { symbol: 'GOLD_EUR', pricePrecision: 2, qtyPrecision: 4, takerFeeBps: '10' }
const user = { email: 'a@example.com', credits: { EUR: '1000' }, keys: [{ scopes: ['ORDER_READ', 'ORDER_CREATE'] }] } as const
const options: EmulatorOptions = { port: 0, virtualClock: true, config: { markets: [gold], users: [user], agents: false } }
// @ts-expect-error -- a port is a number
const wrong: EmulatorOptions = { port: '0' }

{
  await using emulator: Emulator = await startEmulator(options)
  // @ts-expect-error -- a time is a number or a Date
  await emulator.advance({ to: '2024-01-01' }).catch(() => undefined)
  using fault = await emulator.fault({ fault: 'delay', route: '*', count: 1 })
  void fault
}
const emulator: Emulator = await startEmulator(options)
const ask = async (path: string, body?: object): Promise<{ status: number; json: unknown }> => {
  const response = await fetch(emulator.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': emulator.users[0]?.keys[0] ?? '' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}
console.log(emulator.hasAgents, emulator.markets.map(({ symbol }) => symbol).join(), JSON.stringify(await ask('/markets')))
const order = { symbol: 'GOLD_EUR', side: 'BUY', type: 'LIMIT', price: '10.50', qty: '2' }
console.log(JSON.stringify(await ask('/orders', order)))
console.log(JSON.stringify(await ask('/orders/open')))
await emulator.close()
console.log(await ask('/markets').then(() => 'answers', () => 'closed'))
const noMarkets = { ...wrong, port: 0, config: { markets: [] } }
await startEmulator(noMarkets).catch((error: unknown) => console.log(error instanceof InputError, String(error)))
`

const CLIENT = `
import { TradingClient, type NewOrder, type PlaceResult } from 'papertape/client'
import { startEmulator } from 'papertape/emulator'

await using emulator = await startEmulator({ port: 0 })
await using client = new TradingClient({ url: emulator.baseUrl, apiKey: emulator.users[0]?.keys[0] })
// @ts-expect-error -- a price is text
const wrong: NewOrder = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: 30000, qty: '0.1' }
const result: PlaceResult = await client.placeOrder({ ...wrong, type: 'LIMIT', price: '30000.00' })
// @ts-expect-error -- only an order that was placed is there
void result.order
console.log(result.type, result.type === 'placed' && result.order.price)
`

const TESTING = `
import { defineStrategy } from 'papertape'
import { fc, someTrades, testStrategy, type ExchangeFault, type StrategyTest } from 'papertape/testing'
import { map, take } from 'rxjs'
import { z } from 'zod'

const strategy = defineStrategy({
  name: 'tested',
  params: z.object({ symbol: z.string() }),
  limits: { position: '1' },
  run: ({ params: { symbol }, trades, buyMarket }) => trades(symbol).pipe(take(1), map(() => buyMarket(symbol, '1'))),
})
const fault: ExchangeFault = { type: 'refuse', request: 1 }
// @ts-expect-error -- a fault strikes a request
const wrong: ExchangeFault = { type: 'refuse' }
const run: StrategyTest = await testStrategy(strategy, { trades: '100 101', faults: [fault] })
console.log(run.story, run.refusals[0]?.code, typeof wrong)
const [tape] = fc.sample(someTrades({ maxRows: 5 }), { seed: 1, numRuns: 1 })
console.log((await testStrategy(strategy, { trades: tape ?? [] })).intents.length)
`

/** The program of docs/emulator.md. */
const DOCUMENTED =
  fenced(readFileSync(join(PROJECT, 'docs/emulator.md'), 'utf8'), 'ts').find((code) =>
    code.includes('startEmulator('),
  ) ?? ''

const ABSENT = `
for (const name of ['papertape/server', 'papertape/dist/index.js', 'papertape/domain/decimal']) {
  await import(name).catch(({ code }: { code: string }) => console.log(code))
}
`

interface PackageJson {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}
const { exports }: PackageJson = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))

const { folder, write } = temporaryFiles()
const run = promisify(execFile)

/** What a program that was compiled prints, line by line. */
async function linesOf(name: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [join(folder, 'built', `${name}.js`)], { cwd: folder })
  return stdout.trimEnd().split('\n')
}

beforeAll(async () => {
  for (const name of INSTALLED) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(PROJECT, 'node_modules', name), link)
  }
  symlinkSync(PROJECT, join(folder, 'node_modules/papertape'))
  write(JSON.stringify({ type: 'module' }), 'package.json')
  write(JSON.stringify(TSCONFIG), 'tsconfig.json')
  write(STRATEGY, 'strategy.ts')
  write(MODEL, 'model.ts')
  write(EMULATOR, 'emulator.ts')
  write(TESTING, 'testing.ts')
  write(CLIENT, 'client.ts')
  write(DOCUMENTED, 'documented.ts')
  write(ABSENT, 'absent.ts')
  // Its words of what does not compile stand on stdout.
  const compiled = run(process.execPath, [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', folder])
  await expect(compiled.catch((error: unknown) => error)).resolves.toMatchObject({ stdout: '' })
})

it('a strategy computes with decimals, uses an indicator, and is told what it does wrong', async () => {
  expect(await linesOf('strategy')).toEqual(['consumer 1 true 0.3', '1.5 4', 'sma and TypeError: a Decimal has no'])
})

it('a liquidity model of one’s own learns from trades and answers', async () => {
  const [former, line = ''] = await linesOf('model')
  expect(former).toBe('7')
  const ladder = [
    { price: 102, qty: 4 },
    { price: 103, qty: 4 },
    { price: 104, qty: 6 },
  ]
  expect(JSON.parse(line)).toEqual([{ bid: 100, ask: 102 }, ladder, 7, 12])
})

it('an emulator lists its markets, takes an order, and ends when it is closed', async () => {
  const [first = '', placed = '', open = '', closed, refused] = await linesOf('emulator')
  const [, hasAgents, symbols, markets = ''] = /^(\w+) (\w+) (.*)$/.exec(first) ?? []
  expect([hasAgents, symbols, closed]).toEqual(['false', 'GOLD_EUR', 'closed'])
  expect(refused).toMatch(/^true InputError: config markets: /)
  expect(JSON.parse(markets)).toMatchObject({
    status: 200,
    json: { data: [{ symbol: 'GOLD_EUR', quoteAsset: 'EUR' }] },
  })
  const order = { symbol: 'GOLD_EUR', status: 'OPEN', price: '10.50', qty: '2.0000', filledQty: '0.0000' }
  expect(JSON.parse(placed)).toMatchObject({ status: 201, json: order })
  expect(JSON.parse(open)).toMatchObject({ status: 200, json: [order] })
})

it('a client trades', async () => {
  expect(await linesOf('client')).toEqual(['placed 30000.00'])
})

it('a strategy is tested in memory, with what fast-check makes up', async () => {
  expect(await linesOf('testing')).toEqual(['0s BUY 1 at market ORDER_REJECTED object', '1'])
})

it('the program of docs/emulator.md does what it is there to show', async () => {
  const [line, ...more] = await linesOf('documented')
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1 pt_/)
  expect(more.join('\n')).toMatch(/symbol: 'BTC_USD'[^]*BTC: { available: '2', locked: '0' }[^]*ok: true/)
  expect(more.at(-1)).toBe(`[] ${Date.UTC(2024, 0, 1)}`)
})

it('nothing else of the package can be imported', async () => {
  expect(new Set(await linesOf('absent'))).toEqual(new Set(['ERR_PACKAGE_PATH_NOT_EXPORTED']))
})

describe('every export', () => {
  it.each(Object.entries(exports))('%s has its files', (_path, files) => {
    const paths = typeof files === 'string' ? [files] : Object.values(files)
    for (const path of paths) expect(readFileSync(join(PROJECT, path), 'utf8')).not.toBe('')
  })
})
