/**
 * `papertape paper`, after its flags are parsed: events as lines, a status line in a terminal, and the report at the
 * end.
 */
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import { escapeControls } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import { eventLine } from '../../report/live/event-text.ts'
import { awaitedText } from '../../report/live/status-lines.ts'
import { readableCount } from '../../report/readable.ts'
import type { FailureReport } from '../../report/run/run-report.ts'
import { summary } from '../../report/summary/summary.ts'
import { reportAccount } from '../../run/operator.ts'
import { paper } from '../../run/paper.ts'
import type { PaperListener, PaperRun } from '../../run/paper-options.ts'
import { LiveNews, type LiveEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus, PaperStatus } from '../../runtime/live/live-status.ts'
import { liveStatusOfPaper } from '../../runtime/live/session-status.ts'
import { version } from '../../runtime/version.ts'
import { columnsOf, io } from '../cli-io.ts'
import { hasColour } from '../colour.ts'
import { readConfigOf } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import type { FlagValues } from '../cli-command.ts'
import { EXIT } from '../exit-code.ts'
import type { NotifiedSession } from '../notify/notifiers.ts'
import { sessionWatchers } from '../session-watchers.ts'
import { untilSignalled } from '../until-signalled.ts'
import { SessionWindow } from '../../server/window/session-window.ts'
import { paperOf, type GivenPaper } from './paper-flags.ts'

// Taken at load time, because the global refuses while a strategy runs.
const wallClock = Date.now

/** The process looks four times a second. */
const WAIT_MS = 15_000

/**
 * Executes the commands of operators of the window and of Telegram, as those of the command line. Undefined without a
 * state: Ctrl-C ends the session, and no money is at stake.
 */
const operatorsOf = (directory: string | undefined): NotifiedSession['report'] =>
  directory === undefined
    ? undefined
    : (command) => {
        const waitMs = command.kind === 'flatten' ? command.withinMs + WAIT_MS : WAIT_MS
        return reportAccount({ directory, kind: 'paper', clocks: MACHINE_CLOCKS }, command, waitMs)
      }

/**
 * Trades on paper until a signal; the second one ends the process immediately.
 *
 * @returns the exit code
 */
export async function paperUntilStopped(strategies: readonly string[], values: FlagValues): Promise<number> {
  consoleToStderr(io.stderr)
  io.life.outliveOutput()
  const file = sessionConfig(await readConfigOf(strategies, values), 'paper')
  const { options, window: port, ...shown } = paperOf(strategies, values, file)
  const report = operatorsOf(options.state)
  const window = port === undefined ? undefined : new SessionWindow({ port, kind: 'paper', version: version(), report })
  const output = new PaperOutput({ ...shown, url: options.url, isPortfolio: options.strategies !== undefined }, window)
  const session = { kind: 'paper', baseUrl: options.url, news: output.news, report } as const
  const watchers = await sessionWatchers({ values, file: file.values, ...session })
  output.watch(watchers.onStatus)
  let run: PaperRun | undefined
  try {
    if (window !== undefined) io.stderr.write(`window ${await window.open()}\n`)
    run = await paper({
      ...options,
      signal: untilSignalled(),
      onWarning: (message) => {
        output.report({ type: 'warning', owner: undefined, time: wallClock(), message })
      },
      listener: output.listener,
    })
  } catch (error) {
    watchers.fail(error)
    throw error
  } finally {
    const wallet = run?.strategies === undefined ? [] : [run.directory]
    for (const directory of [...output.runDirectories, ...wallet]) await writePage(directory)
    await window?.close()
    if (run !== undefined) output.end(run)
    await watchers.close()
  }
  return run === undefined ? EXIT.done : exitCodeOf(run)
}

async function writePage(directory: string): Promise<void> {
  const { pageBeside } = await import('../page-beside.ts')
  io.stderr.write(pageBeside(directory))
}

function exitCodeOf(run: PaperRun): number {
  if (!run.report.audit.ok) return EXIT.invariant
  return failuresOf(run).length === 0 ? EXIT.done : EXIT.failed
}

/** Failures of the strategies, each with its name. */
const failuresOf = ({ report, strategies }: PaperRun): readonly (readonly [string, FailureReport])[] =>
  strategies === undefined
    ? report.failure === null
      ? []
      : [[report.strategy.name, report.failure]]
    : strategies.flatMap(({ name, report: { failure } }) => (failure === null ? [] : [[name, failure] as const]))

interface PaperOutputOptions extends Pick<GivenPaper, 'json' | 'quiet'> {
  readonly url: string
  /** True if events name their strategy. */
  readonly isPortfolio: boolean
}

class PaperOutput {
  readonly news = new LiveNews()
  readonly #options: PaperOutputOptions
  readonly #window: SessionWindow | undefined
  readonly #watchers: ((status: LiveStatus) => void)[]
  readonly #startedAt = wallClock()
  /** The strategies that run, with their directories and last status. */
  readonly #strategies = new Map<string, ShownStrategy>()
  /** True while the last line of the terminal is the status line. */
  #hasStatus = false

  constructor(options: PaperOutputOptions, window: SessionWindow | undefined) {
    this.#options = options
    this.#window = window
    this.#watchers = window === undefined ? [] : [window.onStatus]
    this.news.listen((event) => {
      const isTrouble = event.type === 'warning' || (event.type === 'twin' && event.total === undefined)
      if (!options.quiet) this.#print(options.json ? JSON.stringify(event) : escapeControls(eventLine(event)))
      else if (isTrouble) io.stderr.write(`${escapeControls(eventLine(event))}\n`)
    })
  }

  /** Passes the status of all strategies to a watcher, once a second. */
  watch(watcher: (status: LiveStatus) => void): void {
    this.#watchers.push(watcher)
  }

  /** Directories of the strategies that run. */
  get runDirectories(): readonly string[] {
    return [...this.#strategies.values()].map(({ runDirectory }) => runDirectory)
  }

  report(event: LiveEvent): void {
    this.news.report(event)
  }

  get listener(): PaperListener {
    const { url } = this.#options
    return {
      onStart: (runDirectory, name, chart) => {
        this.#window?.chart(name, chart)
        this.#strategies.set(name, { runDirectory, status: undefined, firstEquity: '' })
        this.report({ type: 'started', owner: this.#owner(name), time: wallClock(), baseUrl: url, runDirectory })
      },
      onLog: (time, message, name) => {
        this.report({ type: 'log', owner: this.#owner(name), time, message })
      },
      onFill: ({ symbol, side, price, qty, orderId, tag, createdAt: time, isRecovered }, name) => {
        const amounts = { price: price.toFixed(), qty: qty.toFixed() }
        const recovered = isRecovered === true ? { isRecovered } : {}
        this.#window?.onFill(name, { time, symbol, side, ...amounts })
        this.report({
          type: 'fill',
          owner: this.#owner(name),
          time,
          symbol,
          side,
          ...amounts,
          orderId,
          tag,
          ...recovered,
        })
      },
      onState: ({ state, why, time }, name) => {
        this.report({ type: 'state', owner: this.#owner(name), time, state, why })
      },
      onTwin: ({ owner, ...twin }) => {
        this.report({ type: 'twin', owner: this.#owner(owner), time: wallClock(), ...twin })
      },
      onFailure: (failure, name) => {
        if (!this.#options.isPortfolio) return
        const message = `failed: ${failure}; its orders are cancelled, the others go on`
        this.report({ type: 'ended', owner: name, time: wallClock(), exitCode: EXIT.failed, message })
      },
      onStatus: (status, name) => {
        this.#onStatus(status, name)
      },
      events: () => this.news.last,
    }
  }

  /** A strategy that runs alone is not named. */
  #owner(name: string | undefined): string | undefined {
    return this.#options.isPortfolio ? name : undefined
  }

  #onStatus(status: PaperStatus, name: string): void {
    const strategy = this.#strategies.get(name)
    if (strategy === undefined) return
    strategy.status = status
    if (strategy.firstEquity === '' && !status.isPartial) strategy.firstEquity = status.equity
    const all = [...this.#strategies].flatMap(([owner, { status: last, ...rest }]) =>
      last === undefined ? [] : [{ owner, status: last, ...rest }],
    )
    // Shown once a second, after the last of them.
    if (all.length < this.#strategies.size || all.at(-1)?.owner !== name) return
    const { url, json, quiet, isPortfolio } = this.#options
    const shown = liveStatusOfPaper({ url, startedAt: this.#startedAt, events: this.news.last, strategies: all })
    if (shown !== undefined) for (const watcher of this.#watchers) watcher(shown)
    if (!io.stdout.isTTY || json || quiet) return
    this.#clear()
    const line = isPortfolio ? portfolioLine(all) : statusLine(status)
    io.stdout.write(line.slice(0, Math.max(20, (columnsOf(io.stdout) ?? 80) - 1)))
    this.#hasStatus = true
  }

  end(run: PaperRun): void {
    const { directory, report, equity } = run
    const { json, quiet, isPortfolio } = this.#options
    const failures = failuresOf(run)
    const texts = failures.map(([name, failure]) => (isPortfolio ? `${name} ` : '') + failureText(failure))
    const message = [...(texts.length === 0 ? ['ended'] : texts), `files: ${directory}`].join('; ')
    const exitCode = failures.length === 0 ? EXIT.done : EXIT.failed
    this.report({ type: 'ended', owner: undefined, time: wallClock(), exitCode, message })
    if (quiet && failures.length > 0) io.stderr.write(`${message}\n`)
    if (json || quiet) return
    const points = equity.map((point) => Number(point.equity))
    this.#print(summary(report, points, hasColour(io.stdout), directory, columnsOf(io.stdout)))
  }

  #print(text: string): void {
    this.#clear()
    io.stdout.write(`${text}\n`)
  }

  #clear(): void {
    if (this.#hasStatus) io.stdout.write('\r\u001b[K')
    this.#hasStatus = false
  }
}

function failureText({ message, time, place }: FailureReport): string {
  const where = place === null ? '' : ` (${place})`
  return `failed at ${isoTime(time)}: ${message}${where}`
}

interface ShownStrategy {
  readonly runDirectory: string
  status: PaperStatus | undefined
  /** Equity of the first status; empty before. */
  firstEquity: string
}

/** Status of several strategies in a line. */
function portfolioLine(all: readonly { readonly owner: string; readonly status: PaperStatus }[]): string {
  const [first] = all
  if (first === undefined) return ''
  const each = all.map(({ owner, status }) => {
    const state = status.state === 'ACTIVE' ? '' : ` ${status.state}`
    return `${owner} ${status.equity} ${status.quoteAsset}${state}`
  })
  return [isoTime(first.status.time), first.status.connection, ...each].join('  ')
}

function statusLine(status: PaperStatus): string {
  const { time, connection, reconnects, trades, equity, quoteAsset, openOrders, fills, lastPrices, awaited } = status
  const again = reconnects === 0 ? '' : `, ${readableCount(reconnects, 'reconnect')}`
  const last = Object.entries(lastPrices).map(([symbol, price]) => `${symbol} ${price}`)
  const counts = [readableCount(trades, 'trade'), readableCount(openOrders, 'open order'), readableCount(fills, 'fill')]
  return [
    isoTime(time),
    `${connection}${again}`,
    `${equity} ${quoteAsset}`,
    counts.join(', '),
    ...awaited.map(awaitedText),
    ...last,
  ].join('  ')
}
