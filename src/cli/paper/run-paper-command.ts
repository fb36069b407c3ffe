/**
 * `papertape paper`, after its flags are parsed: events as lines, a status line in a terminal, and the report at the
 * end.
 */
import { escapeControls } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import { eventLine } from '../../report/live/event-text.ts'
import { awaitedText } from '../../report/live/status-lines.ts'
import { readableCount } from '../../report/readable.ts'
import type { FailureReport } from '../../report/run/run-report.ts'
import { summary } from '../../report/summary/summary.ts'
import { paper, type PaperListener, type PaperOptions, type PaperRun } from '../../run/paper.ts'
import { LiveNews, type LiveEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus, PaperStatus } from '../../runtime/live/live-status.ts'
import { version } from '../../runtime/version.ts'
import { columnsOf, io } from '../cli-io.ts'
import { hasColour } from '../colour.ts'
import { readConfigOf } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import type { FlagValues } from '../cli-command.ts'
import { EXIT } from '../exit-code.ts'
import { untilSignalled } from '../until-signalled.ts'
import { SessionWindow } from '../../server/window/session-window.ts'
import { paperOf, type GivenPaper } from './paper-flags.ts'

// Taken at load time, because the global refuses while a strategy runs.
const wallClock = Date.now

/** A paper session takes no operator commands: Ctrl-C ends it, and no money is at stake. */
const paperWindow = (port: number): SessionWindow => new SessionWindow({ port, kind: 'paper', version: version() })

interface PaperPlace {
  readonly owner: string
  readonly url: string
  readonly startedAt: number
  /** Equity of the first status; decimal string. */
  readonly firstEquity: string
  readonly runDirectory: string
}

function asLiveStatus(
  status: PaperStatus,
  { owner, url, startedAt, firstEquity, runDirectory }: PaperPlace,
  events: LiveStatus['events'],
): LiveStatus {
  const { time, connection, state, why, dataAt, equity, quoteAsset, positions, orders, waiting, awaited } = status
  const first = Number(firstEquity)
  return {
    time,
    startedAt,
    baseUrl: url,
    connection,
    dataAt,
    budget: undefined,
    stream: connection === 'connected' ? 'open' : 'lost',
    strategies: [
      {
        owner,
        state,
        why,
        quoteAsset,
        equity,
        positions,
        openOrders: orders,
        waiting,
        awaited,
        runDirectory,
        change: first > 0 ? Number(equity) / first - 1 : undefined,
      },
    ],
    undecided: [],
    halts: [],
    warnings: [],
    events,
  }
}

/**
 * Trades on paper until a signal; the second one ends the process immediately.
 *
 * @returns the exit code
 */
export async function paperUntilStopped(strategy: string | undefined, values: FlagValues): Promise<number> {
  consoleToStderr(io.stderr)
  io.life.outliveOutput()
  const file = sessionConfig(await readConfigOf(strategy === undefined ? [] : [strategy], values), 'paper')
  const { options, window: port, ...shown } = paperOf(strategy, values, file)
  const window = port === undefined ? undefined : paperWindow(port)
  const output = new PaperOutput(shown, window)
  if (window !== undefined) io.stderr.write(`window ${await window.open()}\n`)
  const run = await paper({
    ...options,
    signal: untilSignalled(),
    onWarning: (message) => {
      output.report({ type: 'warning', owner: undefined, time: wallClock(), message })
    },
    listener: output.listenerOf(options.url, nameOf(options.strategy)),
  }).finally(async () => {
    await writePage(output.runDirectory)
    await window?.close()
  })
  if (run === undefined) return EXIT.done
  output.end(run)
  return exitCodeOf(run)
}

async function writePage(directory: string | undefined): Promise<void> {
  if (directory === undefined) return
  const { pageBeside } = await import('../page-beside.ts')
  io.stderr.write(pageBeside(directory))
}

/** Owner name as in a live session: the name of its file, or its own. */
const nameOf = ({ strategy }: PaperOptions['strategy']): string =>
  typeof strategy === 'string' ? strategy : 'strategy'

function exitCodeOf({ report: { failure, audit } }: PaperRun): number {
  if (!audit.ok) return EXIT.invariant
  return failure === null ? EXIT.done : EXIT.failed
}

class PaperOutput {
  readonly #news = new LiveNews()
  readonly #isJson: boolean
  readonly #isQuiet: boolean
  /** True while the last line of the terminal is the status line. */
  #hasStatus = false
  readonly #window: SessionWindow | undefined
  /** Set when the strategy runs. */
  runDirectory: string | undefined

  constructor({ json, quiet }: Pick<GivenPaper, 'json' | 'quiet'>, window: SessionWindow | undefined) {
    this.#window = window
    this.#isJson = json
    this.#isQuiet = quiet
    this.#news.listen((event) => {
      this.#print(this.#isJson ? JSON.stringify(event) : escapeControls(eventLine(event)))
    })
  }

  report(event: LiveEvent): void {
    if (this.#isQuiet && event.type === 'warning') io.stderr.write(`${event.message}\n`)
    else if (!this.#isQuiet) this.#news.report(event)
  }

  listenerOf(url: string, name: string): PaperListener {
    const owner = undefined
    let place = { owner: name, url, startedAt: wallClock(), firstEquity: '', runDirectory: '' }
    return {
      onStart: (directory) => {
        this.runDirectory = directory
        place = { ...place, runDirectory: directory }
        this.report({ type: 'started', owner, time: wallClock(), baseUrl: url, runDirectory: directory })
      },
      onLog: (time, message) => {
        this.report({ type: 'log', owner, time, message })
      },
      onFill: ({ symbol, side, price, qty, orderId, tag, createdAt: time }) => {
        const amounts = { price: price.toFixed(), qty: qty.toFixed() }
        this.report({ type: 'fill', owner, time, symbol, side, ...amounts, orderId, tag })
      },
      onState: ({ state, why, time }) => {
        this.report({ type: 'state', owner, time, state, why })
      },
      onStatus: (status) => {
        if (place.firstEquity === '') place = { ...place, firstEquity: status.equity }
        this.#window?.onStatus(asLiveStatus(status, place, this.#news.last))
        if (!io.stdout.isTTY || this.#isJson || this.#isQuiet) return
        this.#clear()
        io.stdout.write(statusLine(status).slice(0, Math.max(20, (columnsOf(io.stdout) ?? 80) - 1)))
        this.#hasStatus = true
      },
    }
  }

  end({ directory, report, equity }: PaperRun): void {
    const { failure } = report
    const files = `files: ${directory}`
    const message = failure === null ? `ended; ${files}` : `${failureText(failure)}; ${files}`
    const exitCode = failure === null ? EXIT.done : EXIT.failed
    this.report({ type: 'ended', owner: undefined, time: wallClock(), exitCode, message })
    if (this.#isQuiet && failure !== null) io.stderr.write(`${message}\n`)
    if (this.#isJson || this.#isQuiet) return
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
