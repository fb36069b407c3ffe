/**
 * Recorded markets made ready to be replayed: inspected, their markets known, what the crowd shows in them said.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { setupsOf } from '../../runtime/backtest/liquidity-setups.ts'
import { inspectMarkets } from '../../runtime/backtest/inspected-markets.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { DEFAULT_LIQUIDITY, DEFAULT_WITH_BOOK, liquidity } from '../../simulation/liquidity/liquidity-models.ts'
import { openBook } from '../../store/books/inspected/open-book.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import type { RecordedDepth } from '../../simulation/depth/recorded-depth.ts'
import type { BookTape, BookTapeInfo } from '../../tape/book-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import { restrictBook } from '../../tape/window.ts'
import type { PlayedTape } from '../../simulation/replay/tape-channel.ts'

export interface ReplayTapes {
  readonly markets: readonly MarketConfig[]
  readonly tapes: readonly PlayedTape[]
  /** Recorded books and quotes of these markets. */
  readonly books: readonly BookTape[]
  /** Unix milliseconds of the first trade. */
  readonly from: number
  /** A fresh liquidity model for a market. @param depth  what is recorded of its book */
  readonly modelOf: (symbol: string, depth: RecordedDepth | undefined) => LiquidityModel
}

const NO_FEES = { makerFeeBps: '0', takerFeeBps: '0' }
const TERMS = { queueSize: 1, levelSize: 1, spread: null, staleAfterMs: null }

/**
 * Reads tapes once, and opens them.
 *
 * @param depth  recorded books and quotes of the same markets
 * @param given  configured markets, which must include those of the tapes; undefined to derive them from the tapes
 * @throws {InputError} for an invalid tape, one of candles, or one of an unknown market
 */
export async function prepareReplay(
  sources: readonly TapeSource[],
  depth: readonly BookTapeSource[],
  given: readonly MarketConfig[] | undefined,
): Promise<ReplayTapes> {
  const { inspected, inspectedBooks } = await inspectMarkets({ tapes: sources, books: depth }, {}, null).catch(asReplay)
  inspected.forEach(tradesOnly)
  for (const { info } of inspectedBooks) checkHasTape(info, inspected)
  const markets = given ?? recordedMarkets(setting('replay'), [...inspected, ...inspectedBooks], NO_FEES)
  const isRecorded = ({ symbol }: MarketConfig): boolean => inspected.some(({ info }) => info.symbol === symbol)
  const setups = setupsOf(markets.filter(isRecorded), TERMS)
  const tapes = inspected.map((each): PlayedTape => {
    const tape = openTape(each, marketOf(each.info, markets))
    const setup = setups.get(tape.info.symbol)
    invariant(setup !== undefined, 'a recorded market has a setup')
    return { tape, longestSilenceMs: setup.terms.staleAfterMs, spread: setup.spread }
  })
  const from = Math.min(...inspected.map(({ info }) => info.from))
  const books = inspectedBooks.map((each) => restrictBook(openBook(each, marketOf(each.info, markets)), { from }))
  const modelOf = (symbol: string, recorded: RecordedDepth | undefined): LiquidityModel => {
    const setup = setups.get(symbol)
    // Markets without a recording have no crowd.
    if (setup === undefined) return new IdealLiquidity()
    return recorded === undefined
      ? liquidity(DEFAULT_LIQUIDITY).create(setup)
      : liquidity(DEFAULT_WITH_BOOK).create({ ...setup, depth: recorded })
  }
  return { markets, tapes, books, from, modelOf }
}

const RENAMED = new Map([
  ['tapes', setting('replay')],
  ['books', setting('depth')],
])

/** A tape is a setting of another name here, and has none of its own but its market. */
function asReplay(error: unknown): never {
  if (!(error instanceof InputError)) throw error
  throw error.renamed(({ path }) => RENAMED.get(path))
}

/** @throws {InputError} for a book without trades of its market */
function checkHasTape({ symbol, file }: BookTapeInfo, inspected: readonly InspectedTape[]): void {
  if (inspected.some(({ info }) => info.symbol === symbol)) return
  throw new InputError(
    setting('depth'),
    worded`the book of ${symbol} in ${file} needs trades of ${symbol}: add them with ${setting('replay')}`,
  )
}

function tradesOnly({ info: { kind, file } }: InspectedTape): void {
  if (kind === 'trades') return
  const why = 'orders can be filled only between single trades'
  throw new InputError(setting('replay'), `expected a tape of trades, got candles in ${file}: ${why}`)
}

function marketOf(info: Pick<TapeInfo, 'symbol' | 'file'>, markets: readonly MarketConfig[]): MarketConfig {
  const market = markets.find(({ symbol }) => symbol === info.symbol)
  if (market !== undefined) return market
  const known = markets.map(({ symbol }) => symbol).join(', ')
  throw new InputError(info.file, `the config has no market '${info.symbol}': add it, or use one of ${known}`)
}
