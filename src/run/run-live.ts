/**
 * A live process from options to reports: account, sessions, and their end.
 *
 * Invariant: no strategy receives an event before the account is reconciled and open orders of earlier sessions are
 * adopted.
 */
import { join } from 'node:path'
import type { ExchangeAdapter } from '../adapter/exchange-adapter.ts'
import { ExchangeError, throwIfAborted } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import { LiveRun } from '../runtime/live/live-run.ts'
import { LiveSession, type LiveWatcher } from '../runtime/live/live-session.ts'
import type { SessionEnd } from '../runtime/live/session-end.ts'
import { statusOfSession } from '../runtime/live/session-status.ts'
import { StatusWatch } from '../runtime/live/status-watch.ts'
import { accountAudit, booksAudit } from '../runtime/live/session-ledger.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import {
  atExitOf,
  checkedLiveSettings,
  DEFAULT_SETTLE_MS,
  DEFAULT_STOP_TIMEOUT,
  DEFAULT_TIMEOUT_MS,
  waitMsOf,
} from '../runtime/settings/live-settings.ts'
import { readDuration } from '../runtime/settings/form.ts'
import type { Recordings } from '../runtime/recording/recordings.ts'
import type { ParamValues } from '../runtime/strategies/params.ts'
import { version } from '../runtime/version.ts'
import { accountName } from '../store/state/data-directory.ts'
import { factsOfSession, leftOf, soFarOf } from './facts-of-session.ts'
import { receivedOf, recordingsOf } from './live-received.ts'
import { openBooks, quoteAssetOf, storesOf, walletRiskOf, warnOfAbsent } from './live-books.ts'
import { checkRebalanced, rebalanceLive } from './live-rebalancing.ts'
import { outOf, refuseUsedOut, type LiveFiles } from './live-files.ts'
import type { EndedSession, LiveListener, LiveOptions, LiveParts, LiveResult } from './live-options.ts'
import { termsByOwner, termsOfAll, type LiveTerms } from './live-terms.ts'
import { closedAfter, LiveProcess } from './live-process.ts'
import { SessionSeries } from './session-series.ts'
import { checkShadow, shadowOf, type LiveShadow } from './shadow/live-shadow.ts'
import { checkNightly, startNightly } from './nightly/nightly.ts'
import { continuedParamsOf, loadStrategies, type OwnedStrategy } from './live-strategies.ts'

/**
 * Trades until the signal aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for wrong options or unusable files
 * @throws {ExchangeError} if the service or the account cannot be used from the start
 * @throws {AbortError} if the signal aborts before a strategy has received an event
 */
export async function runLive(options: Omit<LiveOptions, 'watcher'>, parts: LiveParts): Promise<LiveResult> {
  const checked = checkedLiveSettings(options)
  checkShadow(options)
  const settings = { ...options, ...checked, url: checked.url ?? options.url, atExit: atExitOf(checked) }
  const all = termsOfAll(options)
  const owned = await loadStrategies(options.strategies)
  // Wrong limits of a strategy are reported before the account is opened.
  const terms = { ...all, termsByOwner: termsByOwner(options, owned) }
  checkNightly(options, owned, all.terms)
  const { listener = {}, ...own } = settings
  return await new LiveTrading(own, listener, parts, terms).trade(owned)
}

interface Trader {
  readonly owned: OwnedStrategy
  readonly session: LiveSession
  readonly files: LiveFiles
}

/** Listeners are excluded: events leave only through `outsideListener`. */
type OwnOptions = Omit<LiveOptions, 'listener' | 'watcher'>

class LiveTrading {
  readonly #options: OwnOptions
  readonly #process: LiveProcess<LiveListener>
  readonly #parts: LiveParts
  readonly #terms: LiveTerms
  readonly #ended: EndedSession[] = []
  readonly #inexactMath: string[] = []
  #traders: readonly Trader[] = []
  #isStartReported = false
  /** Whether each strategy has a book of its own. */
  #hasBooks = false
  #run: LiveRun | undefined
  #account: TradingAccount | undefined
  #recordings: Recordings | undefined
  #shadow: LiveShadow | undefined
  #series: SessionSeries | undefined

  constructor(options: OwnOptions, listener: Partial<LiveListener>, parts: LiveParts, terms: LiveTerms) {
    this.#options = options
    this.#parts = parts
    this.#terms = terms
    const readAgain = (): void => this.#account?.look()
    const { signal } = options
    this.#process = new LiveProcess({ clocks: parts.clocks, signal, listener, warned: listener, readAgain })
  }

  trade(owned: readonly OwnedStrategy[]): Promise<LiveResult> {
    return this.#process.during(async () => {
      for (const { owner } of owned) refuseUsedOut(outOf(this.#options.out, owner, owned.length))
      this.#series = await SessionSeries.open(this.#options.series, this.#process)
      const account = await this.#open()
      this.#account = account
      return await closedAfter(this.#tradeOn(account, owned), [() => this.#recordings?.close(), () => account.close()])
    })
  }

  async #tradeOn(account: TradingAccount, owned: readonly OwnedStrategy[]): Promise<LiveResult> {
    const { end } = this.#process
    await end.before(this.#begin(account, owned))
    end.throwIfOver()
    await this.#process.inWorld(
      (name) => void this.#inexactMath.push(name),
      () => this.#live(account),
    )
    end.throwFailure()
    const shadow = await this.#shadow?.end(this.#ended[0]?.report)
    const halted = account.blockedMarkets().map(({ symbol }) => symbol)
    return { sessions: this.#ended, fault: this.#run?.fault, halted, shadow }
  }

  /** @throws {AbortError} if the signal ends the wait for the service */
  #open(): Promise<TradingAccount> {
    const { url, apiKey, state, timeoutMs, reconcileMs, uniqueQty, wait, signal } = this.#options
    const { dataDirectory, session, openAccount } = this.#parts
    const { makerFeeBps, takerFeeBps } = this.#terms.terms
    return openAccount({
      url,
      apiKey,
      session,
      time: this.#process.loop,
      fees: { makerFeeBps, takerFeeBps },
      state: state ?? join(dataDirectory, 'live', accountName(url, apiKey)),
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      settleMs: reconcileMs ?? DEFAULT_SETTLE_MS,
      uniqueQty: uniqueQty ?? false,
      waitMs: waitMsOf(wait),
      signal,
      onWarning: this.#process.warn,
      onError: this.#process.onError,
    }).catch((error: unknown) => {
      if (error instanceof ExchangeError) throwIfAborted(signal)
      throw error
    })
  }

  /** Everything up to the first event of a strategy. */
  async #begin(account: TradingAccount, owned: readonly OwnedStrategy[]): Promise<void> {
    const { markets } = account
    const { symbol, params: values, paramTexts: texts = {}, record: path } = this.#options
    const log = (owner: string, text: string): void =>
      this.#process.listener.onLog?.(owner, this.#process.loop.now(), text)
    const params = continuedParamsOf(owned, { markets, symbol, values, texts }, account.paramsOf, log)
    const adapters = owned.map(({ owner }) => account.exchangeOf(owner, this.#terms.terms.onLimit))
    for (const adapter of adapters) adapter.series = this.#series?.byName
    const named = new Set(params.flatMap((each) => Object.values(each).flat()))
    const symbols = markets.flatMap(({ symbol: each }) => (named.has(each) ? [each] : []))
    this.#recordings = recordingsOf(account, { path, symbols, onFailure: this.#process.onRecordingLost })
    await account.begin(symbols)
    await this.#recordings?.resume()
    // The files of sessions created after the end would never be completed.
    this.#process.end.throwIfOver()
    const { rebalance } = this.#terms
    checkRebalanced(
      rebalance,
      params.map((own) => quoteAssetOf(markets, own)),
    )
    const needsBooks = rebalance !== undefined
    this.#hasBooks = openBooks(account, owned, params, { warn: this.#process.warn, log, needsBooks })
    warnOfAbsent(account, owned, this.#process.warn)
    this.#traders = this.#tradersOf(account, owned, params, adapters)
  }

  #tradersOf(
    account: TradingAccount,
    owned: readonly OwnedStrategy[],
    params: readonly ParamValues[],
    adapters: readonly ExchangeAdapter[],
  ): readonly Trader[] {
    const { markets } = account
    const { listener } = this.#process
    // The next start reads back what the files contain.
    const onLost = (): void => {
      for (const each of owned) account.loseFiles?.(each.owner)
    }
    const walletRisk = walletRiskOf(account, {
      limits: this.#terms.walletLimits,
      adapter: adapters[0],
      quoteAsset: quoteAssetOf(markets, params[0] ?? {}),
      hasBooks: this.#hasBooks,
    })
    return owned.flatMap((each, index) => {
      const { owner, loaded } = each
      const [adapter, own = {}] = [adapters[index], params[index]]
      if (adapter === undefined) return []
      const files = this.#process.openFiles(owner, {
        out: outOf(this.#options.out, owner, owned.length),
        dataDirectory: this.#parts.dataDirectory,
        markets,
        onFill: (fill) => listener.onFill?.(owner, fill),
        onLog: (time, message) => listener.onLog?.(owner, time, message),
        onLost,
      })
      account.saveFiles?.(owner, files.path)
      const quoteAsset = quoteAssetOf(markets, own)
      const holder = account.flattening?.holderOf(owner)
      const terms = this.#terms.termsByOwner.get(owner) ?? this.#terms.terms
      const series = this.#series?.infos
      const run = { loop: this.#process.loop, adapter, loaded, params: own, terms, quoteAsset, owner, series }
      const parts = { ...run, files, watcher: this.#watcherOf(owner), ...storesOf(account, owner), walletRisk, holder }
      return [{ owned: each, files, session: new LiveSession(parts) }]
    })
  }

  #watcherOf(owner: string): LiveWatcher {
    const { listener } = this.#process
    return {
      onRefusal: (code, by) => listener.onRefusal?.(owner, code, by),
      onState: (change) => listener.onState?.(owner, change),
      onFault: (error) => {
        if (this.#run?.fault === undefined) listener.onFault?.(error.message)
        this.#run?.onFault(error)
      },
    }
  }

  async #live(account: TradingAccount): Promise<void> {
    const { atExit, stopTimeout = DEFAULT_STOP_TIMEOUT } = this.#options
    const { loop, end, warn, onError, fail } = this.#process
    end.throwIfOver()
    const stopTimeoutMs = readDuration(setting('stopTimeout'), stopTimeout)
    const sessions = this.#traders.map(({ session }) => session)
    const atEnd = { keepOrders: atExit === 'keep', flattens: atExit === 'flatten', stopTimeoutMs }
    const run = new LiveRun({
      loop,
      account,
      sessions,
      ...atEnd,
      onWarning: warn,
      onError,
      onFailure: fail,
      onEnd: (session, ended) => {
        this.#onEnd(session, ended)
      },
    })
    this.#run = run
    this.#process.adopt(run)
    end.atOnce(() => {
      run.stop()
    })
    const line = account.operators?.(run, warn)
    let stopStatus: (() => void) | undefined
    try {
      line?.start()
      this.#series?.begin({ feedMs: 0, store: account.seriesStore })
      const flush = this.#process.startKeeping(this.#options, () => receivedOf(sessions, this.#series?.live), run)
      this.#series?.follow(0, () => run.isListening)
      const soFar = () => soFarOf(this.#traders, this.#series?.reports)
      startNightly(this.#options, this.#process, { flush, soFar })
      rebalanceLive(this.#terms.rebalance, { account, run, sessions, loop, onWarning: warn })
      this.#shadow = shadowOf(this.#options, this.#traders[0], { live: this.#process, account })
      stopStatus = this.#watchStatus(account)
      await Promise.race([account.followed?.(), run.ended])
      this.#reportStart()
    } catch (error) {
      // A strategy that cannot start ends the others before they have begun: their reports name it.
      if (!run.isBegun) end.fail(error)
      run.stop()
      throw error
    } finally {
      await run.ended
      line?.stop()
      stopStatus?.()
    }
  }

  /** Called once, before any end: from then on no trade is missed. */
  #reportStart(): void {
    if (this.#isStartReported) return
    this.#isStartReported = true
    this.#process.listener.onStart?.(
      this.#traders.map(({ session, files }) => ({ owner: session.options.owner, directory: files.path, session })),
    )
  }

  /** @returns stops it */
  #watchStatus({ statusSource, blockedMarkets }: TradingAccount): (() => void) | undefined {
    if (statusSource === undefined) return undefined
    const { loop: time, warn: onTrouble, listener } = this.#process
    const watch = new StatusWatch({
      time,
      baseUrl: this.#options.url,
      source: statusSource,
      blockedMarkets,
      onTrouble,
      strategies: () =>
        this.#traders.map(({ session, files }) =>
          statusOfSession(session, files.path, this.#account?.capital?.transfers.of(session.owner)),
        ),
      events: () => listener.events?.() ?? [],
      onStatus: (status) => listener.onStatus?.(status),
      onHalt: (market) => listener.onHalt?.(market),
    })
    return this.#process.everySecond(() => {
      watch.look()
    })
  }

  #onEnd(session: LiveSession, end: SessionEnd): void {
    const files = this.#traders.find((each) => each.session === session)?.files
    if (files === undefined) return
    const { owner, adapter } = session.options
    const ledgers = this.#traders.map((each) => each.session.watch.ledger)
    const books = this.#hasBooks ? this.#account?.capital : undefined
    const facts = factsOfSession({
      version: version(),
      session,
      end,
      url: this.#options.url,
      name: this.#parts.session,
      inexactMath: this.#inexactMath,
      series: this.#series?.reports ?? [],
      failure: this.#process.end.failure,
      audit: books === undefined ? accountAudit(ledgers, adapter.balances()) : booksAudit(ledgers, books.total()),
    })
    const report = reportOfRun(facts)
    files.finish(report, session.watch.figures)
    this.#account?.leave?.(owner)
    const ended = { owner, directory: files.path, report, left: leftOf(end, adapter.openOrders()) }
    if (this.#run?.isBegun === false) return
    this.#ended.push(ended)
    this.#reportStart()
    this.#process.warnings.flush()
    this.#process.listener.onEnd?.(ended)
  }
}
