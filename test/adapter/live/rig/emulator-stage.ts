/**
 * A live adapter before an emulator over real sockets, both in lock-step on the emulator's virtual clock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExchangeAdapter } from '../../../../src/adapter/exchange-adapter.ts'
import { openLiveAccount, type OpenedAccount } from '../../../../src/adapter/live/open-live-account.ts'
import type { RestRequest, RestTransport } from '../../../../src/adapter/live/rest/rest-transport.ts'
import { UndiciTransport } from '../../../../src/adapter/live/rest/undici-transport.ts'
import type { Market, MarketConfig } from '../../../../src/domain/market.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import type { RateLimits } from '../../../../src/domain/rate-window.ts'
import type { AnsweredRequest } from '../../../../src/server/http/answered-request.ts'
import { toDecimal } from '../../../../src/domain/decimal.ts'
import { formatUnits } from '../../../../src/domain/fixed-point.ts'
import { HeldTransport, Lockstep, LockstepTime } from '../../../../src/runtime/parity/lockstep.ts'
import { startEmulator, type Emulator } from '../../../../src/server/emulator/emulator.ts'
import type { OwnBalances } from '../../../../src/strategy/own-order.ts'
import { CONTRACT_CREDITS, CONTRACT_MARKETS, type ContractStage } from '../../../contract/adapter/contract-stage.ts'
import { ask } from '../../../server/rig/emulator-caller.ts'
import { seededRandom } from '../../../../src/runtime/strategies/seeded-random.ts'

const START = Date.UTC(2024, 0, 1)
const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL'] as const
const LIMITS = { general: 1_000_000, mutations: 100_000, windowSeconds: 60 }
const PLENTY = '1000000000'

export interface EmulatorStage extends ContractStage {
  readonly emulator: Emulator
  readonly opened: OpenedAccount
  readonly lockstep: Lockstep
  readonly warnings: readonly string[]
  readonly apiKey: string
  readonly others: readonly ExchangeAdapter[]
  plan(fault: object): Promise<void>
}

const userOf = (email: string, credits: Readonly<Record<string, string>>) => ({
  email,
  verified: true,
  credits,
  keys: [{ scopes: [...SCOPES] }],
})

export interface EmulatorStageOptions {
  readonly settleMs?: number
  /** Base URL by which the adapter reaches the service; the test itself is not led by it. */
  readonly reachedBy?: (baseUrl: string) => Promise<string>
  /** Those of the service and of the adapter. Default: more than can be used. */
  readonly limits?: RateLimits
  /** Strategies of the key beside the first one. */
  readonly others?: readonly string[]
  readonly onAnswer?: (answer: AnsweredRequest) => void
  readonly onRequest?: (request: RestRequest, now: number) => void
}

export async function openEmulatorStage({
  settleMs = 1,
  reachedBy = (baseUrl) => Promise.resolve(baseUrl),
  limits = LIMITS,
  others: otherOwners = [],
  onAnswer = () => undefined,
  onRequest = () => undefined,
}: EmulatorStageOptions = {}): Promise<EmulatorStage> {
  const directory = mkdtempSync(join(tmpdir(), 'papertape-live-'))
  const emulator = await startEmulator({
    virtualClock: true,
    start: START,
    config: {
      quoteAsset: 'USD',
      markets: CONTRACT_MARKETS.map(({ symbol, pricePrecision, qtyPrecision, makerFeeBps, takerFeeBps, selfTrade }) => {
        return { symbol, pricePrecision, qtyPrecision, makerFeeBps, takerFeeBps, selfTrade }
      }),
      users: [
        userOf('me@example.com', CONTRACT_CREDITS),
        userOf('other@example.com', { USD: PLENTY, BTC: PLENTY, ETH: PLENTY }),
      ],
      limits,
      agents: false,
    },
    onAnswer,
  })
  const [apiKey = '', otherKey = ''] = emulator.users.flatMap(({ keys }) => keys)
  const time = new LockstepTime(START)
  const url = await reachedBy(emulator.baseUrl)
  const transport = new HeldTransport(new UndiciTransport({ url, apiKey }))
  const reported: RestTransport = {
    send: (request) => {
      onRequest(request, time.now())
      return transport.send(request)
    },
    close: () => transport.close(),
  }
  const stream: { flushed: () => Promise<void> } = { flushed: () => Promise.resolve() }
  const lockstep = new Lockstep({
    time,
    transport,
    flushed: () => stream.flushed(),
    pause: () => pause(1),
    advance: async (ms) => {
      await ask(emulator, '/emulator/clock', { body: { advanceMs: ms } })
    },
  })
  const warnings: string[] = []
  const errors: unknown[] = []
  const opened = await lockstep.until(
    openLiveAccount({
      url,
      apiKey,
      time,
      transport: reported,
      session: 'test',
      limits,
      timeoutMs: 10_000,
      state: directory,
      settleMs: 30_000,
      uniqueQty: false,
      random: seededRandom(1),
      fees: (symbol) => marketOf(symbol),
      marketData: { closeAfterMs: 0 },
      onWarning: (text) => warnings.push(text),
      onError: (error) => errors.push(error),
    }),
  )
  stream.flushed = () => opened.stream.flushed()
  const adapter = opened.account.exchangeOf('test', 'wait')
  const others = otherOwners.map((owner) => opened.account.exchangeOf(owner, 'wait'))
  await lockstep.until(opened.account.begin(CONTRACT_MARKETS.map(({ symbol }) => symbol)))
  return {
    adapter,
    settleMs,
    unknownMs: 40_000,
    emulator,
    opened,
    lockstep,
    warnings,
    apiKey,
    others,
    pass: async (ms) => {
      await lockstep.passTo(time.now() + ms)
      if (errors.length > 0) throw errors[0] as Error
    },
    otherPlaces: async (request) => {
      await ask(emulator, '/orders', { key: otherKey, body: bodyOf(request) })
      await lockstep.settle()
    },
    atExchange: async () => {
      // The test itself has to see.
      await ask(emulator, '/emulator/faults', { method: 'DELETE' })
      return {
        balances: balancesOf((await ask<BalancesJson>(emulator, '/balances', { key: apiKey })).json),
        openOrderIds: (await ask<{ id: string }[]>(emulator, '/orders/open', { key: apiKey })).json.map(({ id }) => id),
      }
    },
    plan: async (fault) => {
      await ask(emulator, '/emulator/faults', { body: fault })
    },
    close: async () => {
      await Promise.all([opened.account.close(), emulator.close()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function marketOf(symbol: string): MarketConfig {
  const found = CONTRACT_MARKETS.find((market) => market.symbol === symbol)
  if (found === undefined) throw new Error(`no market ${symbol}`)
  return found
}

function bodyOf(request: OrderRequest): object {
  const market: Market = marketOf(request.symbol)
  const qty = formatUnits(request.qty, market.qtyPrecision)
  return request.type === 'LIMIT'
    ? { ...request, price: formatUnits(request.price, market.pricePrecision), qty }
    : { ...request, qty }
}

type BalancesJson = Readonly<Record<string, { readonly available: string; readonly locked: string }>>

const balancesOf = (json: BalancesJson): OwnBalances =>
  new Map(
    Object.entries(json).map(([asset, { available, locked }]) => [
      asset,
      { available: toDecimal(available), locked: toDecimal(locked) },
    ]),
  )
