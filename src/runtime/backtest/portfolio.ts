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
import type { Exchange } from '../../exchange/exchange.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { AccountFigures, type TradedFigures } from '../figures/account-figures.ts'
import { type LoggedSink, outsideSink } from '../figures/outside-sink.ts'
import { RunRecord } from '../figures/run-record.ts'
import { heartbeat, watchedWork } from '../heartbeat.ts'
import { Turn } from '../session/turn.ts'
import { accountFills } from './account-fills.ts'
import { playTogether, type Member } from './backtest.ts'
import { ACCOUNT, type BacktestStage, setStages } from './backtest-stage.ts'
import { sinceStart, watchMarks } from './market-marks.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import { accountSetup, type BacktestResult, SimulatedRun, type SimulatedRunListener } from './simulated-run.ts'

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
const RESERVE = 'reserve'

/** @throws {AbortError} if `signal` is aborted */
export async function runPortfolio(portfolio: PortfolioRun, signal?: AbortSignal): Promise<PortfolioResult> {
  const names = portfolio.members.map(({ name }) => `'${name}'`).join(', ')
  return await watchedWork('running', `strategies ${names}`, () => runWatched(portfolio, signal))
}

async function runWatched(portfolio: PortfolioRun, signal: AbortSignal | undefined): Promise<PortfolioResult> {
  const { members, reserve, outside, isDrawn } = portfolio
  const [first] = members
  invariant(first !== undefined, 'a portfolio has a strategy')
  const { prepared } = first
  const turn = new Turn()
  const queue = new EventQueue(prepared.warmupFrom ?? prepared.from, heartbeat().time)
  const accounts = members.map(({ name, prepared: { credit } }) => ({ account: `${ACCOUNT}:${name}`, credit }))
  const stages = setStages(prepared, queue, [...accounts, { account: RESERVE, credit: reserve }])
  const record = new RunRecord(outsideSink(turn, outside))
  const onTrip = (trip: RoundTrip): void => {
    figures.traded.onTrip(trip)
  }
  const runs = members.map((member, index): Member => {
    const stage = stages[index]
    invariant(stage !== undefined, 'each member has a stage')
    const shared = { stage, report: record.process, onTrip }
    return { prepared: member.prepared, run: new SimulatedRun({ ...member, turn, queue, hooks: { isDrawn }, shared }) }
  })
  const [player, ...others] = runs
  invariant(player !== undefined, 'a portfolio has a run')
  const parts = runs.map(({ run }) => run.figures.traded)
  const figures = walletFigures({ prepared, stages, isDrawn, parts }, (trip) => {
    turn.outside(() => outside.onTrip?.(trip))
  })
  const cancelled = new Set<string>()
  const prints = await playTogether([player, ...others], {
    turn,
    signal,
    hooks: {},
    isOver: () => {
      for (const { run } of runs) if (run.session.failure !== undefined) cancelOpen(run, cancelled)
      return false
    },
    marksOf: (symbol) => sinceStart(prepared, figures.market(symbol)),
  })
  const results = runs.map(({ run }) => run.finish(prints))
  figures.finish()
  record.finish()
  const { exchange } = player.run.stage.simulated
  return { results, total: { figures, record, balances: sumOf(exchange, stages), audit: exchange.audit() } }
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

interface Wallet {
  readonly prepared: PreparedBacktest
  readonly stages: readonly BacktestStage[]
  readonly isDrawn: boolean
  /** Figures of the strategies. */
  readonly parts: readonly TradedFigures[]
}

function walletFigures(
  { prepared, stages, isDrawn, parts }: Wallet,
  onTrip: (trip: RoundTrip) => void,
): AccountFigures {
  const [first] = stages
  invariant(first !== undefined, 'a portfolio has a stage')
  const { simulated } = first
  const { exchange } = simulated
  const setup = accountSetup(prepared, exchange, sumOf(exchange, stages), false)
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
