/**
 * Output of `papertape live`: a screen in a terminal, otherwise plain lines, or JSON lines if requested.
 *
 * Invariant: while the screen is shown nothing else is written to the terminal; important messages are printed after
 * it.
 */
import { columnsOf } from '../cli-io.ts'
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { escapeControls } from '../../domain/escape-controls.ts'
import { eventLine } from '../../report/live/event-text.ts'
import { plainStatusLines, statusLines } from '../../report/live/status-lines.ts'
import { summary } from '../../report/summary/summary.ts'
import type { EndedSession } from '../../run/live-options.ts'
import { LiveNews, type NumberedEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import { StatusScreen, type Terminal } from './status-screen.ts'

/** Interval of status lines without a screen. */
const STATUS_EACH_MS = 60_000
/** Maximum number of messages printed after the screen; the newest are kept. */
const MAX_TOLD_LATER = 100
const TOLD_LATER: ReadonlySet<NumberedEvent['type']> = new Set([
  'started',
  'state',
  'halt',
  'fault',
  'warning',
  'ended',
])

interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface LiveOutputOptions {
  readonly isJson: boolean
  /** Whether stdout gets colours. */
  readonly hasColour: boolean
  readonly stdout: OutputStream & Terminal
  readonly stderr: OutputStream
  readonly wallClock: () => number
}

export class LiveOutput {
  readonly news = new LiveNews()
  /** Console of strategies, which keeps stdout free for events. */
  readonly console: Console
  readonly #options: LiveOutputOptions
  readonly #screen: StatusScreen | undefined
  #isScreenOn = false
  #toldLater: NumberedEvent[] = []
  readonly #summaries: string[] = []
  #statusToldAt: number | undefined

  constructor(options: LiveOutputOptions) {
    const { isJson, hasColour, stdout } = options
    this.#options = options
    // In a pipe `isTTY` is undefined, contrary to its type.
    if (!isJson && stdout.isTTY === true) this.#screen = new StatusScreen(stdout, hasColour)
    this.news.listen((event) => {
      this.#onEvent(event)
    })
    this.console = new Console(new LineWriter((line) => this.note(line)))
  }

  /** A line for the operator that is not an event. */
  note(line: string): void {
    const { stderr, wallClock } = this.#options
    if (this.#isScreenOn && stderr.isTTY === true) {
      this.news.tell({ type: 'log', owner: undefined, time: wallClock(), message: line })
    } else stderr.write(`${line}\n`)
  }

  onStatus(status: LiveStatus): void {
    if (this.#screen !== undefined) {
      this.#isScreenOn = true
      this.#screen.show((size) => statusLines(status, size))
      return
    }
    this.#statusToldAt ??= status.time
    if (status.time - this.#statusToldAt < STATUS_EACH_MS) return
    this.#statusToldAt = status.time
    // Events are separate lines.
    if (this.#options.isJson) this.#print(JSON.stringify({ type: 'status', ...status, events: undefined }))
    else for (const line of plainStatusLines(status)) this.#print(line)
  }

  onEnd({ report, directory }: EndedSession): void {
    if (this.#options.isJson) return
    const { hasColour, stdout } = this.#options
    const text = summary(report, [], hasColour, directory, columnsOf(stdout))
    if (this.#isScreenOn) this.#summaries.push(text)
    else this.#print(text)
  }

  /** Restores the terminal, and prints the important messages. Idempotent. */
  close(): void {
    if (!this.#isScreenOn) return
    this.#isScreenOn = false
    this.#screen?.close()
    for (const event of this.#toldLater) this.#print(escapeControls(eventLine(event)))
    for (const text of this.#summaries) this.#print(text)
    this.#toldLater = []
  }

  #onEvent(event: NumberedEvent): void {
    if (this.#options.isJson) this.#print(JSON.stringify(event))
    else if (!this.#isScreenOn) this.#print(escapeControls(eventLine(event)))
    else if (TOLD_LATER.has(event.type)) this.#toldLater = [...this.#toldLater, event].slice(-MAX_TOLD_LATER)
  }

  #print(text: string): void {
    this.#options.stdout.write(`${text}\n`)
  }
}

/** Stream that calls back for each line. */
class LineWriter extends Writable {
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void) {
    super({ decodeStrings: false })
    this.#onLine = onLine
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const lines = `${this.#rest}${chunk.toString()}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line)
    done()
  }
}
