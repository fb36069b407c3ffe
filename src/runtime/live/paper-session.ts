/**
 * A paper session: a backtest on a tape that never ends. The trades of a live market are played into a simulated one as
 * they arrive, and the strategies' orders are filled there.
 *
 * Its time is this machine's: a trade happens when it arrives. Between trades time continues, with timers, latencies
 * and the ends of candles.
 */
import { printFilterModeOf } from '../settings/former-terms.ts'
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { GapListener } from '../../simulation/replay/tape-channel.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'
import type { PreparedBacktest } from '../backtest/prepared-backtest.ts'
import { eachListener, type Member } from '../backtest/backtest.ts'
import { ACCOUNT, type BacktestStage, setStages, type StageAccount } from '../backtest/backtest-stage.ts'
import {
  accountsOf,
  ownerOf,
  Portfolio,
  type PortfolioMember,
  type PortfolioRun,
  type PortfolioTotal,
} from '../backtest/portfolio.ts'
import { SimulatedRun, type BacktestResult, type SimulatedRunOptions } from '../backtest/simulated-run.ts'
import { macrotask } from '../backtest/virtual-world.ts'
import type { PaperState } from './paper-state.ts'
import { PlayedMarket } from './played-market.ts'
import type { LiveLoop } from './live-loop.ts'
import type { AdjustedSession } from './param-changes.ts'
import { OutsideAdapter } from './outside-adapter.ts'
import { startWarm } from './warm-loop.ts'
import type { PastSource, WarmAdapter } from '../session/warm-adapter.ts'
import { warmAdapter } from '../session/warm-start.ts'
import type { StrategyRestart } from '../session/strategy-restart.ts'
import type { ParamValues } from '../strategies/params.ts'

/** A strategy on paper. */
export type PaperMember = PortfolioMember

export interface PaperSessionOptions {
  /** At least one, without tapes; they begin at the time of the loop. All have the markets of the first. */
  readonly members: readonly PaperMember[]
  /** The wallet of several strategies; undefined for one that runs alone. */
  readonly wallet?: Omit<PortfolioRun, 'members' | 'isDrawn'> | undefined
  readonly loop: LiveLoop
  readonly feed: Pick<ExchangeAdapter, 'trades' | 'gaps'>
  /** The feed with its history, which is replayed first if a warm-up is wanted; default: no warm-up. */
  readonly past?: PastSource | undefined
  /** Series of the session by name; default: none. */
  readonly series?: ExchangeAdapter['series']
  /** Continues earlier sessions; default: a new exchange, and nothing is saved. */
  readonly state?: PaperContinuation | undefined
}

/** The saved state of a session. */
export interface PaperContinuation {
  readonly state: PaperState
  /** Accounts of strategies that do not run. */
  readonly absent: readonly StageAccount[]
  /** True if the exchange of the state has the balances of all accounts, so that none gets a credit. */
  readonly isCredited: boolean
  readonly onWarning: (text: string) => void
}

/** Results of the strategies, in their order, and of their wallet. */
export interface PaperResult {
  readonly results: readonly BacktestResult[]
  readonly total: PortfolioTotal | undefined
}

/** A strategy that does not run, and its account. */
export interface AbsentOwner {
  readonly owner: string
  readonly adapter: ExchangeAdapter
}

/** Options of the run of one strategy. */
type OwnOptions = Pick<SimulatedRunOptions, 'sessionTurn' | 'hooks'>

export class PaperSession {
  readonly options: PaperSessionOptions
  readonly members: readonly [Member, ...Member[]]
  /** Undefined for a strategy that runs alone. */
  readonly #portfolio: Portfolio | undefined
  readonly #markets: readonly PlayedMarket[]
  readonly #subscription = new Subscription()
  readonly #warm = new Map<string, WarmAdapter>()
  readonly #failed = new Set<string>()
  /** Parameters that an operator changed, by strategy. */
  readonly #params = new Map<string, ParamValues>()
  /** Unix milliseconds at which the strategies started; undefined before. */
  begunAt: number | undefined
  #absent: readonly AbsentOwner[] = []
  /** Number of played trades. */
  rows = 0

  constructor(options: PaperSessionOptions) {
    const { members, wallet, loop } = options
    const { turn, queue } = loop
    this.options = options
    const [first] = members
    invariant(first !== undefined, 'a session has a strategy')
    const stages = this.#stages(first.prepared)
    const world = { turn, queue, isOpenEnded: true }
    const ownOf = (name: string): OwnOptions => this.#ownOf(name)
    if (wallet === undefined) {
      const run = new SimulatedRun({ ...first, ...world, ...ownOf(first.name), stage: stages[0] })
      this.members = [{ prepared: first.prepared, run }]
    } else {
      this.#portfolio = new Portfolio({ members, isDrawn: true, ...wallet }, stages, { ...world, ownOf })
      this.members = this.#portfolio.members
    }
    this.#markets = first.prepared.markets.map((market) => this.#playedMarket(market))
  }

  /** The stages of the strategies, in their order, and of everything else that belongs to the wallet. */
  #stages(prepared: PreparedBacktest): readonly BacktestStage[] {
    const { members, wallet, loop, state, series } = this.options
    const named = accountsOf(members, wallet?.reserve ?? new Map<string, bigint>())
    const accounts = [...named, ...(state?.absent ?? [])].map(({ account, credit }) => ({
      account,
      credit: state?.isCredited === true ? new Map<string, bigint>() : credit,
    }))
    // Alone and without a state, its account has the name that it has in a backtest.
    const isPlain = wallet === undefined && state === undefined
    const asked = isPlain ? [{ account: ACCOUNT, credit: prepared.credit }] : accounts
    const stages = setStages(prepared, loop.queue, asked, state?.state.stage)
    this.#absent = stages.flatMap(({ account, adapter }) => {
      const owner = ownerOf(account)
      return owner === undefined || members.some(({ name }) => name === owner) ? [] : [{ owner, adapter }]
    })
    // The service behind a paper session publishes no order book.
    for (const { adapter } of stages) {
      adapter.books = undefined
      adapter.series = series
    }
    const owners = members.map(({ name }) => name)
    state?.state.begin(new Map(stages.map(({ account, adapter }) => [account, adapter])), owners)
    return stages
  }

  #ownOf(name: string): OwnOptions {
    const { members, loop, state, past } = this.options
    const { prepared } = this.#member(name)
    const isAsync = members.some((member) => member.prepared.loaded.strategy.async === true)
    const isWarming = (): boolean => this.#warm.get(name)?.isWarming === true
    const adapterOf = (adapter: ExchangeAdapter): ExchangeAdapter => this.#warmed(name, adapter)
    const stores = state?.state.storesOf(name, state.onWarning)
    return {
      sessionTurn: isAsync ? loop.promiseTurn() : loop.turn,
      hooks: { ...(past !== undefined && { isWarming }), ...(this.#wantsPast(prepared) && { adapterOf }), stores },
    }
  }

  #member(name: string): PaperMember {
    const member = this.options.members.find((each) => each.name === name)
    invariant(member !== undefined, `no strategy '${name}'`)
    return member
  }

  /** Whether strategies receive series: at least one runs, and none is warming up. */
  get isListening(): boolean {
    const running = this.options.members.filter((_, index) => this.members[index]?.run.session.failure === undefined)
    return running.length > 0 && running.every(({ name }) => this.#warm.get(name)?.isWarming !== true)
  }

  /** True if every strategy has failed, and of several no order is open any more. */
  get isOver(): boolean {
    return this.members.every(({ run: { session, stage } }) => {
      const isCancelled = this.#portfolio === undefined || stage.adapter.openOrders().length === 0
      return session.failure !== undefined && isCancelled
    })
  }

  /** Cancels the orders of failed strategies while others go on. @returns failures since the last call */
  look(): readonly { readonly name: string; readonly message: string }[] {
    const portfolio = this.#portfolio
    const failed = this.members.flatMap(({ run }, index) => {
      const [name = '', message] = [this.options.members[index]?.name, run.session.failure?.message]
      return message === undefined ? [] : [{ name, message }]
    })
    if (portfolio !== undefined && failed.length > 0) {
      this.options.loop.enter(() => {
        portfolio.cancelFailed()
      })
    }
    const fresh = failed.filter(({ name }) => !this.#failed.has(name))
    for (const { name } of fresh) this.#failed.add(name)
    return fresh
  }

  /** Strategies that have not failed, for changes of their parameters. */
  adjusted(): readonly AdjustedSession[] {
    return this.members.flatMap(({ prepared: { loaded, markets, ...prepared }, run }, index) => {
      const owner = this.options.members[index]?.name ?? ''
      const params = this.#params.get(owner) ?? prepared.params
      const restart: AdjustedSession['restart'] = (next, changed, begin) => {
        this.#restart(owner, run, { params: next, changed }, begin)
      }
      const symbols = markets.map(({ symbol }) => symbol)
      return run.session.failure === undefined ? [{ owner, strategy: loaded.strategy, params, symbols, restart }] : []
    })
  }

  #restart(owner: string, { session, stage }: SimulatedRun, change: StrategyRestart, begin: () => void): void {
    const earlier = this.#warm.get(owner)
    const adapter = earlier && this.#warmed(owner, stage.adapter)
    try {
      session.restart({ ...change, adapter }, begin)
    } catch (error) {
      if (earlier !== undefined) this.#warm.set(owner, earlier)
      throw error
    }
    this.#params.set(owner, change.params)
    startWarm(this.#warm.get(owner), this.options.loop, () => {
      session.endWarmUp()
    })
  }

  /** Strategies of the state that do not run. */
  get absent(): readonly AbsentOwner[] {
    return this.#absent
  }

  /**
   * Trains the crowd of a market on past trades, so that its spread and its trade clusters are known from the start.
   * Call before `start`.
   */
  warmUp(symbol: string, oldestFirst: readonly WireTrade[]): void {
    this.#marketOf(symbol).learn(oldestFirst, this.options.loop.queue.now())
  }

  /**
   * Starts the strategies, none if one cannot, as an event of the loop, and plays the trades that arrive from then on.
   * @throws {InputError}
   */
  start(): void {
    const { loop, feed } = this.options
    loop.enterOrThrow(() => {
      this.begunAt = loop.now()
      for (const { run } of this.members) run.session.prepare()
      for (const [index, { run }] of this.members.entries()) {
        run.session.begin()
        startWarm(this.#warm.get(this.options.members[index]?.name ?? ''), loop, () => {
          run.session.endWarmUp()
        })
      }
    })
    for (const played of this.#markets) {
      const following = played.follow(feed, {
        enter: (play) => {
          play(loop.queue.now())
        },
        onGap: this.#onGap,
        onPlayed: () => void (this.rows += 1),
      })
      this.#subscription.add(following)
    }
  }

  /** Ends it, once, and stops the loop. */
  async end(): Promise<PaperResult> {
    const { loop } = this.options
    const [{ prepared, run: first }] = this.members
    const { adapter } = first.stage
    this.#subscription.unsubscribe()
    // Events that are due by now run before the end.
    loop.enter(() => undefined)
    await macrotask()
    const end = loop.now()
    for (const { run } of this.members) await run.stop()
    loop.stop()
    this.#drain(adapter.now() + prepared.settings.responseLatencyMs)
    this.options.state?.state.save()
    const prints = new Map(this.#markets.map(({ symbol, channel: { printFilter } }) => [symbol, printFilter]))
    const to = Math.max(end, adapter.now())
    const results = this.members.map(({ run }) => run.finish(prints, to))
    return { results, total: this.#portfolio?.finish(to) }
  }

  #wantsPast({ settings, loaded: { strategy } }: PreparedBacktest): boolean {
    const { warmup = {} } = strategy
    return this.options.past !== undefined && (settings.warmupMs !== null || Object.keys(warmup).length > 0)
  }

  /** Candles then come from the service, which has complete ones. */
  #warmed(name: string, adapter: ExchangeAdapter): ExchangeAdapter {
    const { past: source, loop } = this.options
    const { prepared, outside } = this.#member(name)
    if (source === undefined) return adapter
    const warm = warmAdapter({
      adapter,
      source,
      strategy: prepared.loaded.strategy,
      warmupMs: prepared.settings.warmupMs,
      enter: (action) => {
        loop.enter(action)
      },
      log: (message) => {
        outside.onLog(loop.now(), message)
      },
    })
    if (warm === undefined) return adapter
    this.#warm.set(name, warm)
    return new OutsideAdapter(warm, loop.turn)
  }

  /** Delivers answers to requests that have arrived. */
  #drain(end: number): void {
    const { queue, turn } = this.options.loop
    turn.inside(() => {
      while (queue.nextTime <= end) queue.runNext()
    })
  }

  readonly #onGap: GapListener = (gap) => {
    for (const { run } of this.members) run.onGap(gap)
  }

  #playedMarket({ symbol }: MarketConfig): PlayedMarket {
    const [{ prepared, run }] = this.members
    const { settings, liquiditySetups } = prepared
    const setup = liquiditySetups.get(symbol)
    invariant(setup !== undefined, `no liquidity for ${symbol}`)
    return new PlayedMarket({
      simulated: run.stage.simulated,
      setup,
      filterMode: printFilterModeOf(settings),
      listener: eachListener([
        ...this.members.map((member) => member.run.listenerOf(symbol)),
        ...(this.#portfolio === undefined ? [] : [this.#portfolio.listenerOf(symbol)]),
      ]),
    })
  }

  #marketOf(symbol: string): PlayedMarket {
    const played = this.#markets.find((each) => each.symbol === symbol)
    invariant(played !== undefined, `no market '${symbol}'`)
    return played
  }
}
