import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { EmulatorOptions } from '../../../src/server/emulator/emulator-options.ts'
import { planEmulator } from '../../../src/server/emulator/emulator-plan.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { write } = temporaryFiles()
const tape = write('time,price,qty\n1000,3.5,1\n2000,4.25,0.5\n')
const candles = write('time,open,high,low,close,volume\n60,1,2,1,2,3\n120,2,2,2,2,1\n', 'candles.csv')
const REPLAY = [{ file: tape, symbol: 'BTC_USD' }]
const MARKET = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 3 }
const USER = { email: 'a@example.com' }

const refusal = async (options: EmulatorOptions): Promise<string> => {
  const error: unknown = await planEmulator({ configName: 'emulator.json', ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof InputError ? error.message : `not an InputError: ${String(error)}`
}

describe('what makes no sense together', () => {
  it.each<[message: string, options: EmulatorOptions]>([
    ['speed: needs replay', { speed: 10 }],
    [
      `replay: expected a tape of trades, got candles in ${candles}: orders can be filled only between single trades`,
      { replay: [...REPLAY, { file: candles, symbol: 'ETH_USD' }] },
    ],
    ['speed: cannot be combined with virtualClock', { speed: 'max', replay: REPLAY, virtualClock: true }],
    ['start: needs virtualClock', { start: 0 }],
    ['host: 0.0.0.0 can be reached from other machines', { host: '0.0.0.0' }],
    ['virtualClock: cannot be combined with the address ::', { host: '::', adminToken: 'x', virtualClock: true }],
    ['emulator.json agents: must be false with replay', { config: { agents: true }, replay: REPLAY }],
    ['seed: has no effect without agents or virtualClock', { config: { agents: false }, seed: 1 }],
    ['seed: has no effect without agents', { replay: REPLAY, seed: 1 }],
    ['emulator.json agents: must be false with mirror', { config: { agents: true }, mirror: 'http://127.0.0.1:1/v1' }],
    ['mirror: cannot be combined with replay: a live', { replay: REPLAY, mirror: 'http://127.0.0.1:1/v1' }],
    ['mirror: cannot be combined with virtualClock: ', { virtualClock: true, mirror: 'http://127.0.0.1:1/v1' }],
    ['mirror: expected an http or https URL', { mirror: 'tapes' }],
  ])('%s', async (message, options) => {
    expect(await refusal(options)).toContain(message)
  })
})

describe('an option that is not of its form', () => {
  it.each<[message: string, options: EmulatorOptions]>([
    ['port: Too big: expected number to be <=65535', { port: 65_536 }],
    ['port: Invalid input: expected int', { port: 0.5 }],
    ['cors: expected an origin such as http://localhost:3000, or *', { cors: 'localhost:3000' }],
    ['cors: expected an origin such as http://localhost:3000, or *', { cors: 'http://localhost:3000/' }],
    ['adminToken: expected printable ASCII characters without spaces', { adminToken: 'a b' }],
    ['start: Too small', { start: -1, virtualClock: true }],
    ['seed: Too big', { seed: 2 ** 31 }],
  ])('%s', async (message, options) => {
    expect(await refusal(options)).toContain(message)
  })
})

describe('a config that is not one', () => {
  it.each<[message: string, config: unknown]>([
    ['emulator.json: Invalid input: expected object, received array', []],
    ['emulator.json market: unknown field', { market: [] }],
    ['emulator.json users.0.scopes: unknown field', { users: [{ ...USER, scopes: [] }] }],
    [
      'emulator.json users.0.keys.1.scope: unknown field',
      { users: [{ ...USER, keys: [{ scopes: ['ORDER_READ'] }, { scopes: ['ORDER_READ'], scope: 1 }] }] },
    ],
    ['emulator.json users.0.keys.0.scopes.0: Invalid option', { users: [{ ...USER, keys: [{ scopes: ['ALL'] }] }] }],
    ['emulator.json users.0.email: Invalid email', { users: [{ email: 'a' }] }],
    ['emulator.json users.1.email: a@example.com is listed twice', { users: [USER, USER] }],
    [
      'emulator.json users.1.email: A@Example.com is listed twice',
      { users: [USER, { ...USER, email: 'A@Example.com' }] },
    ],
    [
      'emulator.json users.0.credits.__proto__: unknown field',
      { users: [{ ...USER, credits: JSON.parse('{"__proto__":"1"}') as object }] },
    ],
    ['emulator.json __proto__: unknown field', JSON.parse('{"__proto__":{}}') as object],
    ['emulator.json users.0.credits.EUR: no market has the asset', { users: [{ ...USER, credits: { EUR: '1' } }] }],
    [
      'emulator.json users.0.credits.USD: expected an amount of 0 or more',
      { users: [{ ...USER, credits: { USD: '-1' } }] },
    ],
    [
      'emulator.json users.0.credits.USD: Invalid input: expected string',
      { users: [{ ...USER, credits: { USD: 1 } }] },
    ],
    ['emulator.json markets: Too small', { markets: [] }],
    [
      'emulator.json markets.0.symbol: expected a symbol of the form BASE_QUOTE',
      { markets: [{ ...MARKET, symbol: 'BTC' }] },
    ],
    [
      "emulator.json markets.0.baseAsset: expected 'BTC' as in BTC_USD, got 'ETH'",
      { markets: [{ ...MARKET, baseAsset: 'ETH' }] },
    ],
    ['emulator.json markets.0.qtyPrecision: Too big', { markets: [{ ...MARKET, qtyPrecision: 13 }] }],
    ['emulator.json: markets: BTC_USD is there twice', { markets: [MARKET, MARKET] }],
    ['emulator.json: BTC_USD takerFeeBps: expected basis points', { markets: [{ ...MARKET, takerFeeBps: '10001' }] }],
    ["emulator.json: quoteAsset: no market has the asset 'EUR'", { quoteAsset: 'EUR' }],
    ['emulator.json limits.general: Too small', { limits: { general: 0, mutations: 1, windowSeconds: 60 } }],
  ])('%s', async (message, config) => {
    expect(await refusal({ config: config as NonNullable<EmulatorOptions['config']> })).toContain(message)
  })
})

it('limits that are left out are those of the service', async () => {
  const { limits } = await planEmulator({ config: { limits: { windowSeconds: 30 } } })
  expect(limits).toEqual({ general: 600, mutations: 30, windowSeconds: 30 })
})

describe('a tape', () => {
  it('makes its market, with the precisions that it needs', async () => {
    const { exchange, hasAgents } = await planEmulator({ replay: REPLAY })
    expect(exchange).toMatchObject({
      quoteAsset: 'USD',
      markets: [{ symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 1 }],
    })
    expect(exchange.markets).toHaveLength(1)
    expect(hasAgents).toBe(false)
  })

  it('trades in the market of the config that has its symbol, beside others', async () => {
    const markets = [
      { ...MARKET, symbol: 'ETH_USD' },
      { ...MARKET, takerFeeBps: '5' },
    ]
    const { exchange, replay } = await planEmulator({ replay: REPLAY, config: { markets } })
    expect(exchange.markets.map(({ symbol }) => symbol)).toEqual(['ETH_USD', 'BTC_USD'])
    expect(replay?.tapes.map(({ tape: { info } }) => [info.pricePrecision, info.qtyPrecision])).toEqual([[2, 3]])
  })

  it.each<[message: string, options: EmulatorOptions]>([
    [
      "the config has no market 'BTC_USD': add it, or use one of ETH_USD",
      { config: { markets: [{ ...MARKET, symbol: 'ETH_USD' }] } },
    ],
    ['expected 2 to 12 decimals of the price, got 1', { config: { markets: [{ ...MARKET, pricePrecision: 1 }] } }],
  ])('is refused: %s', async (message, options) => {
    expect(await refusal({ replay: REPLAY, ...options })).toContain(message)
  })
})
