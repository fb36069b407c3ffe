/**
 * Progress of a sweep on one line of a terminal: completed points, points per second, and the time left.
 */
import { basename } from 'node:path'
import { printable, type RankedPiece } from '../../report/terminal-text.ts'
import type { SweepProgress } from '../../run/sweep/sweep-options.ts'
import { drawProgress, type ProgressTerminal } from '../backtest/progress.ts'

const REDRAW_MS = 100
/** Too early for an estimate of the time left. */
const GUESS_MS = 1_000
const GUESS_POINTS = 3

export class SweepProgressLine {
  readonly #terminal: ProgressTerminal
  readonly #clock: () => number
  #startedAt: number | undefined
  #drawnAt = 0

  /** @param clock  milliseconds of the machine, from 1 on */
  constructor(terminal: ProgressTerminal, clock: () => number) {
    this.#terminal = terminal
    this.#clock = clock
  }

  /** Progress of reading a tape, before the first point. */
  read(file: string, bytesRead: number, bytesTotal: number): void {
    const share = bytesTotal > 0 ? `${Math.floor(Math.min(1, bytesRead / bytesTotal) * 100)} %` : ''
    this.#draw(this.#clock(), [
      [`reading ${printable(basename(file))}`, 0],
      [share, 1],
    ])
  }

  update({ done, points, known, errors }: SweepProgress): void {
    const now = this.#clock()
    this.#startedAt ??= now
    const elapsedMs = now - this.#startedAt
    const run = done - known
    const isTold = elapsedMs >= GUESS_MS && run >= GUESS_POINTS
    this.#draw(now, [
      [`${done} of ${points} runs`, 4],
      [`${Math.floor((done / points) * 100)} %`, 1],
      [isTold ? paceText(run, elapsedMs) : '', 0],
      [isTold ? leftText((elapsedMs * (points - done)) / run) : '', 3],
      [errors === 0 ? '' : `${errors} failed`, 2],
    ])
  }

  /** Clears the line. */
  clear(): void {
    if (this.#drawnAt > 0) this.#terminal.write('\r\u001b[K')
  }

  #draw(now: number, pieces: readonly RankedPiece[]): void {
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    drawProgress(this.#terminal, pieces)
  }
}

function paceText(points: number, elapsedMs: number): string {
  const perSecond = (points * 1_000) / elapsedMs
  return perSecond >= 1 ? `${perSecond.toFixed(1)} per second` : `${(1 / perSecond).toFixed(1)} s per point`
}

/** Extrapolated from the pace so far: whole seconds, minutes or hours. */
function leftText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return ''
  if (seconds < 60) return `${seconds} s left`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min left` : `${Math.round(seconds / 3_600)} h left`
}
