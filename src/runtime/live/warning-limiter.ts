/**
 * Rate limit of warnings: the first of a kind is reported immediately, and repetitions once a window, with their
 * number.
 *
 * Two warnings are of one kind when they differ in words with digits alone: times, prices, counts and ids. Invariant:
 * the last warning of each kind is reported, at the latest when it is flushed.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'

const WINDOW_MS = 60_000
/** Further kinds of one window count as one, so that texts of a service cannot grow memory or output without bound. */
const MAX_KINDS = 100
const OTHER_KINDS = ''
const MAX_KIND_LENGTH = 300

interface OpenWindow {
  readonly timer: LiveTimer
  /** Warnings since the last one that was reported. */
  withheld: number
  last: string
}

export class WarningLimiter {
  readonly #time: Pick<LiveTime, 'after'>
  readonly #report: (text: string) => void
  readonly #windows = new Map<string, OpenWindow>()

  constructor(time: Pick<LiveTime, 'after'>, report: (text: string) => void) {
    this.#time = time
    this.#report = report
  }

  warn(text: string): void {
    const kind = this.#kindOf(text)
    const open = this.#windows.get(kind)
    if (open === undefined) {
      this.#open(kind)
      this.#report(text)
      return
    }
    open.withheld += 1
    open.last = text
  }

  /** Reports what is withheld. */
  flush(): void {
    const windows = [...this.#windows.values()]
    this.#windows.clear()
    for (const open of windows) {
      open.timer.cancel()
      this.#reportWithheld(open)
    }
  }

  #kindOf(text: string): string {
    const words = text.slice(0, MAX_KIND_LENGTH).split(' ')
    const kind = words.map((word) => (/\d/.test(word) ? '#' : word)).join(' ')
    return this.#windows.has(kind) || this.#windows.size < MAX_KINDS ? kind : OTHER_KINDS
  }

  #open(kind: string): void {
    const timer = this.#time.after(WINDOW_MS, () => {
      const open = this.#windows.get(kind)
      this.#windows.delete(kind)
      if (open === undefined || open.withheld === 0) return
      this.#open(kind)
      this.#reportWithheld(open)
    })
    this.#windows.set(kind, { timer, withheld: 0, last: '' })
  }

  #reportWithheld({ withheld, last }: OpenWindow): void {
    if (withheld > 0) this.#report(withheld === 1 ? last : `${last} (and ${withheld - 1} more)`)
  }
}
