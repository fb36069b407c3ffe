/**
 * Candles page by page, from a service or through ccxt, oldest first.
 *
 * Pages whose candles are all stored are not requested again. Known limit: periods without candles are.
 */
import { writeFileSync } from 'node:fs'
import { throwIfAborted } from '../../domain/errors.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { FetchProgress, FetchWorld, TimeRange } from './fetch-world.ts'
import type { FetchedTape } from './fetched-tape.ts'

/** A candle as a line of CSV. */
export interface CandleLine {
  /** Opening time, Unix milliseconds. */
  readonly time: number
  /** `open,high,low,close,volume` in decimal digits. */
  readonly figures: string
}

export interface CandlePages {
  /** Number of candles to ask for. */
  readonly pageRows: number
  /** Whether an answer has all candles of a range, and none means that there is none, however long the range is. */
  readonly isWholeRange: boolean
  /** Candles that close after this time may still change, and are not requested. Unix milliseconds. */
  readonly closedBy: number
  /** Wait between two pages, milliseconds. */
  readonly pauseMs: number
  /** How the lines are read. */
  readonly reading: Omit<TapeSource, 'file'>
  /**
   * Candles of a range of opening times, in any order. If it answers with later ones too, it has no others up to them.
   */
  page(range: TimeRange): Promise<readonly CandleLine[]>
}

/** Rows of one import: a minute of requests at most. */
const BATCH_ROWS = 100_000

export async function fetchCandles(
  tape: FetchedTape,
  pages: CandlePages,
  { from, to }: TimeRange,
  { world, onProgress }: { readonly world: FetchWorld; readonly onProgress: (progress: FetchProgress) => void },
): Promise<void> {
  const intervalMs = tape.head.intervalMs ?? 1
  const coverage = tape.coverage({ from, to })
  const pageMs = pages.pageRows * intervalMs
  let lines: CandleLine[] = []
  const store = async (): Promise<void> => {
    const batch = lines
    lines = []
    if (batch.length > 0) await tape.add([{ ...pages.reading, file: written(tape, batch) }])
  }
  // Pages per request: more while there are no candles, so that the time before a market began passes quickly.
  let width = 1
  try {
    for (let start = from; start < to;) {
      const range = { from: start, to: Math.min(to, start + pageMs * width) }
      onProgress({ done: start - from, all: to - from, unit: 'time' })
      throwIfAborted(world.signal)
      if (coverage.isFull(range)) {
        start = range.to
        continue
      }
      const page = await pages.page(range)
      await world.pause(pages.pauseMs)
      const isTooWide = page.length > 0 && width > 1
      width = nextWidth(width, page.length > 0 || !pages.isWholeRange)
      if (isTooWide) continue
      lines.push(...page.filter(({ time }) => time >= from && time < to))
      // A source that has nothing in the range answers with its first candles after it, or with its newest. One that
      // may have shorter pages than asked for continues after its last candle.
      const ends = page.filter(({ time }) => time >= range.from).map(({ time }) => time + intervalMs)
      const isAfterLast = !pages.isWholeRange && ends.length > 0
      start = ends.reduce((latest, end) => Math.max(latest, end), isAfterLast ? range.from : range.to)
      if (lines.length >= BATCH_ROWS) await store()
    }
  } finally {
    // After a failure too: what has arrived is not requested again.
    await store()
  }
}

const WIDER = 4

const nextWidth = (width: number, isNarrower: boolean): number =>
  isNarrower ? Math.max(1, Math.floor(width / WIDER)) : width * WIDER

function written(tape: FetchedTape, lines: readonly CandleLine[]): string {
  const file = tape.stage('candles.csv')
  const rows = new Map(lines.map((line) => [line.time, line]))
  const inOrder = [...rows.values()].toSorted((one, other) => one.time - other.time)
  const text = inOrder.map(({ time, figures }) => `${time},${figures}\n`).join('')
  try {
    writeFileSync(file, `time_ms,open,high,low,close,volume\n${text}`)
    return file
  } catch (error) {
    throw asWriteFault(file, error)
  }
}
