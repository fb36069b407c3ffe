/** Opens an account at a live service: locks, files, connections and markets. */
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../domain/rate-window.ts'
import type { Market, MarketFees } from '../../domain/market.ts'
import { DAY_MS, MINUTE_MS, WEEK_MS } from '../../domain/time.ts'
import { AccountLock, lockHolder, type LockHolder } from '../../store/state/live/account-lock.ts'
import {
  persistedAccount,
  type PersistedMarket,
  persistedMarkets,
  persistedRunDirectories,
  saveAccount,
  saveMarkets,
} from '../../store/state/live/persisted-facts.ts'
import { persistedBooks, persistedReserve, saveBook, saveReserve } from '../../store/state/live/persisted-books.ts'
import { takeKeyLock } from '../../store/state/live/key-lock.ts'
import { LiveState } from '../../store/state/live/live-state.ts'
import { persistedPaper } from '../../store/state/live/persisted-paper.ts'
import { MarketView } from '../../strategy/market-view.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'
import { machineRandom } from './machine-clocks.ts'
import type { BookStore } from './books/strategy-books.ts'
import { LastingStore } from './orders/lasting-store.ts'
import { LiveAccount } from './live-account.ts'
import type { LiveTime } from './live-time.ts'
import type { EarlierFills } from './orders/reported-fills.ts'
import { LiveMarketData } from './market-data/live-market-data.ts'
import type { MarketDataSettings } from './market-data/market-data-settings.ts'
import { proxyFor } from './network/proxy.ts'
import { ClientBudget, LATE_ARRIVAL_MS, type BudgetState } from './rest/client-budget.ts'
import { MutationQueue } from './rest/mutation-queue.ts'
import { StartPatience } from './rest/retry-waits.ts'
import type { RestTransport } from './rest/rest-transport.ts'
import { ServiceClient } from './rest/service-client.ts'
import { UndiciTransport } from './rest/undici-transport.ts'
import { streamUrlOf } from './stream/stream-connection.ts'
import { WsStreamConnection } from './stream/ws-stream-connection.ts'

export type FillsReader = (
  directories: readonly string[],
  markets: readonly Market[],
  onWarning: (text: string) => void,
) => EarlierFills

export interface LiveAccountOpening {
  /** Base URL of the service. */
  readonly url: string
  /** Secret; never printed. */
  readonly apiKey: string
  readonly time: LiveTime
  /** Directory of intents, known orders and the lock. */
  readonly state: string
  /** Directories for the lock of the key, which is held independently of `state`. Default: none. */
  readonly keyLocks?: readonly string[] | undefined
  /** Identifies the process among those of the account. */
  readonly session: string
  /** Assumed fees of every market, or of each. */
  readonly fees: MarketFees | ((symbol: string) => MarketFees)
  /** Time limit of a request, milliseconds. */
  readonly timeoutMs: number
  /** Milliseconds after which a missing order is assumed not to exist. */
  readonly settleMs: number
  /** Whether quantities are adjusted so that no two orders have the same fingerprint. */
  readonly uniqueQty: boolean
  /**
   * Wait for a service that does not answer; default: ten minutes if an earlier session left orders or waiting
   * requests, otherwise 0.
   */
  readonly waitMs?: number | undefined
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined
  readonly onWarning: (text: string) => void
  /** Reports an internal error. */
  readonly onError: (error: unknown) => void
  /** Default: those of the specification. */
  readonly limits?: RateLimits | undefined
  /** Returns numbers in [0, 1), for the jitter of waits. Default: the machine's random numbers. */
  readonly random?: () => number
  /** Replaces HTTP. */
  readonly transport?: RestTransport | undefined
  readonly marketData?: Partial<MarketDataSettings> | undefined
  /** Whether a public trade forms prices and candles. Default: each does. */
  readonly isMarketData?: ((trade: WireTrade) => boolean) | undefined
  /** Reads fills from the files of sessions that may have crashed. Default: no fills are known. */
  readonly readFills?: FillsReader | undefined
  /** Interval between two audits, milliseconds. Default: 10 s. */
  readonly auditMs?: number
}

/** Time for which the number of candidates must equal the number of unknown orders before they are adopted. */
const HOLD_MS = 1_000
const QUARANTINE_MS = DAY_MS
const AUDIT_MS = 10_000
/** Length of a rate limit window of the service. */
const WINDOW_MS = 60_000
/** Retention of finished intents and orders on disk. */
const RETENTION_MS = WEEK_MS

/** Wait of a start for a service if an earlier session left something to look after. */
const WAIT_MS = 10 * MINUTE_MS

/** An account, with the state of its connections for status displays. */
export interface OpenedAccount {
  readonly account: LiveAccount
  readonly feed: LiveMarketData
  readonly stream: WsStreamConnection
  readonly client: ServiceClient
  readonly state: LiveState
  readonly store: Pick<LastingStore, 'isBehind'>
  /** Until its `end`, reads are retried while the service does not answer. */
  readonly patience: StartPatience
  /** Remaining request budget of the key. */
  budget(): BudgetState
  /** The same budget, for sessions that are ending. */
  readonly held: Pick<ClientBudget, 'tryHeld' | 'mutationAllowedInMs'>
}

interface Lock {
  release(): void
}

/**
 * Locks the account and its key, and reads the markets of the service.
 * @throws {InputError} if another process holds a lock, or the files cannot be used
 * @throws {ExchangeError} if the service cannot be read
 */
export async function openLiveAccount(opening: LiveAccountOpening): Promise<OpenedAccount> {
  const { state: directory, time } = opening
  const lock = takeLocks(opening)
  try {
    const state = LiveState.openOrMake(join(directory, 'live.db'))
    try {
      if (persistedPaper(state) !== undefined)
        throw new InputError(directory, 'has the state of paper sessions: use another directory for a live account')
      state.dropFinished(time.now() - RETENTION_MS)
      return await openWith(opening, state, lock)
    } catch (error) {
      state.close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Takes the lock of the state directory and that of the key. */
function takeLocks({ state, time, keyLocks = [], onWarning }: LiveAccountOpening): Lock {
  const holder = { pid: process.pid, since: time.now() }
  const lock = takeLock(state, holder)
  try {
    const keyLock = takeKeyLock(keyLocks, holder)
    if (keyLock === undefined && keyLocks.length > 0) {
      const places = keyLocks.map((directory) => `'${directory}'`).join(' and ')
      onWarning(
        `the API key is not locked, because ${places} cannot be written to; do not start another session with this key`,
      )
    }
    return {
      release: () => {
        keyLock?.release()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function takeLock(directory: string, holder: LockHolder): AccountLock {
  const lock = AccountLock.take(directory, holder)
  if (lock !== undefined) return lock
  const other = lockHolder(directory)
  const who = other === undefined ? 'another process' : `process ${other.pid}`
  throw new InputError(directory, `${who} is already trading on this account: stop it first`)
}

const unlistedWarning =
  (onWarning: (text: string) => void) =>
  (symbol: string): void => {
    onWarning(`the account has orders or fills in ${symbol}, a market that the service does not list; they are ignored`)
  }

type Precision = Omit<PersistedMarket, 'symbol'>

/**
 * Checks that unfinished intents of earlier sessions still have the meaning with which they were written, in ticks and
 * lots of their markets.
 * @param directory  of the state
 * @param markets    as the service lists them now
 * @throws {InputError} naming the market
 */
export function checkSavedMarkets(directory: string, state: LiveState, markets: readonly Market[]): void {
  const savedBySymbol = new Map(persistedMarkets(state).map((saved) => [saved.symbol, saved]))
  for (const { id, symbol, isFinished } of state.intents()) {
    if (isFinished) continue
    const [was, is] = [savedBySymbol.get(symbol), markets.find((market) => market.symbol === symbol)]
    const fault = is === undefined ? 'is no longer listed' : was === undefined ? undefined : differenceOf(was, is)
    if (fault === undefined) continue
    const way = `run 'papertape live orders mark-absent ${id}' if its outcome is unknown, or pass another --state directory`
    throw new InputError(directory, `market ${symbol} ${fault}, but its intent ${id} is not finished: ${way}`)
  }
}

function differenceOf(was: Precision, is: Precision): string | undefined {
  const isSame = was.pricePrecision === is.pricePrecision && was.qtyPrecision === is.qtyPrecision
  return isSame ? undefined : `had ${precisionText(was)} and now has ${precisionText(is)}`
}

const precisionText = ({ pricePrecision, qtyPrecision }: Precision): string =>
  `pricePrecision ${pricePrecision} and qtyPrecision ${qtyPrecision}`

/** Saves the markets for readers of the files who cannot ask the service while no process trades. */
async function readMarkets(
  client: ServiceClient,
  { url, time, state: directory }: LiveAccountOpening,
  state: LiveState,
): Promise<readonly Market[]> {
  const markets = await client.markets()
  checkSavedMarkets(directory, state, markets)
  saveAccount(state, { baseUrl: url, createdAt: persistedAccount(state)?.createdAt ?? time.now() })
  saveMarkets(
    state,
    markets.map(({ symbol, pricePrecision, qtyPrecision }) => ({ symbol, pricePrecision, qtyPrecision })),
  )
  return markets
}

/** Counts requests of the previous process, because the service still counts them. */
function budgetOf(
  { time, limits, timeoutMs }: LiveAccountOpening,
  state: LiveState,
  openOrders: () => number,
): ClientBudget {
  const budget = new ClientBudget({ time, limits: limits ?? DEFAULT_RATE_LIMITS, openOrders })
  const now = time.now()
  const agoMs = state.intents().map(({ sentAt, changedAt, state: last }) => {
    // A decided request has arrived by then; an unanswered one may arrive after its timeout.
    const latest = sentAt + timeoutMs + LATE_ARRIVAL_MS
    return now - (last === 'SENDING' || last === 'UNKNOWN' ? latest : Math.min(changedAt, latest))
  })
  budget.assumeSent(agoMs.filter((ago) => ago < WINDOW_MS))
  return budget
}

/** Late-bound account: its dependencies need it, and are created first. */
interface Opening {
  account?: LiveAccount
}

function serviceOf(opening: LiveAccountOpening, state: LiveState, open: Opening): Service {
  const { url, apiKey, time, timeoutMs, onWarning, random = machineRandom } = opening
  const transport = opening.transport ?? new UndiciTransport({ url, apiKey, timeoutMs, proxy: proxyFor(url) })
  const openOrders = (): number => (open.account?.manager.own.all.length ?? 0) + (open.account?.manager.inFlight ?? 0)
  const budget = budgetOf(opening, state, openOrders)
  const patience = patienceOf(opening, state)
  const onUnlisted = unlistedWarning(onWarning)
  const isOwnOrder = (id: string): boolean => open.account?.manager.own.find(id) !== undefined
  const client = new ServiceClient({ transport, budget, time, random, patience, onUnlisted, onWarning, isOwnOrder })
  return { transport, budget, patience, client }
}

interface Service extends Pick<OpenedAccount, 'client' | 'patience'> {
  readonly transport: RestTransport
  readonly budget: ClientBudget
}

interface FeedParts extends Pick<OpenedAccount, 'client' | 'stream'> {
  readonly markets: readonly Market[]
  readonly open: Opening
}

function feedOf(opening: LiveAccountOpening, { markets, client, stream, open }: FeedParts): LiveMarketData {
  const { time, random = machineRandom, isMarketData, onWarning, marketData } = opening
  return new LiveMarketData({
    markets: markets.map((market) => new MarketView(market)),
    reads: client,
    stream,
    time,
    random,
    isMarketData,
    isOwn: (trade) => isParty(trade, open.account?.manager.userId),
    onWarning,
    ...(marketData !== undefined && { settings: marketData }),
    onWireTrade: (trade) => {
      open.account?.onPublicTrade(trade)
    },
  })
}

async function openWith(opening: LiveAccountOpening, state: LiveState, lock: Lock): Promise<OpenedAccount> {
  const { url, time, onWarning, onError, settleMs, uniqueQty, session, fees, signal, random = machineRandom } = opening
  const open: Opening = {}
  const { transport, budget, patience, client } = serviceOf(opening, state, open)
  const stop = (): void => {
    client.close()
    void transport.close()
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const markets = await readMarkets(client, opening, state)
    const stream = new WsStreamConnection({ url: streamUrlOf(url), proxy: proxyFor(streamUrlOf(url)), random })
    const feed = feedOf(opening, { markets, client, stream, open })
    const gate = new MutationQueue({ time, budget })
    const store = new LastingStore(state, onError)
    const account = new LiveAccount({
      ...{ markets, calls: client, feed, time, store, gate, session, settleMs, isUnique: uniqueQty },
      bookStore: bookStoreOf(state, store),
      holdMs: HOLD_MS,
      quarantineMs: QUARANTINE_MS,
      auditMs: opening.auditMs ?? AUDIT_MS,
      onWarning,
      onError,
      earlierFills: (owner) =>
        opening.readFills?.(persistedRunDirectories(state, owner), markets, onWarning) ?? new Map(),
      feesOf: typeof fees === 'function' ? fees : () => fees,
      onClose: async () => {
        try {
          for (const each of [gate, feed, budget, client]) each.close()
          await transport.close()
        } finally {
          closeFiles(state, lock)
        }
      },
    })
    open.account = account
    return { account, feed, stream, client, state, store, patience, held: budget, budget: () => budget.snapshot() }
  } catch (error) {
    budget.close()
    await transport.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Orders of an earlier session must be looked after as soon as the service is back. */
function patienceOf({ time, waitMs, onWarning }: LiveAccountOpening, state: LiveState): StartPatience {
  const isNeeded = state.intents().some(({ isFinished }) => !isFinished) || state.waits.owners().length > 0
  return new StartPatience({ time, waitMs: waitMs ?? (isNeeded ? WAIT_MS : 0), onWarning })
}

/** Books that cannot be saved still apply; the next start compares them with the account. */
const bookStoreOf = (state: LiveState, { attempt }: LastingStore): BookStore => ({
  load: () => ({ books: persistedBooks(state), reserve: persistedReserve(state) }),
  save: (books, reserve) => {
    attempt(() => {
      state.together(() => {
        for (const [owner, book] of books) saveBook(state, owner, book)
        if (reserve !== undefined) saveReserve(state, reserve)
      })
    })
  },
})

/** Releases the lock even if closing the files fails, so that another process can take the account. */
function closeFiles(state: LiveState, lock: Lock): void {
  try {
    state.close()
  } finally {
    lock.release()
  }
}

const isParty = ({ buyerId, sellerId }: WireTrade, userId: string | undefined): boolean =>
  userId !== undefined && (buyerId === userId || sellerId === userId)
