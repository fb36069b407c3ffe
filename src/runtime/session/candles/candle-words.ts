/**
 * `candles` of a strategy's context: what the adapter tells itself as it is, everything else made of it.
 */
import { map, mergeMap, type Observable } from 'rxjs'
import type { ExchangeAdapter, ToldCandles } from '../../../adapter/exchange-adapter.ts'
import { lengthMsOf, type CandleLength } from '../../../domain/candle-length.ts'
import { InputError, InvariantError } from '../../../domain/errors.ts'
import type { CandleOptions, CandleRow } from '../../../strategy/candle-row.ts'
import type { StrategyContext } from '../../../strategy/context.ts'
import type { MarketCandle } from '../../../strategy/market-data.ts'
import { CandleBoard, type CandleParts } from './candle-board.ts'

type Parts = CandleParts & ToldCandles
type CandlesWord = StrategyContext<unknown>['candles']

/** @param checkSymbol  throws an InputError for an unknown one */
export function candlesWord(adapter: ExchangeAdapter, checkSymbol: (symbol: string) => void): CandlesWord {
  const startedAt = adapter.now()
  const boards = new Map<string, CandleBoard>()
  const board = (symbols: readonly string[], lengthMs: number, interval: CandleLength, isFilled: boolean) => {
    const key = [lengthMs, isFilled, ...symbols].join(' ')
    const parts = symbols.map((symbol) => partsOf(adapter, symbol, lengthMs, interval))
    const askedAt = adapter.now()
    const isFromStart = askedAt === startedAt
    const known = boards.get(key) ?? new CandleBoard({ adapter, parts, lengthMs, isFilled, askedAt, isFromStart })
    boards.set(key, known)
    return known
  }
  const single = (symbol: string, interval: CandleLength, isFilled: boolean): Observable<MarketCandle> => {
    const lengthMs = lengthMsOf(interval)
    const parts = partsOf(adapter, symbol, lengthMs, interval)
    if (!isFilled && parts.lengthMs === lengthMs) return adapter.candles(symbol, parts.interval)
    const { rows$ } = board([symbol], lengthMs, interval, isFilled)
    return rows$.pipe(mergeMap(({ candles: [candle] }) => (candle === undefined ? [] : [candle])))
  }
  const aligned = (symbols: readonly string[], interval: CandleLength, isFilled: boolean): Observable<CandleRow> =>
    board(symbols, lengthMsOf(interval), interval, isFilled).rows$.pipe(
      map(({ time, candles }) => ({
        time,
        candles,
        missing: symbols.filter((_, index) => candles[index] === undefined),
      })),
    )
  return ((asked: string | readonly string[], interval: CandleLength, options: CandleOptions = {}) => {
    const symbols = typeof asked === 'string' ? [asked] : checkedSymbols(asked)
    for (const symbol of symbols) checkSymbol(symbol)
    const isFilled = readOptions(options)
    return typeof asked === 'string' ? single(asked, interval, isFilled) : aligned(symbols, interval, isFilled)
  }) as CandlesWord
}

/** The longest candles that the adapter tells and that make up such ones. @throws {InputError} when there are none */
function partsOf(adapter: ExchangeAdapter, symbol: string, lengthMs: number, interval: CandleLength): Parts {
  const told = adapter.toldCandles(symbol).findLast((candles) => {
    return candles.lengthMs === lengthMs || (candles.isAligned && lengthMs % candles.lengthMs === 0)
  })
  if (told !== undefined) return { symbol, ...told }
  // It says what there is instead.
  adapter.candles(symbol, interval)
  throw new InvariantError(`candles of '${interval}' are told, and not said to be`)
}

function checkedSymbols(symbols: readonly string[]): readonly string[] {
  const [first] = symbols
  if (first === undefined) throw new InputError('candles', 'expected at least one symbol')
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) !== index)
  if (twice !== undefined) throw new InputError('candles', `'${twice}' is named twice`)
  return [...symbols]
}

function readOptions(options: CandleOptions): boolean {
  const { empty = 'omit', ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new InputError('candles', `no option '${unknown}'; there is empty`)
  const known: readonly string[] = ['omit', 'fill']
  if (known.includes(empty)) return empty === 'fill'
  throw new InputError('candles', `empty: expected 'omit' or 'fill', got '${empty}'`)
}
