/**
 * Output of `papertape live`: a screen in a terminal, otherwise plain lines, or JSON lines if requested.
 *
 * Invariant: while the screen is shown nothing else is written to the terminal; important messages are printed after
 * it.
 */
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import picocolors from 'picocolors'
import { escapeControls } from '../../domain/escape-controls.ts'
import { eventLine } from '../../report/live/event-text.ts'
import {
  type LineTone,
  plainStatusLines,
  type ScreenSize,
  type StatusLine,
  statusLines,
} from '../../report/live/status-lines.ts'
import { shadowDelta } from '../../report/summary/run-delta.ts'
import { summary } from '../../report/summary/summary.ts'
import type { EndedSession, LiveResult } from '../../run/live-options.ts'
import { LiveNews, type NumberedEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import { columnsOf } from '../cli-io.ts'

/** The required part of a terminal, such as `io.stdout`. */
export interface Terminal {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR = '\u001b[2J'
const TO_LINE_END = '\u001b[K'
const TO_SCREEN_END = '\u001b[J'

/** A status screen in a terminal, redrawn in place; the previous content is restored at the end. */
export class StatusScreen {
  readonly #terminal: Terminal
  readonly #tones: Readonly<Record<LineTone, (text: string) => string>>
  #lines: (size: ScreenSize) => readonly StatusLine[] = () => []
  #isOn = false

  constructor(terminal: Terminal, hasColour: boolean) {
    const { bold, red, dim } = picocolors.createColors(hasColour)
    this.#terminal = terminal
    this.#tones = { plain: (text) => text, title: bold, alarm: red, dim }
  }

  /** @param lines  for the given size, which may change before the next call */
  show(lines: (size: ScreenSize) => readonly StatusLine[]): void {
    this.#lines = lines
    if (!this.#isOn) {
      this.#isOn = true
      this.#terminal.write(ENTER + CLEAR)
      this.#terminal.on('resize', this.#onResize)
    }
    this.#draw()
  }

  /** Restores the terminal. Idempotent. Must be called before the process ends. */
  close(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#terminal.off('resize', this.#onResize)
    this.#terminal.write(LEAVE)
  }

  readonly #onResize = (): void => {
    this.#terminal.write(CLEAR)
    this.#draw()
  }

  /**
   * Erases each line before writing it, because erasing afterwards would remove a character in the last column. No
   * newline follows the last row, because it would scroll.
   */
  #draw(): void {
    const { columns, rows } = this.#terminal
    const size = { width: known(columns, 80), height: known(rows, 24) }
    const lines = this.#lines(size).map(({ text, tone }) => `${TO_LINE_END}${this.#tones[tone](text)}`)
    const rest = lines.length < size.height ? `\r\n${TO_SCREEN_END}` : ''
    this.#terminal.write(`${HOME}${lines.join('\r\n')}${rest}`)
  }
}

/** A terminal without a size reports 0 or nothing. */
const known = (size: number | undefined, usual: number): number => (size === undefined || size === 0 ? usual : size)

/** Interval of status lines without a screen. */
const STATUS_EACH_MS = 60_000
/** Maximum number of messages printed after the screen; the newest are kept. */
const MAX_REPORTED_LATER = 100
const REPORTED_LATER: ReadonlySet<NumberedEvent['type']> = new Set([
  'started',
  'state',
  'halt',
  'fault',
  'warning',
  'twin',
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
  #reportedLater: NumberedEvent[] = []
  readonly #summaries: string[] = []
  #statusReportedAt: number | undefined

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
      this.news.report({ type: 'log', owner: undefined, time: wallClock(), message: line })
    } else stderr.write(`${line}\n`)
  }

  onStatus(status: LiveStatus): void {
    if (this.#screen !== undefined) {
      this.#isScreenOn = true
      this.#screen.show((size) => statusLines(status, size))
      return
    }
    this.#statusReportedAt ??= status.time
    if (status.time - this.#statusReportedAt < STATUS_EACH_MS) return
    this.#statusReportedAt = status.time
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

  /** The figures of a live run and its shadow; nothing if there are none. */
  compare({ sessions: [live], shadow }: LiveResult): void {
    if (live === undefined || shadow === undefined) return
    if (this.#options.isJson) {
      this.#print(JSON.stringify({ type: 'comparison', ...shadow.comparison, shadowDirectory: shadow.directory }))
      return
    }
    const text = `\n${shadowDelta(live.report, shadow.report)}files        ${shadow.directory}\n`
    if (this.#isScreenOn) this.#summaries.push(text)
    else this.#print(text)
  }

  /** Restores the terminal, and prints the important messages. Idempotent. */
  close(): void {
    if (!this.#isScreenOn) return
    this.#isScreenOn = false
    this.#screen?.close()
    for (const event of this.#reportedLater) this.#print(escapeControls(eventLine(event)))
    for (const text of this.#summaries) this.#print(text)
    this.#reportedLater = []
  }

  #onEvent(event: NumberedEvent): void {
    if (this.#options.isJson) this.#print(JSON.stringify(event))
    else if (!this.#isScreenOn) this.#print(escapeControls(eventLine(event)))
    else if (REPORTED_LATER.has(event.type))
      this.#reportedLater = [...this.#reportedLater, event].slice(-MAX_REPORTED_LATER)
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
