/**
 * Runs the strategies of a backtest through the live adapter, over HTTP and WebSocket, against a service with the same
 * tapes; both in lock-step.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { type OpenedAccount, openLiveAccount } from '../../adapter/live/open-live-account.ts'
import { UndiciTransport } from '../../adapter/live/rest/undici-transport.ts'
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import { accountBooks } from '../../run/account-books.ts'
import { walletRiskOf } from '../../run/live-books.ts'
import type { AccountBooks } from '../../runtime/live/trading-account.ts'
import { Rebalancing } from '../../runtime/backtest/rebalancing.ts'
import { liveWallet } from '../../runtime/live/live-wallet.ts'
import type { RebalanceTerms } from '../../runtime/settings/rebalance-terms.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { createModel } from '../../runtime/backtest/backtest-stage.ts'
import type { Capital } from '../../runtime/backtest/capital.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { inVirtualWorld, macrotask } from '../../runtime/backtest/virtual-world.ts'
import { writeRunEnd } from '../../runtime/journal/journal-frame.ts'
import { Journal } from '../../runtime/journal/journal.ts'
import { OutsideAdapter } from '../../runtime/live/outside-adapter.ts'
import { HeldTransport, Lockstep, LockstepTime } from '../../runtime/parity/lockstep.ts'
import type { SessionOptions } from '../../runtime/session/session-parts.ts'
import { Session } from '../../runtime/session/session.ts'
import { printFilterModeOf } from '../../runtime/settings/former-terms.ts'
import { riskLimitsIfAny, riskLimitsOf, type RiskLimits } from '../../runtime/settings/risk-limits.ts'
import { seededRandom } from '../../runtime/strategies/seeded-random.ts'
import { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { creditUsers, makeUsers } from '../emulator/emulator-users.ts'
import { serve } from '../serve.ts'
import { SCOPES } from '../service/api-key.ts'
import { seededSecrets } from '../service/secrets.ts'
import { UserRegistry } from '../service/user-registry.ts'

/** The emulator's service with the markets, tapes and terms of a backtest, and a clock that the caller advances. */
interface ReplayedService {
  readonly baseUrl: string
  readonly apiKey: string
  /** User id of the account. */
  readonly userId: string
  /** Unix milliseconds of the next scheduled event; Infinity if there is none. */
  nextTime(): number
  /** Advances the clock, and resolves when everything due has happened. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

/** Long enough for any query between two advances. */
const HISTORY = { orders: 10_000, fills: 10_000, trades: 1_000, candles: 5_000 }
/** Unreachable limits: rate limits are not compared. */
const NO_LIMITS = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 1 }

/**
 * Starts it one millisecond before the first trade, so that clients can connect before it.
 *
 * @param markets  those of the backtest, possibly with other fees
 * @param onError  receives internal errors
 */
async function startReplayedService(
  prepared: PreparedBacktest,
  markets: readonly MarketConfig[],
  onError: (error: unknown) => void,
): Promise<ReplayedService> {
  const { quoteAsset, from, credit, settings } = prepared
  const exchange = createExchange({ markets, quoteAsset, history: HISTORY })
  const start = from - 1
  const clock = new VirtualClock(start)
  const recorded = new Set(markets.map(({ symbol }) => symbol))
  const simulated = new SimulatedMarkets(
    exchange,
    new EventQueue(start),
    (symbol) => createModel(prepared, symbol),
    recorded,
  )
  const secrets = seededSecrets(settings.seed)
  const users = new UserRegistry(secrets, () => undefined)
  const account = { email: 'strategy@example.com', verified: true, credits: credit, keys: [{ scopes: [...SCOPES] }] }
  const { users: made, creditsById } = makeUsers([account], users)
  const [user] = made
  creditUsers(creditsById, (command) => simulated.execute(command), start)
  const replay = replayOf(prepared, simulated, onError)
  await replay.begin()
  const { awaited } = replay
  const server = await serve(simulated, { clock, limits: NO_LIMITS, secrets, users, awaited, onError })
  return {
    baseUrl: server.baseUrl,
    apiKey: user?.keys[0] ?? '',
    userId: user?.id ?? '',
    nextTime: () => simulated.queue.nextTime,
    advance: async (ms) => {
      clock.advance(ms)
      await server.service.catchUpFully()
    },
    close: async () => {
      await server.close()
      await replay.close()
    },
  }
}

function replayOf(
  { tapes, liquiditySetups, settings }: PreparedBacktest,
  simulated: SimulatedMarkets,
  onError: (error: unknown) => void,
): PacedReplay {
  const played = tapes.map((tape) => {
    const setup = liquiditySetups.get(tape.info.symbol)
    const longestSilenceMs = setup?.terms.staleAfterMs ?? Number.POSITIVE_INFINITY
    return { tape, longestSilenceMs, filterMode: printFilterModeOf(settings), spread: setup?.spread }
  })
  return new PacedReplay(simulated, { tapes: played, shiftMs: 0, onError })
}

/** A strategy, and the receiver of its journal. */
export interface LiveMember {
  /** Its name on the account. */
  readonly name: string
  /** All have the markets, tapes and span of the first. */
  readonly prepared: PreparedBacktest
  readonly onLine: (line: string) => void
}

/** The wallet of several strategies. */
export interface LiveWallet {
  /** Credit of all of them and of the reserve, ledger units by asset. */
  readonly credit: ReadonlyMap<string, bigint>
  /** Capital of each strategy, in their order. */
  readonly capitals: readonly (Capital | undefined)[]
  /** Limits of all strategies together; undefined for none. */
  readonly risk: RiskLimits | undefined
  /** When and how capital moves between the strategies; undefined for never. */
  readonly rebalance: RebalanceTerms | undefined
}

export interface LiveSideOptions {
  /** At least one. */
  readonly members: readonly LiveMember[]
  /** Undefined for one strategy that has the whole account. */
  readonly wallet?: LiveWallet | undefined
  /** Markets of the service, if different from those of the backtest. */
  readonly markets?: readonly MarketConfig[] | undefined
  /** Receives warnings of the adapter. */
  readonly onWarning: (text: string) => void
  readonly onProgress: (time: number) => void
}

/** Request timeout in machine time: long, because slow machines are not the subject. */
const TIMEOUT_MS = 120_000
const SETTLE_MS = 30_000
const SESSION = 'parity'

/** The live side of a run. */
interface LiveSide {
  readonly prepared: PreparedBacktest
  readonly options: LiveSideOptions
  readonly service: ReplayedService
  readonly time: LockstepTime
  readonly lockstep: Lockstep
  readonly opened: OpenedAccount
}

export async function runLiveSide(options: LiveSideOptions): Promise<void> {
  const { members, wallet, markets } = options
  const [first] = members
  invariant(first !== undefined, 'a run has a strategy')
  const { prepared } = first
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const directory = mkdtempSync(join(tmpdir(), 'papertape-parity-'))
  const service = await startReplayedService({ ...prepared, ...wallet }, markets ?? prepared.markets, onError)
  try {
    const side = await openSide(prepared, options, { service, directory, onError })
    try {
      await play(side, errors)
    } finally {
      await side.opened.account.close()
    }
  } finally {
    await service.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Surroundings {
  readonly service: ReplayedService
  readonly directory: string
  readonly onError: (error: unknown) => void
}

async function openSide(
  prepared: PreparedBacktest,
  options: LiveSideOptions,
  { service, directory, onError }: Surroundings,
): Promise<LiveSide> {
  const { baseUrl: url, apiKey } = service
  const time = new LockstepTime(prepared.from)
  const transport = new HeldTransport(new UndiciTransport({ url, apiKey, timeoutMs: TIMEOUT_MS }))
  const stream: { flushed: () => Promise<void> } = { flushed: () => Promise.resolve() }
  const lockstep = new Lockstep({
    time,
    transport,
    flushed: () => stream.flushed(),
    pause: () => pause(1),
    advance: (ms) => service.advance(ms),
  })
  const opened = await lockstep.until(
    openLiveAccount({
      url,
      apiKey,
      time,
      transport,
      session: SESSION,
      limits: NO_LIMITS,
      timeoutMs: TIMEOUT_MS,
      state: directory,
      settleMs: SETTLE_MS,
      uniqueQty: false,
      random: seededRandom(prepared.settings.seed),
      fees: { makerFeeBps: prepared.settings.makerFeeBps, takerFeeBps: prepared.settings.takerFeeBps },
      // Own fills against a recorded market are not market data, as in a backtest.
      isMarketData: ({ buyerId, sellerId, isBuyerMaker }) => (isBuyerMaker ? sellerId : buyerId) !== service.userId,
      // In lock-step nothing is late, and a burst of trades is confirmed before the next moment.
      marketData: { closeAfterMs: 0, spacingMs: 0 },
      onWarning: options.onWarning,
      onError,
    }),
  )
  stream.flushed = () => opened.stream.flushed()
  return { prepared, options, service, time, lockstep, opened }
}

/** A running strategy. */
interface LiveRun {
  readonly exchange: ExchangeAdapter
  readonly journal: Journal
  readonly session: Session
}

/** The running strategies, and the books that they have on a wallet. */
interface StartedRuns {
  readonly runs: readonly LiveRun[]
  readonly books: AccountBooks | undefined
}

async function play(side: LiveSide, errors: readonly unknown[]): Promise<void> {
  const { prepared, options, service, time, lockstep, opened } = side
  const { runs, books } = await startedOf(side)
  const sessions = runs.map(({ session }) => session)
  const onError = (error: unknown): void => {
    for (const session of sessions) session.fail(error)
  }
  const isOver = (): boolean => sessions.every(({ failure }) => failure !== undefined) || errors.length > 0
  await inVirtualWorld({ queue: time.queue, turn: time.turn, onError, onInexactMath: none }, async () => {
    time.enter(() => {
      for (const session of sessions) session.start()
    })
    if (books !== undefined) rebalance(side, runs, books)
    // Subscriptions must be active before the first trade.
    await opened.stream.flushed()
    await service.advance(1)
    const next = (): number => {
      options.onProgress(time.now())
      return service.nextTime()
    }
    await lockstep.passTo(prepared.to, next, isOver)
    await macrotask()
    for (const session of sessions) session.stopStrategy()
    await lockstep.settle()
    for (const session of sessions) session.stop()
  })
  if (errors.length > 0) throw errors[0]
  for (const { exchange, journal, session } of runs)
    writeRunEnd(journal, Math.max(time.now(), session.failure === undefined ? prepared.to : 0), exchange.balances())
}

/** The sessions of the strategies, each on the whole account, or on a book of its own. */
async function startedOf(side: LiveSide): Promise<StartedRuns> {
  const { prepared, options, time, lockstep, opened } = side
  const { members, wallet } = options
  const exchanges = members.map(({ name }) => opened.account.exchangeOf(name, 'wait'))
  await lockstep.until(opened.account.begin(prepared.markets.map(({ symbol }) => symbol)))
  const { quoteAsset } = prepared
  const books = wallet && accountBooks(opened, options.onWarning)
  books?.open(members.map(({ name }, index) => ({ owner: name, capital: wallet?.capitals[index], quoteAsset })))
  const walletRisk = walletRiskOf(
    { capital: books },
    { limits: wallet?.risk, adapter: exchanges[0], quoteAsset, hasBooks: books !== undefined },
  )
  const runs = members.map((member, index): LiveRun => {
    const [exchange, journal] = [exchanges[index], new Journal(member.onLine)]
    invariant(exchange !== undefined, 'each strategy has a view')
    const adapter = new OutsideAdapter(exchange, time.turn)
    return { exchange, journal, session: sessionOf(side, member.prepared, { journal, adapter, walletRisk }) }
  })
  return { runs, books }
}

function rebalance({ prepared, options, time, opened }: LiveSide, runs: readonly LiveRun[], books: AccountBooks): void {
  const { wallet: { rebalance: terms } = {}, members: all, onWarning } = options
  if (terms === undefined) return
  const { quoteAsset, from, to } = prepared
  const members = runs.map(({ session }, index) => ({
    owner: all[index]?.name ?? '',
    look: session.look,
    isActive: () => session.failure === undefined && session.state === 'ACTIVE',
  }))
  const { feed, account } = opened
  const lastPrice = (symbol: string): Decimal | undefined => feed.lastPrice(symbol)
  const place = { books, members, quoteAsset, lastPrice, onWarning }
  new Rebalancing(terms, liveWallet({ ...place, queue: time.queue, markets: account.markets })).begin(from, to)
}

const none = (): void => undefined

function sessionOf(
  { time }: LiveSide,
  prepared: PreparedBacktest,
  own: Pick<SessionOptions, 'journal' | 'adapter' | 'walletRisk'>,
): Session {
  const { loaded, params, settings, quoteAsset } = prepared
  return new Session({
    strategy: loaded.strategy,
    params,
    ...own,
    limits: undefined,
    onLimit: settings.onLimit,
    rounding: settings.rounding,
    risk: own.walletRisk === undefined ? riskLimitsIfAny(settings) : riskLimitsOf(settings),
    quoteAsset,
    random: seededRandom(settings.seed),
    log: none,
    // Between two events promises are awaited, which is their turn.
    turn: loaded.strategy.async === true ? { isOn: true } : time.turn,
  })
}
