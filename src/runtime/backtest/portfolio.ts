/**
 * A backtest of several strategies on one wallet.
 *
 * Purpose: plays the tapes once, to a session for each strategy, on one exchange and through one rate budget.
 * Invariants: each strategy has an account of its own on the exchange, so it cannot spend what another has, and the
 * accounts add up to the wallet to the last digit. A strategy alone gives the same journal as a plain backtest.
 * Known limitations: orders of two strategies that meet trade with each other, as orders of one key do at the service.
 * A strategy that fails stops alone: its orders are cancelled, and its holdings stay.
 */
import type { RoundTrip } from '../../analysis/round-trip.ts'
import type { AuditLine } from '../../domain/audit.ts'
import type { Balances } from '../../domain/balances.ts'
import { invariant } from '../../domain/errors.ts'
import { RateBudget } from '../../domain/rate-window.ts'
import { without } from '../../domain/without.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import type { RecordedListener } from '../../simulation/replay/tape-channel.ts'
import { AccountFigures, type TradedFigures } from '../figures/account-figures.ts'
import { type LoggedSink, outsideSink } from '../figures/outside-sink.ts'
import { RunRecord } from '../figures/run-record.ts'
import { heartbeat, watchedWork } from '../heartbeat.ts'
import type { RiskStore } from '../session/risk/risk-store.ts'
import { WalletRisk } from '../session/risk/wallet-risk.ts'
import { Turn } from '../session/turn.ts'
import type { RebalanceTerms } from '../settings/rebalance-terms.ts'
import type { RiskLimits } from '../settings/risk-limits.ts'
import type { OwnBalance, OwnBalances } from '../../strategy/own-order.ts'
import { accountFills } from './account-fills.ts'
import { playTogether, type Member } from './backtest.ts'
import { ACCOUNT, type BacktestStage, setStages, type StageAccount } from './backtest-stage.ts'
import { sinceStart, watchMarks } from './market-marks.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import { Rebalancing } from './rebalancing.ts'
import {
  accountSetup,
  type BacktestResult,
  SimulatedRun,
  type SimulatedRunListener,
  type SimulatedRunOptions,
} from './simulated-run.ts'
import { simulatedWallet, type TransferStore } from './simulated-wallet.ts'

/** A strategy of a portfolio. */
export interface PortfolioMember {
  readonly name: string
  /** Its credit is its capital. All members have the markets, tapes and span of the first. */
  readonly prepared: PreparedBacktest
  readonly outside: SimulatedRunListener
}

export interface PortfolioRun {
  /** At least one. */
  readonly members: readonly PortfolioMember[]
  /** Credit that no strategy has, ledger units by asset. */
  readonly reserve: ReadonlyMap<string, bigint>
  /** Limits of all strategies together; default: none. */
  readonly risk?: RiskLimits | undefined
  /** When and how capital moves between the strategies; default: never. */
  readonly rebalance?: RebalanceTerms | undefined
  /** Persists the transfers; default: nothing is persisted. */
  readonly transferStore?: TransferStore | undefined
  /** Persists the state of the limits of the wallet; default: nothing is persisted. */
  readonly riskStore?: RiskStore | undefined
  /** Receives the rows of all strategies. */
  readonly outside: LoggedSink
  /** False if the markets are not drawn. */
  readonly isDrawn: boolean
}

/** All strategies taken together. */
export interface PortfolioTotal {
  readonly figures: AccountFigures
  readonly record: RunRecord
  readonly balances: Balances
  readonly audit: readonly AuditLine[]
}

export interface PortfolioResult {
  /** One for each member, in their order. */
  readonly results: readonly BacktestResult[]
  readonly total: PortfolioTotal
}

/** Account of the credit that no strategy has. */
export const RESERVE = 'reserve'

/** @throws {AbortError} if `signal` is aborted */
export async function runPortfolio(portfolio: PortfolioRun, signal?: AbortSignal): Promise<PortfolioResult> {
  const names = portfolio.members.map(({ name }) => `'${name}'`).join(', ')
  return await watchedWork('running', `strategies ${names}`, () => runWatched(portfolio, signal))
}

async function runWatched(played: PortfolioRun, signal: AbortSignal | undefined): Promise<PortfolioResult> {
  const [first] = played.members
  invariant(first !== undefined, 'a portfolio has a strategy')
  const { prepared } = first
  const turn = new Turn()
  const queue = new EventQueue(prepared.warmupFrom ?? prepared.from, heartbeat().time)
  const accounts = accountsOf(played.members, played.reserve)
  const portfolio = new Portfolio(played, setStages(prepared, queue, accounts), { turn, queue })
  const prints = await playTogether(portfolio.members, {
    turn,
    signal,
    hooks: {},
    isOver: () => {
      portfolio.cancelFailed()
      return false
    },
    marksOf: (symbol) => portfolio.listenerOf(symbol),
  })
  const results = portfolio.members.map(({ run }) => run.finish(prints))
  return { results, total: portfolio.finish() }
}

const PREFIX = `${ACCOUNT}:`

/** Account of a strategy of a portfolio. */
export const accountOf = (name: string): string => PREFIX + name

/** The strategy of an account; undefined for any other account. */
export const ownerOf = (account: string): string | undefined =>
  account.startsWith(PREFIX) ? account.slice(PREFIX.length) : undefined

/** The accounts of the strategies, in order, and that of the reserve. */
export const accountsOf = (
  members: readonly Pick<PortfolioMember, 'name' | 'prepared'>[],
  reserve: ReadonlyMap<string, bigint>,
): readonly StageAccount[] => [
  ...members.map(({ name, prepared: { credit } }) => ({ account: accountOf(name), credit })),
  { account: RESERVE, credit: reserve },
]

/** Options of every run of a portfolio. */
type RunWorld = Pick<SimulatedRunOptions, 'turn' | 'queue' | 'isOpenEnded'> & {
  /** Options of the run of one strategy. */
  readonly ownOf?: (name: string) => Pick<SimulatedRunOptions, 'sessionTurn' | 'hooks'>
}

/** The runs of several strategies, and the figures of their wallet. */
export class Portfolio {
  readonly members: readonly [Member, ...Member[]]
  readonly #prepared: PreparedBacktest
  readonly #stages: readonly BacktestStage[]
  readonly #figures: AccountFigures
  readonly #record: RunRecord
  readonly #cancelled = new Set<string>()

  /** @param stages  one for each member, and that of the reserve */
  constructor(run: PortfolioRun, stages: readonly BacktestStage[], world: RunWorld) {
    const { members, outside, isDrawn } = run
    const { turn, ownOf } = world
    this.#stages = stages
    this.#record = new RunRecord(outsideSink(turn, outside))
    const onTrip = (trip: RoundTrip): void => {
      this.#figures.traded.onTrip(trip)
    }
    const risk = walletRiskOf(run, stages)
    const runs = members.map((member, index): Member => {
      const stage = stages[index]
      invariant(stage !== undefined, 'each member has a stage')
      const { hooks, ...own } = ownOf?.(member.name) ?? {}
      const shared = { report: once(this.#record), onTrip, risk }
      const options = { ...member, ...without(world, 'ownOf'), ...own, hooks: { ...hooks, isDrawn }, stage, shared }
      return { prepared: member.prepared, run: new SimulatedRun(options) }
    })
    const [first, ...others] = runs
    invariant(first !== undefined, 'a portfolio has a run')
    this.members = [first, ...others]
    this.#prepared = first.prepared
    const parts = runs.map(({ run }) => run.figures.traded)
    const wallet = { prepared: first.prepared, stages, isDrawn, isOpenEnded: world.isOpenEnded ?? false, parts }
    this.#figures = walletFigures(wallet, (trip) => {
      turn.outside(() => outside.onTrip?.(trip))
    })
    if (run.rebalance !== undefined) this.#rebalance(run.rebalance, run, world)
  }

  #rebalance(terms: RebalanceTerms, run: PortfolioRun, { isOpenEnded = false }: RunWorld): void {
    const { from, to } = this.#prepared
    const names = run.members.map(({ name }) => name)
    const wallet = simulatedWallet(this.members, names, run.transferStore)
    new Rebalancing(terms, wallet).begin(from, isOpenEnded ? undefined : to)
  }

  /** Listener of the recorded trades of a market, for the figures of the wallet. */
  listenerOf(symbol: string): RecordedListener {
    return sinceStart(this.#prepared, this.#figures.market(symbol))
  }

  /** Cancels the open orders of strategies that have failed. Call after every event. */
  cancelFailed(): void {
    for (const { run } of this.members) if (run.session.failure !== undefined) cancelOpen(run, this.#cancelled)
  }

  /** Completes the figures, once. @param to  the time at which it ended, if that was not known before */
  finish(to?: number): PortfolioTotal {
    const [{ run }] = this.members
    const { exchange } = run.stage.simulated
    this.#figures.finish(to)
    this.#record.finish()
    return {
      figures: this.#figures,
      record: this.#record,
      balances: sumOf(exchange, this.#stages),
      audit: exchange.audit(),
    }
  }
}

/**
 * Cancels each order of a failed strategy once, also one that was on its way then, with the latency of any cancel. A
 * cancel that the rate limit refused is sent again in the next window.
 */
function cancelOpen({ stage, session }: SimulatedRun, cancelled: Set<string>): void {
  for (const { id } of stage.adapter.openOrders()) {
    if (cancelled.has(id)) continue
    cancelled.add(id)
    session.cancel('end', id, (outcome) => {
      if (outcome.type !== 'refused' || outcome.refusal.code !== 'RATE_LIMITED') return
      const waitMs = RateBudget.of(stage.limits)?.mutationAllowedInMs(stage.adapter.now()) ?? 0
      stage.adapter.after(Math.max(waitMs, 1), () => cancelled.delete(id))
    })
  }
}

/** Passes on what sessions report; a state that a limit of the wallet sets in each of them counts once. */
function once(record: RunRecord): RunRecord['process'] {
  return (event) => {
    const last = event.type === 'state' ? record.states.at(-1) : undefined
    const isSame = event.type === 'state' && last?.time === event.change.time && last.why === event.change.why
    if (!isSame || last.state !== event.change.state) record.process(event)
  }
}

/** The limits of the wallet; undefined without any. */
function walletRiskOf(
  { risk: limits, riskStore: store, members }: PortfolioRun,
  stages: readonly BacktestStage[],
): WalletRisk | undefined {
  const [first, stage] = [members[0], stages[0]]
  if (limits === undefined || first === undefined || stage === undefined) return undefined
  const { quoteAsset } = first.prepared
  const balances = (): OwnBalances => addedUp(stages.map(({ adapter }) => adapter.balances()))
  return new WalletRisk({ limits, quoteAsset, adapter: stage.adapter, balances, isOneAccount: false, store })
}

function addedUp(all: readonly OwnBalances[]): OwnBalances {
  const sum = new Map<string, OwnBalance>()
  for (const balances of all) {
    for (const [asset, { available, locked }] of balances) {
      const before = sum.get(asset)
      sum.set(asset, {
        available: before?.available.plus(available) ?? available,
        locked: before?.locked.plus(locked) ?? locked,
      })
    }
  }
  return sum
}

interface Wallet {
  readonly prepared: PreparedBacktest
  readonly stages: readonly BacktestStage[]
  readonly isDrawn: boolean
  readonly isOpenEnded: boolean
  /** Figures of the strategies. */
  readonly parts: readonly TradedFigures[]
}

function walletFigures(
  { prepared, stages, isDrawn, isOpenEnded, parts }: Wallet,
  onTrip: (trip: RoundTrip) => void,
): AccountFigures {
  const [first] = stages
  invariant(first !== undefined, 'a portfolio has a stage')
  const { simulated } = first
  const { exchange } = simulated
  const setup = accountSetup(prepared, exchange, sumOf(exchange, stages), isOpenEnded)
  const figures = new AccountFigures({ ...setup, isDrawn }, onTrip, parts)
  simulated.onEvents((events) => {
    const fills = stages.flatMap(({ account, adapter, ownAccounts }) =>
      accountFills(account, events, adapter, ownAccounts),
    )
    if (fills.length > 0) figures.onFills(fills, sumOf(exchange, stages))
  })
  watchMarks(prepared, simulated, figures)
  return figures
}

function sumOf(exchange: Exchange, stages: readonly BacktestStage[]): Balances {
  const sum = new Map<string, { available: bigint; locked: bigint }>()
  for (const { account } of stages) {
    for (const [asset, { available, locked }] of exchange.balances(account)) {
      const before = sum.get(asset) ?? { available: 0n, locked: 0n }
      sum.set(asset, { available: before.available + available, locked: before.locked + locked })
    }
  }
  return sum
}
