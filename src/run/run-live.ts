/**
 * A live process from options to reports: account, sessions, and their end.
 *
 * Invariant: no strategy receives an event before the account is reconciled and open orders of earlier sessions are
 * adopted.
 */
import { join } from 'node:path'
import { throwIfAborted, AbortError, ExchangeError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import { inVirtualWorld } from '../runtime/backtest/virtual-world.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { LiveRun } from '../runtime/live/live-run.ts'
import { LiveSession } from '../runtime/live/live-session.ts'
import type { SessionEnd } from '../runtime/live/session-end.ts'
import { statusOfSession } from '../runtime/live/session-status.ts'
import { StatusWatch } from '../runtime/live/status-watch.ts'
import { WarningLimiter } from '../runtime/live/warning-limiter.ts'
import { accountAudit } from '../runtime/live/session-ledger.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import {
  atExitOf,
  checkedLiveSettings,
  DEFAULT_SETTLE_MS,
  DEFAULT_STOP_TIMEOUT,
  DEFAULT_TIMEOUT_MS,
  resolveLiveTerms,
  waitMsOf,
} from '../runtime/settings/live-settings.ts'
import { readDuration } from '../runtime/settings/form.ts'
import type { Recordings } from '../runtime/recording/recordings.ts'
import { outsideListener } from '../runtime/session/outside-listener.ts'
import type { RunTerms } from '../runtime/settings/run-terms.ts'
import { version } from '../runtime/version.ts'
import { accountName, makeRunDirectory } from '../store/state/data-directory.ts'
import { factsOfSession, leftOf } from './facts-of-session.ts'
import { LiveFiles, outOf, refuseUsedOut, sinkOf, type FileFaults } from './live-files.ts'
import type { EndedSession, LiveListener, LiveOptions, LiveParts, LiveResult } from './live-options.ts'
import { loadStrategies, paramsOf, type OwnedStrategy } from './live-strategies.ts'

/**
 * Trades until the signal aborts, every strategy has failed, or the account cannot be used.
 *
 * @throws {InputError} for wrong options or unusable files
 * @throws {ExchangeError} if the service or the account cannot be used from the start
 * @throws {AbortError} if the signal aborts before a strategy has received an event
 */
export async function runLive(options: Omit<LiveOptions, 'watcher'>, parts: LiveParts): Promise<LiveResult> {
  const checked = checkedLiveSettings(options)
  const settings = { ...options, ...checked, url: checked.url ?? options.url, atExit: atExitOf(checked) }
  const terms = resolveLiveTerms(options.terms ?? {})
  const owned = await loadStrategies(options.strategies)
  const { listener = {}, ...own } = settings
  const process = new LiveProcess(own, listener, parts, terms)
  return process.trade(owned)
}

interface Trader {
  readonly session: LiveSession
  readonly files: LiveFiles
}

/** Listeners are excluded: events leave only through `outsideListener`. */
type OwnOptions = Omit<LiveOptions, 'listener' | 'watcher'>

class LiveProcess {
  readonly #options: OwnOptions
  readonly #listener: Partial<LiveListener>
  readonly #warnings: WarningLimiter
  readonly #parts: LiveParts
  readonly #terms: RunTerms
  readonly #loop: LiveLoop
  readonly #ended: EndedSession[] = []
  readonly #inexactMath: string[] = []
  /** Rejects on an internal error before the run exists. */
  readonly #broken: Promise<never>
  #break: (error: unknown) => void = () => undefined
  #traders: readonly Trader[] = []
  #isStartReported = false
  #run: LiveRun | undefined
  #account: TradingAccount | undefined
  #recordings: Recordings | undefined

  constructor(options: OwnOptions, listener: Partial<LiveListener>, parts: LiveParts, terms: RunTerms) {
    this.#options = options
    this.#parts = parts
    this.#terms = terms
    this.#broken = new Promise((_, reject) => {
      this.#break = reject
    })
    this.#broken.catch(() => undefined)
    this.#loop = new LiveLoop(parts.clocks, {
      onJump: (byMs) => {
        this.#warn(`the clock jumped by ${byMs} ms; reading the account again`)
        this.#account?.look()
      },
      onSetBack: (byMs) => {
        this.#warn(`the clock of this machine was set back by ${byMs} ms; the session keeps its own time`)
      },
      onError: this.#onError,
    })
    this.#listener = outsideListener(this.#loop.turn, listener)
    this.#warnings = new WarningLimiter(this.#loop, (text) => this.#listener.onWarning?.(text))
  }

  async trade(owned: readonly OwnedStrategy[]): Promise<LiveResult> {
    const loop = this.#loop
    try {
      for (const { owner } of owned) refuseUsedOut(outOf(this.#options.out, owner, owned.length))
      const account = await this.#open()
      this.#account = account
      try {
        await Promise.race([this.#begin(account, owned), this.#broken, aborted(this.#options.signal)])
        const world = { queue: loop.queue, turn: loop.turn, onError: this.#onError }
        const onInexactMath = (name: string): void => void this.#inexactMath.push(name)
        await inVirtualWorld({ ...world, onInexactMath }, () => this.#live(account))
        const halted = account.halts().map(({ symbol }) => symbol)
        return { sessions: this.#ended, fault: this.#run?.fault, halted }
      } finally {
        this.#recordings?.close()
        await account.close()
      }
    } finally {
      this.#warnings.flush()
      loop.stop()
    }
  }

  /** @throws {AbortError} if the signal ends the wait for the service */
  #open(): Promise<TradingAccount> {
    const { url, apiKey, state, timeoutMs, reconcileMs, uniqueQty, wait, signal } = this.#options
    const { dataDirectory, session, openAccount } = this.#parts
    const { makerFeeBps, takerFeeBps } = this.#terms
    return openAccount({
      ...{ url, apiKey, session, time: this.#loop, fees: { makerFeeBps, takerFeeBps } },
      state: state ?? join(dataDirectory, 'live', accountName(url, apiKey)),
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      settleMs: reconcileMs ?? DEFAULT_SETTLE_MS,
      uniqueQty: uniqueQty ?? false,
      waitMs: waitMsOf(wait),
      signal,
      onWarning: this.#warn,
      onError: this.#onError,
    }).catch((error: unknown) => {
      if (error instanceof ExchangeError) throwIfAborted(signal)
      throw error
    })
  }

  /** Everything up to the first event of a strategy. */
  async #begin(account: TradingAccount, owned: readonly OwnedStrategy[]): Promise<void> {
    const { symbol, params: values, paramTexts = {} } = this.#options
    const { markets } = account
    const params = paramsOf(owned, { markets, symbol, values, texts: paramTexts })
    const adapters = owned.map(({ owner }) => account.exchangeOf(owner, this.#terms.onLimit))
    const named = new Set(params.flatMap((each) => Object.values(each).flat()))
    const symbols = markets.flatMap(({ symbol: each }) => (named.has(each) ? [each] : []))
    this.#recordings = this.#recordingsOf(account, symbols)
    await account.begin(symbols)
    await this.#recordings?.resume()
    for (const owner of account.absentOwners) {
      this.#warn(`'${owner}' is not running but has open orders; they are left alone`)
    }
    this.#warnOfAbsentConditionals(account, owned)
    this.#traders = owned.flatMap(({ owner, loaded }, index) => {
      const [adapter, own = {}] = [adapters[index], params[index]]
      if (adapter === undefined) return []
      const files = new LiveFiles(setting('out'), this.#directoryOf(owner, owned.length), markets, this.#fileFaults)
      account.keepFiles?.(owner, files.path)
      const market = markets.find((each) => each.symbol === own.symbol) ?? markets[0]
      const quoteAsset = market?.quoteAsset ?? ''
      const watcher = this.#watcherOf(owner, files)
      const keeps = { waits: account.waitsOf?.(owner), riskKeep: account.riskKeepOf?.(owner) }
      const holder = account.flattening?.holderOf(owner)
      const run = { loop: this.#loop, adapter, loaded, params: own, terms: this.#terms, quoteAsset, owner }
      const parts = { ...run, watcher, ...keeps, holder }
      return [{ files, session: new LiveSession(parts) }]
    })
  }

  #warnOfAbsentConditionals({ conditionalOwners }: TradingAccount, owned: readonly OwnedStrategy[]): void {
    for (const absent of conditionalOwners?.() ?? []) {
      if (owned.some(({ owner }) => owner === absent)) continue
      this.#warn(`'${absent}' is not running but has conditional orders; no price triggers them until it runs`)
    }
  }

  /** Recordings of the markets that the parameters name; of every market if they name none. */
  #recordingsOf(account: TradingAccount, symbols: readonly string[]): Recordings | undefined {
    const { record: path } = this.#options
    if (path === undefined) return undefined
    return account.recordings?.({
      path,
      symbols: symbols.length > 0 ? symbols : account.markets.map(({ symbol }) => symbol),
      // The sessions continue without recording.
      onFailure: (error) => {
        this.#warn(`a market is no longer recorded: ${error instanceof Error ? error.message : String(error)}`)
      },
    })
  }

  #directoryOf(owner: string, count: number): string {
    const { dataDirectory } = this.#parts
    const out = outOf(this.#options.out, owner, count)
    return out ?? makeRunDirectory(setting('out'), dataDirectory, owner, this.#loop.now())
  }

  #watcherOf(owner: string, files: LiveFiles): LiveSession['options']['watcher'] {
    return {
      ...sinkOf(files),
      onFill: (fill) => {
        files.onFill(fill)
        this.#listener.onFill?.(owner, fill)
      },
      onLog: (time, message) => {
        this.#listener.onLog?.(owner, time, message)
      },
      onRefusal: (code, by) => {
        this.#listener.onRefusal?.(owner, code, by)
      },
      onState: (change) => {
        this.#listener.onState?.(owner, change)
      },
      onFault: (error) => {
        if (this.#run?.fault === undefined) this.#listener.onFault?.(error.message)
        this.#run?.onFault(error)
      },
    }
  }

  async #live(account: TradingAccount): Promise<void> {
    const { signal, atExit, stopTimeout = DEFAULT_STOP_TIMEOUT } = this.#options
    const stopTimeoutMs = readDuration(setting('stopTimeout'), stopTimeout)
    const sessions = this.#traders.map(({ session }) => session)
    const atEnd = { keepOrders: atExit === 'keep', flattens: atExit === 'flatten', stopTimeoutMs }
    const run = new LiveRun({
      ...{ loop: this.#loop, account, sessions, ...atEnd },
      onEnd: (session, end) => {
        this.#onEnd(session, end)
      },
      onWarning: this.#warn,
    })
    this.#run = run
    const stop = (): void => {
      run.stop()
    }
    throwIfAborted(signal)
    const status = this.#statusWatch(account)
    const line = account.operators?.(run, this.#warn)
    try {
      line?.start()
      run.start()
      status?.start()
    } catch (error) {
      line?.stop()
      status?.stop()
      run.stop()
      await run.ended
      throw error
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await Promise.race([account.followed?.(), run.ended])
      this.#reportStart()
      await run.ended
    } finally {
      line?.stop()
      status?.stop()
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Called once, before any end: from then on no trade is missed. */
  #reportStart(): void {
    if (this.#isStartReported) return
    this.#isStartReported = true
    this.#listener.onStart?.(
      this.#traders.map(({ session, files }) => ({ owner: session.options.owner, directory: files.path, session })),
    )
  }

  #statusWatch({ statusSource, halts }: TradingAccount): StatusWatch | undefined {
    if (statusSource === undefined) return undefined
    return new StatusWatch({
      ...{ time: this.#loop, baseUrl: this.#options.url, source: statusSource, halts, onTrouble: this.#warn },
      strategies: () => this.#traders.map(({ session, files }) => statusOfSession(session, files.path)),
      events: () => this.#listener.events?.() ?? [],
      onStatus: (status) => this.#listener.onStatus?.(status),
      onHalt: (halt) => this.#listener.onHalt?.(halt),
    })
  }

  #onEnd(session: LiveSession, end: SessionEnd): void {
    const files = this.#traders.find((each) => each.session === session)?.files
    if (files === undefined) return
    const { owner, adapter } = session.options
    const ledgers = this.#traders.map((each) => each.session.watch.ledger)
    const { url } = this.#options
    const facts = factsOfSession({
      ...{ version: version(), session, end, url, name: this.#parts.session, inexactMath: this.#inexactMath },
      failure: this.#run?.failure,
      audit: accountAudit(ledgers, adapter.balances()),
    })
    const report = reportOfRun(facts)
    files.finish(report, session.watch.figures.account)
    this.#account?.leave?.(owner)
    const ended = { owner, directory: files.path, report, left: leftOf(end, adapter.openOrders()) }
    this.#ended.push(ended)
    this.#reportStart()
    this.#warnings.flush()
    this.#listener.onEnd?.(ended)
  }

  /** A disk error ends the sessions in order; the next start reads back what the files contain. */
  readonly #fileFaults: FileFaults = {
    isEnding: () => this.#run?.isEnding === true,
    onError: (error) => {
      for (const { session } of this.#traders) this.#account?.loseFiles?.(session.options.owner)
      this.#run?.onError(error)
    },
  }

  readonly #warn = (text: string): void => {
    this.#warnings.warn(text)
  }

  readonly #onError = (error: unknown): void => {
    if (this.#run === undefined) this.#break(error)
    else this.#run.onError(error)
  }
}

/** Rejects when the signal aborts. */
const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => {
      reject(new AbortError(signal?.reason))
    }
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
