/**
 * Progress of a run on one line of a terminal: share of the tape, events a second, virtual time.
 */
import { isoTime } from '../../domain/time.ts'
import type { BacktestProgress } from '../../run/backtest-options.ts'

// Taken here: while a strategy runs, the global refuses.
const wallClock = Date.now

const REDRAW_MS = 100

export class Progress {
  readonly #write: (text: string) => void
  readonly #startedAt = wallClock()
  #drawnAt = 0

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  update({ rows, time, from, to }: BacktestProgress): void {
    const now = wallClock()
    if (now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    const share = to === from ? 1 : Math.min(1, Math.max(0, (time - from) / (to - from)))
    const perSecond = Math.round((rows / Math.max(1, now - this.#startedAt)) * 1000)
    this.#write(
      `\r\u001b[K${Math.floor(share * 100)} %  ${perSecond.toLocaleString('en-US')} events/s  ${isoTime(time)}`,
    )
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#drawnAt > 0) this.#write('\r\u001b[K')
  }
}
