/** A run directory read for its replay: the whole journal, the equity samples and the candles of its markets. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { InputError } from '../domain/errors.ts'
import { plotsOf } from '../report/page/market-series.ts'
import { plottedBlocks, plottedLines } from '../report/page/plotted-lines.ts'
import type { CandleColumns, CandleDetail, PlotLine } from '../report/page/page-data.ts'
import { candleDetails, candlesBySymbol } from '../report/page/run-series.ts'
import { candleBlock } from '../report/run/candle-blocks.ts'
import { ReplayedCandles, type CandleLevel } from '../report/replay/replayed-candles.ts'
import { ReplayedRun } from '../report/replay/replayed-run.ts'
import type { JournalLine } from '../runtime/journal/journal-line.ts'
import { JournalReader } from '../runtime/journal/journal-reader.ts'
import { ReplayedRecording } from './replayed-recording.ts'
import { textPieces } from '../store/runs/line-reader.ts'
import { runJournal } from './run-journal.ts'

export interface ReplayedFiles {
  readonly run: ReplayedRun
  /** Unix milliseconds and equity, oldest first; empty for a run that was killed, and for one that has not ended. */
  readonly equity: readonly (readonly [time: number, equity: number])[]
  /** Candles by symbol; a market without candles is missing. */
  readonly candles: ReadonlyMap<string, ReplayedCandles>
  /** Lines that the strategy plotted, by symbol; a line that is near no market's prices is with the first market. */
  readonly plots: ReadonlyMap<string, readonly PlotLine[]>
  /** Trades and books that the run was made on: `read` begins to read them. */
  readonly recording: ReplayedRecording
  /** Deviations from the files as written by the run, in words. */
  readonly faults: readonly string[]
  /** Reads the events that a run still writes. @throws {InputError} for an invalid line */
  update(): void
}

/** @throws {InputError} if the directory contains no run, or if the journal is invalid */
export function readReplayedFiles(directory: string): ReplayedFiles {
  const { path, faults } = runJournal(directory)
  const journal = new GrowingJournal(path)
  const run = new ReplayedRun(journal.more())
  const columns = candlesBySymbol(...fileIn(directory, 'candles.csv'))
  const cut = journal.isCut ? [`${path}: its last line is incomplete and was ignored`] : []
  return {
    run,
    equity: equityIn(join(directory, 'equity.csv')),
    candles: candlesIn(directory, columns),
    plots: plotsIn(directory, run.markets, columns),
    recording: new ReplayedRecording(),
    faults: [...faults, ...cut],
    update: () => {
      run.append(journal.more())
    },
  }
}

const CHUNK = 1 << 20

/** The lines of a journal that may still be written. */
class GrowingJournal {
  readonly #path: string
  readonly #reader = new JournalReader()
  readonly #decoder = new StringDecoder('utf8')
  #bytes = 0
  #lines = 0
  #rest = ''
  /** An invalid line, after which nothing more is read. */
  #fault: InputError | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Whether the text after the last whole line is only the beginning of one. */
  get isCut(): boolean {
    return this.#rest !== ''
  }

  /** The lines since the last call. @throws {InputError} for an invalid one */
  *more(): Generator<JournalLine> {
    if (this.#fault !== undefined) throw this.#fault
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return
    const descriptor = openSync(this.#path, 'r')
    const chunk = Buffer.allocUnsafe(CHUNK)
    try {
      for (;;) {
        const length = readSync(descriptor, chunk, 0, CHUNK, this.#bytes)
        if (length === 0) break
        this.#bytes += length
        const lines = (this.#rest + this.#decoder.write(chunk.subarray(0, length))).split('\n')
        this.#rest = lines.pop() ?? ''
        for (const line of lines) yield* this.#read(line)
      }
    } finally {
      closeSync(descriptor)
    }
    // A last line that is whole JSON lacks only its line feed.
    if (!isJson(this.#rest)) return
    yield* this.#read(this.#rest)
    this.#rest = ''
  }

  *#read(text: string): Generator<JournalLine> {
    // The line feed of a line that was read before it had one.
    if (text === '') return
    this.#lines += 1
    let line: JournalLine | undefined
    try {
      line = this.#reader.read(`${this.#path}:${this.#lines}`, text)
    } catch (error) {
      if (error instanceof InputError) this.#fault = error
      throw error
    }
    if (line !== undefined) yield line
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function equityIn(path: string): ReplayedFiles['equity'] {
  if (!existsSync(path)) return []
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)
  return rows.map((row) => {
    const [time, equity] = row.split(',').map(Number)
    return [time ?? 0, equity ?? 0]
  })
}

/** All candles of each market, and the folded ones of a market that has more than candles.csv. */
function candlesIn(directory: string, markets: ReadonlyMap<string, CandleColumns>): ReplayedFiles['candles'] {
  const blocks: string[] = []
  const details = candleDetails(...fileIn(directory, 'candle-blocks.csv'), blocks)
  return new Map(
    Array.from(markets, ([symbol, columns]) => {
      const { intervalMs, times, open, high, low, close, volume } = columns
      const read = () => ({
        times: Float64Array.from(times),
        open: Float64Array.from(open),
        high: Float64Array.from(high),
        low: Float64Array.from(low),
        close: Float64Array.from(close),
        volume: Float64Array.from(volume),
      })
      const level = { intervalMs, stretches: [{ from: times[0] ?? 0, to: times.at(-1) ?? 0, read }] }
      return [symbol, new ReplayedCandles([...shorterLevel(details.get(symbol), blocks), level])]
    }),
  )
}

function plotsIn(
  directory: string,
  markets: ReplayedRun['markets'],
  candles: ReadonlyMap<string, CandleColumns>,
): ReplayedFiles['plots'] {
  const [csv, blocks] = [join(directory, 'plots.csv'), join(directory, 'plot-blocks.csv')]
  const lines = new Map([
    ...plottedLines(csv, () => wholeLines(csv)),
    ...plottedBlocks(blocks, () => wholeLines(blocks)),
  ])
  const symbols = markets.map(({ symbol }) => symbol)
  const drawn = symbols.map((symbol) => candles.get(symbol) ?? null)
  return new Map(plotsOf(lines, drawn).map((plots, index) => [symbols[index] ?? '', plots]))
}

/** Lines of a file that may be missing; a session that was killed may have cut the last one. */
function* wholeLines(path: string): Generator<string> {
  if (!existsSync(path)) return
  for (const text of textPieces(path)) {
    const lines = text.slice(0, text.lastIndexOf('\n') + 1)
    if (lines !== '') yield lines
  }
}

/** Path and text of a file of a run; empty if it is missing. */
function fileIn(directory: string, name: string): readonly [path: string, text: string] {
  const path = join(directory, name)
  return [path, existsSync(path) ? readFileSync(path, 'utf8') : '']
}

function shorterLevel(detail: CandleDetail | undefined, blocks: readonly string[]): readonly CandleLevel[] {
  if (detail === undefined) return []
  const { intervalMs, priceDecimals, qtyDecimals, index, from, to, counts } = detail
  const lines = blocks[index]?.split('\n') ?? []
  const stretches = lines.map((line, row) => ({
    from: from[row] ?? 0,
    to: to[row] ?? 0,
    read: () => candleBlock(line, { rows: counts[row] ?? 0, intervalMs, priceDecimals, qtyDecimals }),
  }))
  return [{ intervalMs, stretches }]
}
