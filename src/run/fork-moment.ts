/** Moments of a run by its journal: those of orders, fills and dates. */
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { savedJournalLines } from '../runtime/journal/journal-reader.ts'
import { readTime } from '../runtime/settings/form.ts'
import { LineReader } from '../store/runs/line-reader.ts'

const JOURNAL = 'journal.jsonl'

export interface PlacedOrder {
  readonly id: string
  /** Number of its request. */
  readonly ref: number
  /** Unix milliseconds at which the strategy emitted it. */
  readonly time: number
}

/** @throws {InputError} if the run has no such order */
export function placedOrder(directory: string, id: string, where = setting('without')): PlacedOrder {
  const times = new Map<number, number>()
  for (const line of linesOf(directory)) {
    if (line.type === 'place') times.set(line.ref, line.t)
    else if (line.type === 'acknowledged' && line.order.id === id) {
      const time = times.get(line.ref)
      if (time !== undefined) return { id, ref: line.ref, time }
    }
  }
  throw new InputError(where, `the run has no order '${id}'; orders.csv lists its orders`)
}

/** @param at  as in the options of a fork @returns Unix milliseconds @throws {InputError} if there is none */
export function momentOf(directory: string, at: string | number): number {
  const where = setting('at')
  const [, kind, id = ''] = typeof at === 'string' ? (/^(order|fill):(.+)$/.exec(at) ?? []) : []
  if (kind === undefined) return readTime(where, at)
  if (kind === 'order') return placedOrder(directory, id, where).time
  for (const line of linesOf(directory)) if (line.type === 'fill' && line.fill.tradeId === id) return line.t
  throw new InputError(where, `the run has no fill '${id}'; fills.csv lists them by trade id`)
}

const linesOf = (directory: string): ReturnType<typeof savedJournalLines> =>
  savedJournalLines(join(directory, JOURNAL), () => undefined)

/** The journal of a fork as it grows, compared with that of its run until the moment. */
export class SameUntil {
  readonly #path: string
  readonly #before: LineReader
  readonly #at: number
  /** The first line of the run that is not before the moment; undefined before it was read, or if there is none. */
  #next: string | undefined
  #count = 0
  #isOver = false
  #isSame = true

  constructor(run: string, at: number) {
    this.#path = join(run, JOURNAL)
    this.#before = new LineReader(this.#path)
    this.#at = at
  }

  /** @param text  complete lines */
  take(text: string): void {
    for (let from = 0; from < text.length && !this.#isOver;) {
      const end = text.indexOf('\n', from) + 1 || text.length
      this.#take(text.slice(from, end))
      from = end
    }
  }

  #take(line: string): void {
    if (this.#isOver) return
    this.#next = this.#before.next()
    this.#isOver = this.#next === undefined || timeOf(this.#next) >= this.#at
    this.#isSame = this.#isOver ? timeOf(line) >= this.#at : line === this.#next
    if (!this.#isSame) this.#isOver = true
    else if (!this.#isOver) this.#count += 1
  }

  /**
   * Number of lines before the moment, which are the same in both.
   *
   * @throws {InputError} at the first line that is not
   */
  finish(): number {
    if (!this.#isOver) this.#take('')
    if (this.#isSame) return this.#count
    const why = 'is not the same when the run is repeated, before anything was changed: see papertape verify'
    throw new InputError(`${this.#path}:${this.#count + 1}`, why)
  }

  /** Whether the run placed an order from the moment on. Call it once, after `finish`. */
  hasLaterOrder(): boolean {
    for (let line = this.#next; line !== undefined; line = this.#before.next()) {
      if (line.includes('"type":"place"')) return true
    }
    return false
  }

  close(): void {
    this.#before.close()
  }
}

const TIME = '{"t":'

/** Infinity for no line. */
function timeOf(line: string): number {
  const time = line.startsWith(TIME) ? Number(line.slice(TIME.length, line.indexOf(',', TIME.length))) : Number.NaN
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}
