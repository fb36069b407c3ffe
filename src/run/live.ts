/**
 * Strategies on a live account, for any program: the implementation of `papertape live`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MACHINE_CLOCKS, newSessionName } from '../adapter/live/machine-clocks.ts'
import type { LiveTime } from '../adapter/live/live-time.ts'
import { openLiveAccount, type OpenedAccount } from '../adapter/live/open-live-account.ts'
import { orderFate } from '../adapter/live/orders/order-fate.ts'
import type { EarlierFills, ReportedFill } from '../adapter/live/orders/reported-fills.ts'
import { INFERRED_PREFIX } from '../adapter/live/orders/tracked-order.ts'
import { stepsOf, toDecimal } from '../domain/decimal.ts'
import { DiskError, InputError } from '../domain/errors.ts'
import { formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import type { RateLimits } from '../domain/rate-window.ts'
import { setting } from '../domain/setting-name.ts'
import { csvTable } from '../report/run/csv-table.ts'
import type { LiveStatus, UndecidedIntent } from '../runtime/live/live-status.ts'
import { changeParams, continuedParams } from '../runtime/live/param-changes.ts'
import { strategyStateStore } from '../runtime/live/strategy-state-store.ts'
import { PortfolioWatch } from '../runtime/live/portfolio-watch.ts'
import type { LiveStatusSource } from '../runtime/live/status-watch.ts'
import { recordingPlace, Recordings } from '../runtime/recording/recordings.ts'
import { version } from '../runtime/version.ts'
import { userDataDirectory } from '../store/state/data-directory.ts'
import { OperatorLink } from '../runtime/live/operator-link.ts'
import type { FlattenAccess } from '../runtime/live/flatten-account.ts'
import type { OperatorLine, TradingAccount } from '../runtime/live/trading-account.ts'
import type { RiskStore } from '../runtime/session/risk/risk-store.ts'
import type { PersistedConditionals } from '../runtime/session/conditional/conditional-order-store.ts'
import { userKeyLocks } from '../store/state/live/key-lock.ts'
import { saveRisk, persistedRisk, WALLET_OWNER } from '../store/state/live/persisted-risk.ts'
import { saveRunDirectories, saveStatus, persistedRunDirectories } from '../store/state/live/persisted-facts.ts'
import type { PersistedLink } from '../store/state/live/persisted-conditional.ts'
import { accountBooks } from './account-books.ts'
import { flattenAccess, flattenOn } from './flatten-access.ts'
import type { AccountOpening, LiveOptions, LiveResult } from './live-options.ts'
import { runLive } from './run-live.ts'
import { seriesStoreOf } from './session-series.ts'

/**
 * Trades until the signal aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for wrong options or unusable files
 * @throws {ExchangeError} if the service or the account cannot be used from the start
 * @throws {AbortError} if the signal aborts before a strategy has received an event
 */
export function live(options: LiveOptions): Promise<LiveResult> {
  return runLive(options, {
    clocks: options.clocks ?? MACHINE_CLOCKS,
    openAccount: (opening) => openAccount({ ...opening, keyLocks: userKeyLocks(opening.url, opening.apiKey) }),
    dataDirectory: userDataDirectory(),
    session: newSessionName(),
  })
}

/**
 * Fills read back from the files of earlier sessions, including those that were killed before they saved their state.
 *
 * @param directories  runs that may not have ended in order
 * @throws {InputError} for a file in an unexpected format
 */
function earlierFills(
  directories: readonly string[],
  markets: readonly Market[],
  onWarning: (text: string) => void,
): EarlierFills {
  const byOrder = new Map<string, ReportedFill[]>()
  for (const directory of directories) {
    const path = join(directory, 'fills.csv')
    if (!existsSync(directory)) {
      onWarning(`the files of an earlier session in '${directory}' are missing; its fills may be written a second time`)
    }
    if (!existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    // Ignores a last row cut off by a kill.
    for (const row of csvTable(path, text.slice(0, text.lastIndexOf('\n') + 1))) {
      const market = markets.find(({ symbol }) => symbol === row('symbol'))
      if (market === undefined) continue
      const [tradeId, orderId] = [row('trade_id'), row('order_id')]
      const rows = byOrder.get(orderId) ?? []
      byOrder.set(orderId, rows)
      rows.push({
        tradeId,
        price: stepsOf(toDecimal(row('price')), market.pricePrecision),
        qty: stepsOf(toDecimal(row('qty')), market.qtyPrecision),
        isInferred: tradeId.startsWith(INFERRED_PREFIX),
      })
    }
  }
  return byOrder
}

/** @param opening  `limits` are request limits of the service; default: those of the specification */
export async function openAccount(opening: AccountOpening & { readonly limits?: RateLimits }): Promise<TradingAccount> {
  const { time } = opening
  const opened = await openLiveAccount({ readFills: earlierFills, ...opening })
  const { account, state, feed, client } = opened
  const { onWarning, onError } = opening
  const portfolio = new PortfolioWatch({ time, read: () => client.portfolio('poll'), onWarning, onError })
  const access = flattenAccess(opened)
  return {
    markets: account.markets,
    exchangeOf: (owner, onLimit) => account.exchangeOf(owner, onLimit),
    begin: async (symbols) => {
      await account.begin(symbols)
      opened.patience.end()
      portfolio.start()
    },
    followed: () => feed.followed(),
    look: () => {
      account.look()
    },
    dropWaiting: (owner) => {
      account.dropWaiting(owner)
    },
    ...heldOf(opened),
    settled: () => account.settled(),
    audited: () => account.audited(),
    openOrderIds: (owner) => account.openOrderIds(owner),
    get absentOwners() {
      return account.absentOwners
    },
    riskStoreOf: (owner) => riskStoreOf(opened, owner, onWarning),
    seriesStore: seriesStoreOf(state, onWarning),
    ...persistenceParts(opened, opening.session),
    blockedMarkets: () => state.blockedMarkets(),
    flattening: access,
    capital: accountBooks(opened, onWarning),
    operators: operatorLineOf(opened, time, access),
    statusSource: liveStatusSource(opened, time, () => portfolio.warnings),
    recordings: ({ path, symbols, onFailure }) => {
      const markets = account.markets.filter(({ symbol }) => symbols.includes(symbol))
      const where = setting('record')
      const recordings = new Recordings({ where, place: recordingPlace(path), markets, reads: client, time, onFailure })
      recordings.listen(feed)
      return recordings
    },
    close: () => {
      portfolio.stop()
      return account.close()
    },
  }
}

function operatorLineOf({ account, state }: OpenedAccount, time: LiveTime, access: FlattenAccess): OperatorLine {
  const { reconciliations } = account.manager
  return (sessions, onTrouble) =>
    new OperatorLink({
      state,
      time,
      onTrouble,
      orders: {
        setState: (to, why) => {
          sessions.setState(to, why)
        },
        resumeMarket: (symbol) => reconciliations.resume(symbol),
        adopt: (intent, order) => reconciliations.adopt(intent, order),
        disown: (intent) => reconciliations.markAbsent(intent),
        setParams: (command) => changeParams(command, sessions.adjusted(), { state, now: time.now() }),
        flatten: (command) => flattenOn(command, { time, access, sessions: sessions.running() }),
      },
    })
}

const heldOf = ({
  account,
  held,
}: OpenedAccount): Pick<TradingAccount, 'tryHeld' | 'cancelsHeldForMs' | 'undecided' | 'userId'> => ({
  userId: () => account.manager.userId,
  undecided: (owner) => account.undecided(owner),
  tryHeld: (withinMs) => held.tryHeld(withinMs),
  cancelsHeldForMs: () => held.mutationAllowedInMs('cancel'),
})

type PersistenceParts = Pick<
  TradingAccount,
  'saveFiles' | 'loseFiles' | 'leave' | 'waitsOf' | 'conditionalOwners' | 'paramsOf' | 'strategyStateOf'
>

/**
 * State saved for the next start: conditional orders, and the run directories to read back, except those of sessions
 * that ended in order.
 */
const persistenceParts = (opened: OpenedAccount, session: string): PersistenceParts => ({
  waitsOf: (owner) => waitsOf(opened, owner, session),
  conditionalOwners: () => opened.state.waits.owners(),
  paramsOf: (configured, onText) => continuedParams(opened.state, configured, onText),
  strategyStateOf: (owner) => strategyStateStore(opened.state, owner),
  saveFiles: (owner, directory) => {
    const earlier = opened.store.isBehind ? persistedRunDirectories(opened.state, owner) : []
    saveRunDirectories(opened.state, owner, [...earlier, resolve(directory)])
  },
  loseFiles: (owner) => {
    opened.account.find(owner)?.loseFiles()
  },
  leave: (owner) => {
    const isWritten = opened.account.find(owner)?.isWritten === true
    opened.account.leave(owner)
    // The directory stays listed if the session never began, lost a file or could not save its reports: the next start
    // reads it back.
    if (!isWritten || opened.store.isBehind) return
    try {
      saveRunDirectories(opened.state, owner, [])
    } catch (error) {
      // Reading complete files again changes nothing.
      if (!(error instanceof DiskError)) throw error
    }
  },
})

function waitsOf({ account, state }: OpenedAccount, owner: string, session: string): PersistedConditionals {
  const { markets, manager } = account
  const parts = {
    markets,
    own: manager.own,
    intentOf: (ofOwner: string, link: PersistedLink) => state.intentOf(ofOwner, link),
  }
  return {
    session,
    waits: () => state.waits.of(owner),
    save: (waits, over) => {
      state.waits.save(owner, waits, over)
    },
    fateOf: (link) => orderFate(parts, owner, link),
  }
}

/** A state that cannot be saved still applies; only a restart would forget it. */
function riskStoreOf(
  { state }: OpenedAccount,
  owner: string | undefined,
  onWarning: (text: string) => void,
): RiskStore {
  let isTroubleReported = false
  return {
    load: () => persistedRisk(state, owner ?? WALLET_OWNER),
    save: (risk) => {
      try {
        saveRisk(state, owner ?? WALLET_OWNER, risk)
        isTroubleReported = false
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        const whose = owner === undefined ? 'all strategies together' : `'${owner}'`
        if (!isTroubleReported) onWarning(`a restart would forget the loss limits of ${whose}: ${error.message}`)
        isTroubleReported = true
      }
    },
    sentSince: (time) =>
      state
        .intents()
        .flatMap((intent) => ((owner ?? intent.owner) === intent.owner && intent.sentAt > time ? [intent.sentAt] : [])),
  }
}

const UNDECIDED = ['UNKNOWN', 'AMBIGUOUS', 'QUARANTINED'] as const

/** The part of a status that an opened account supplies: connection, rate budget, and orders of unknown outcome. */
const liveStatusSource = (
  opened: OpenedAccount,
  time: LiveTime,
  warnings: () => readonly string[],
): LiveStatusSource => ({
  read: () => {
    const health = opened.feed.health()
    const { lastMessageAgeMs, connectedSince, bySymbol } = health
    const isPolling = bySymbol.size > 0 && [...bySymbol.values()].every(({ source }) => source === 'polled')
    return {
      connection: health.state,
      stream: isPolling ? 'polling' : connectedSince === undefined ? 'lost' : 'open',
      dataAt: lastMessageAgeMs === undefined ? undefined : Math.round(time.now() - lastMessageAgeMs),
      budget: opened.budget(),
      undecided: undecidedOf(opened.account),
      warnings: warnings(),
    }
  },
  save: (status: LiveStatus) => {
    // The state would keep a field without a value as null, which no reader of a status expects.
    const plain: unknown = JSON.parse(JSON.stringify(status))
    saveStatus(opened.state, { version: version(), pid: process.pid, time: status.time, status: plain })
  },
})

function undecidedOf({ manager, markets }: OpenedAccount['account']): readonly UndecidedIntent[] {
  const intents = UNDECIDED.flatMap((state) => [...manager.intents.inState(state)])
  return intents
    .filter(({ isFinished }) => !isFinished)
    .flatMap(({ id, owner, state, symbol, side, price, qty }) => {
      const market = markets.find((each) => each.symbol === symbol)
      if (market === undefined) return []
      const { pricePrecision, qtyPrecision } = market
      const atPrice = price === undefined ? undefined : formatUnits(price, pricePrecision)
      return [{ id, owner, state, symbol, side, price: atPrice, qty: formatUnits(qty, qtyPrecision) }]
    })
}
