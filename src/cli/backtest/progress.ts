/**
 * Progress line in a terminal: share of a file being read, then share of the run, events per second, virtual time, and
 * time left.
 */
import { basename } from 'node:path'
import { isoTime } from '../../domain/time.ts'
import { fittingLine, printable, type RankedPiece } from '../../report/terminal-text.ts'
import type { BacktestProgress } from '../../run/backtest-options.ts'

// Taken at load time, because the global refuses while a strategy runs.
const wallClock = Date.now

const REDRAW_MS = 100
/** Reading is shown only if it takes longer than this. */
const READ_MS = 500

/** No estimate before this time and share. */
const GUESS_MS = 2_000
const GUESS_SHARE = 0.01

/** Estimated time left: whole seconds, minutes or hours. */
function leftText(elapsedMs: number, share: number): string {
  if (elapsedMs < GUESS_MS || share < GUESS_SHARE) return ''
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1_000)
  if (seconds < 60) return `${seconds} s left`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min left` : `${Math.round(seconds / 3_600)} h left`
}

export interface ProgressTerminal {
  readonly columns?: number
  write(text: string): unknown
}

/** Draws the line again. A line that wraps could not be cleared, so it is at most as wide as the terminal. */
export function drawProgress(terminal: ProgressTerminal, pieces: readonly RankedPiece[]): void {
  const { columns = 0 } = terminal
  terminal.write(`\r\u001b[K${fittingLine(pieces, columns > 1 ? columns - 1 : Infinity)}`)
}

export class Progress {
  readonly #terminal: ProgressTerminal
  readonly #clock: () => number
  #readFrom: number | undefined
  #startedAt: number
  #drawnAt = 0

  /** @param clock  milliseconds of the machine, starting at 1 */
  constructor(terminal: ProgressTerminal, clock = wallClock) {
    this.#terminal = terminal
    this.#clock = clock
    this.#startedAt = clock()
  }

  /** Progress of reading a tape, before the run. */
  read(file: string, bytesRead: number, bytesTotal: number): void {
    const now = this.#clock()
    this.#startedAt = now
    this.#readFrom ??= now
    if (now - this.#readFrom < READ_MS || now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    const share = bytesTotal > 0 ? `${Math.floor(Math.min(1, bytesRead / bytesTotal) * 100)} %` : ''
    this.#draw([
      [`reading ${printable(basename(file))}`, 0],
      [share, 1],
    ])
  }

  update({ rows, time, from, to }: BacktestProgress): void {
    const now = this.#clock()
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    const share = to === from ? 1 : Math.min(1, Math.max(0, (time - from) / (to - from)))
    const perSecond = Math.round((rows / Math.max(1, now - this.#startedAt)) * 1000)
    this.#draw([
      [`${Math.floor(share * 100)} %`, 3],
      [`${perSecond.toLocaleString('en-US')} events/s`, 0],
      [isoTime(time), 1],
      [leftText(now - this.#startedAt, share), 2],
    ])
  }

  /** Progress of the runs that follow the run itself. */
  repeats(done: number, all: number): void {
    const now = this.#clock()
    if (done === 1) this.#startedAt = now
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    this.#draw([
      [`${done} of ${all} repeats`, 1],
      [leftText(now - this.#startedAt, done / all), 0],
    ])
  }

  /** Removes the line. */
  clear(): void {
    if (this.#drawnAt > 0) this.#terminal.write('\r\u001b[K')
  }

  #draw(pieces: readonly RankedPiece[]): void {
    drawProgress(this.#terminal, pieces)
  }
}
