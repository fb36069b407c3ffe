/**
 * The recordings of a run, read in the background while its replay is served: trades in memory, and the recorded book.
 *
 * Invariant: only the files that the run was made on, by their hashes.
 */
import { InputError } from '../domain/errors.ts'
import { ReplayedTrades } from '../report/replay/replayed-trades.ts'
import { inspectMarkets } from '../runtime/backtest/inspected-markets.ts'
import { openBook } from '../store/books/inspected/open-book.ts'
import { openTape } from '../store/tapes/open-tape.ts'
import type { RecordedLevel } from '../tape/book/recorded-book.ts'
import { RecordedBook } from '../tape/book/recorded-book.ts'
import type { BookTape } from '../tape/book-tape.ts'
import { isDepthBlock, type Tape } from '../tape/tape.ts'
import { readRunFile, settingsOfRun, type RunFile } from './run-file.ts'

/** Decimals of the markets of a run. */
type Markets = readonly { readonly symbol: string; readonly pricePrecision: number; readonly qtyPrecision: number }[]

interface Levels {
  readonly bids: readonly RecordedLevel[]
  readonly asks: readonly RecordedLevel[]
}

export class ReplayedRecording {
  /** Why nothing can be shown of it, in words; empty once it is read. */
  state = 'reading the recording'
  readonly #trades = new Map<string, ReplayedTrades>()
  readonly #books = new Map<string, BookTape[]>()

  /** Recorded trades; undefined for a market of candles, and while nothing is read. */
  tradesOf(symbol: string): ReplayedTrades | undefined {
    return this.#trades.get(symbol)
  }

  /** The best levels of the recorded book, best first; undefined for none. @param time  Unix milliseconds */
  async bookOf(symbol: string, time: number, levels: number): Promise<Levels | undefined> {
    const tapes = this.#books.get(symbol)
    if (tapes === undefined) return undefined
    const book = new RecordedBook()
    // Quotes after the levels, which they correct.
    const [depth, quotes] = ['depth', 'quotes'].map((kind) => tapes.filter(({ info }) => info.kind === kind))
    for (const tape of [...(depth ?? []), ...(quotes ?? [])]) {
      for await (const block of tape.blocks({ from: time, to: time + 1 })) {
        if (isDepthBlock(block)) book.apply(block)
        else book.applyQuotes(block)
      }
    }
    return book.isKnown ? book.levels(levels) : undefined
  }

  /** Reads everything; what cannot be read becomes the state. */
  async read(directory: string, markets: Markets, signal: AbortSignal): Promise<void> {
    try {
      const report = readRunFile(directory)
      const { inspected, inspectedBooks } = await inspectMarkets(settingsOfRun(report), { signal })
      const precisions = new Map(markets.map((market) => [market.symbol, market]))
      for (const tape of inspected) {
        checkHash(report.tapes, tape.info)
        const market = precisions.get(tape.info.symbol)
        if (market === undefined || tape.info.kind === 'candles') continue
        await this.#readTrades(openTape(tape, market))
      }
      for (const book of inspectedBooks) {
        checkHash(report.books, book.info)
        const { symbol } = book.info
        const market = precisions.get(symbol)
        if (market !== undefined) this.#books.set(symbol, [...(this.#books.get(symbol) ?? []), openBook(book, market)])
      }
      this.state = ''
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof InputError)) throw error
      this.state = `the recording is not shown: ${error.message}`
    }
  }

  async #readTrades(tape: Tape): Promise<void> {
    const { info } = tape
    const trades = this.#trades.get(info.symbol) ?? new ReplayedTrades()
    for await (const block of tape.blocks()) {
      if (trades.add(block)) continue
      throw new InputError(info.file, 'it has too many trades to hold in memory')
    }
    this.#trades.set(info.symbol, trades)
  }
}

/** @throws {InputError} for a file that changed since the run */
function checkHash(
  known: RunFile['tapes'] | RunFile['books'],
  { file, sha256 }: { file: string; sha256: string },
): void {
  if (known.length > 0 && !known.some((each) => each.sha256 === sha256)) {
    throw new InputError(file, `${file} has changed since the run`)
  }
}
