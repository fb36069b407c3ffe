/**
 * An account of a service that is an exchange in this process, on the queue of the loop that it is given, and a machine
 * whose clocks a test moves.
 */
import { SimulatedExchange } from '../../../src/adapter/simulated/simulated-exchange.ts'
import type { ExchangeError } from '../../../src/domain/errors.ts'
import type { OrderRequest } from '../../../src/domain/order.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { macrotask } from '../../../src/runtime/backtest/virtual-world.ts'
import { LiveLoop } from '../../../src/runtime/live/live-loop.ts'
import type { TradingAccount } from '../../../src/runtime/live/trading-account.ts'
import type { LiveOptions, LiveParts, LiveResult, AccountOpening } from '../../../src/run/live-options.ts'
import { runLive } from '../../../src/run/run-live.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import type { ExchangeAdapter } from '../../../src/adapter/exchange-adapter.ts'
import type { MarketView } from '../../../src/strategy/market-view.ts'
import { KEEP_ALL, market } from '../../exchange/rig/configs.ts'
import { FakeClocks } from '../../runtime/live/rig/fake-clocks.ts'

const MARKETS = [market('BTC_USD'), market('ETH_USD')]
const NO_LATENCY = { orderMs: 10, responseMs: 10, feedMs: 0 }

export interface StageOptions {
  /** Default: both. */
  readonly symbols?: readonly string[]
  /** Keeps `begin` from working. */
  readonly beginFault?: ExchangeError
  /** Keeps `begin` waiting. */
  readonly begun?: Promise<void>
  readonly absentOwners?: readonly string[]
  readonly operators?: TradingAccount['operators']
  /** A request leaves. */
  readonly onRequest?: () => void
  /** A cancel is answered and does nothing. */
  readonly ignoresCancels?: boolean
  /** An order creation of this owner stays without an outcome. */
  readonly unsettledOwner?: string
}

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never
type OtherRequest = Without<OrderRequest, 'symbol'>

export class LiveStage {
  readonly clocks = new FakeClocks(Date.UTC(2026, 0, 2))
  readonly happened: string[] = []
  readonly adapters = new Map<string, SimulatedExchange>()
  opening: AccountOpening | undefined
  #simulated: SimulatedMarkets | undefined
  #loop: LiveLoop | undefined
  readonly #options: StageOptions

  constructor(options: StageOptions = {}) {
    this.#options = options
  }

  /** What `runLive` is reported beside its options. */
  parts(dataDirectory: string): LiveParts {
    const openAccount = (opening: AccountOpening): Promise<TradingAccount> => Promise.resolve(this.#open(opening))
    return { clocks: this.clocks, openAccount, dataDirectory, session: 'session-1' }
  }

  /** Another participant places an order, in a turn of the loop. */
  other(request: OtherRequest, symbol = 'BTC_USD'): void {
    this.#loop?.enter(() => {
      const time = this.#loop?.now() ?? 0
      this.#simulated?.execute({
        type: 'place',
        time,
        account: 'other',
        request: { ...request, symbol },
      })
    })
  }

  /** Time passes, and promises with it. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      await macrotask()
      this.clocks.pass(10)
    }
    await macrotask()
  }

  /** Runs until `script` is through and the sessions have ended after it. */
  async run(
    options: Omit<LiveOptions, 'url' | 'apiKey' | 'signal'>,
    folder: string,
    script: (stage: LiveStage) => Promise<void>,
  ): Promise<LiveResult> {
    const end = new AbortController()
    const asked = { ...options, url: 'http://127.0.0.1:1/v1', apiKey: 'pt_secret', signal: end.signal }
    const ended = { is: false }
    const run = runLive(asked, this.parts(folder)).finally(() => {
      ended.is = true
    })
    run.catch(() => undefined)
    await this.pass(50)
    await script(this)
    end.abort()
    for (let waited = 0; waited < 100_000 && !ended.is; waited += 100) await this.pass(100)
    return run
  }

  #open(opening: AccountOpening): TradingAccount {
    this.opening = opening
    if (!(opening.time instanceof LiveLoop)) throw new Error('a live process has a loop')
    const loop = opening.time
    this.#loop = loop
    const { symbols, beginFault, absentOwners = [], ignoresCancels = false, onRequest, unsettledOwner } = this.#options
    const markets = MARKETS.filter(({ symbol }) => symbols === undefined || symbols.includes(symbol))
    const exchange = createExchange({ markets, quoteAsset: 'USD', history: KEEP_ALL })
    const simulated = new SimulatedMarkets(exchange, loop.queue, () => new IdealLiquidity())
    this.#simulated = simulated
    const credit = (account: string): void => {
      for (const asset of ['USD', 'BTC', 'ETH']) {
        const isKnown = asset === 'USD' || markets.some(({ baseAsset }) => baseAsset === asset)
        if (isKnown) simulated.execute({ type: 'credit', time: loop.now(), account, asset, amount: 1_000_000n })
      }
    }
    credit('other')
    const exchangeOf = (owner: string): ExchangeAdapter => {
      credit(owner)
      const adapter = new SimulatedExchange(simulated, { account: owner, latency: NO_LATENCY, limits: undefined })
      const place = adapter.place.bind(adapter)
      const cancel = adapter.cancel.bind(adapter)
      adapter.place = (...args) => {
        onRequest?.()
        place(...args)
      }
      adapter.cancel = (...args) => {
        onRequest?.()
        cancel(...args)
      }
      if (ignoresCancels) {
        adapter.cancel = (_, reply) => {
          loop.after(10, () => {
            reply({ type: 'unknown', reason: 'no answer' })
          })
        }
      }
      this.adapters.set(owner, adapter)
      return adapter
    }
    const say = (what: string): Promise<void> => {
      this.happened.push(what)
      return Promise.resolve()
    }
    return {
      get markets(): readonly MarketView[] {
        return new SimulatedExchange(simulated, { account: 'other', latency: NO_LATENCY, limits: undefined }).markets
      },
      exchangeOf,
      begin: async (asked) => {
        await say(`begin ${asked.join(',')}`)
        if (beginFault !== undefined) throw beginFault
        await this.#options.begun
      },
      dropWaiting: (owner) => {
        this.happened.push(`dropped ${owner}`)
      },
      tryHeld: () => () => undefined,
      cancelsHeldForMs: () => 0,
      undecided: (owner) => (owner === unsettledOwner ? ['intent 1'] : []),
      settled: async () => {
        await say('settled')
        if (unsettledOwner !== undefined) await new Promise(() => undefined)
      },
      audited: () => say('audited'),
      openOrderIds: (owner) => exchange.openOrders(owner).map(({ id }) => String(id)),
      absentOwners,
      look: () => void this.happened.push('look'),
      blockedMarkets: () => [],
      operators: this.#options.operators,
      close: () => say('closed'),
    }
  }
}
