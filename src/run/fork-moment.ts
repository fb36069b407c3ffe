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

/**
 * Number of lines before the moment, which must be the same in both journals.
 *
 * @throws {InputError} at the first line that is not
 */
export function sameLines(run: string, fork: string, at: number): number {
  const path = join(run, JOURNAL)
  const [before, now] = [new LineReader(path), new LineReader(join(fork, JOURNAL))]
  try {
    for (let count = 0; ; count += 1) {
      const line = before.next()
      if (line === undefined || timeOf(line) >= at) return count
      if (line === now.next()) continue
      const why = 'is not the same when the run is repeated, before anything was changed: see papertape verify'
      throw new InputError(`${path}:${count + 1}`, why)
    }
  } finally {
    before.close()
    now.close()
  }
}

const timeOf = (line: string): number => Number(/^\{"t":(-?\d+)/.exec(line)?.[1])
