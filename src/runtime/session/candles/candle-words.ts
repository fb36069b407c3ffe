/** `candles` of a strategy's context: intervals that the adapter emits are passed through, others are aggregated. */
import { map, mergeMap, type Observable } from 'rxjs'
import type { ExchangeAdapter, ReportedCandles } from '../../../adapter/exchange-adapter.ts'
import { isOfCalendar, monthsOf } from '../../../domain/calendar.ts'
import { lengthMsOf, type CandleLength } from '../../../domain/candle-length.ts'
import { InputError, InvariantError } from '../../../domain/errors.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts'
import { zoneClock, type ZoneClock } from '../../../domain/zone-clock.ts'
import type { CandleOptions, CandleRow } from '../../../strategy/candle-row.ts'
import type { StrategyContext } from '../../../strategy/context.ts'
import type { MarketCandle } from '../../../strategy/market-data.ts'
import { CandleBoard } from './candle-board.ts'
import type { CandleParts } from './candle-grid.ts'

type Parts = CandleParts & ReportedCandles
type CandlesWord = StrategyContext<unknown>['candles']

/** @param checkSymbol  throws an InputError for an unknown one */
export function candlesWord(adapter: ExchangeAdapter, checkSymbol: (symbol: string) => void): CandlesWord {
  const startedAt = adapter.now()
  const boards = new Map<string, CandleBoard>()
  const board = (symbols: readonly string[], interval: CandleLength, { isFilled, clock, isStrict }: Asked) => {
    const lengthMs = lengthMsOf(interval)
    const key = [lengthMs, isFilled, isStrict, clock?.zone, ...symbols].join(' ')
    const parts = symbols.map((symbol) => partsOf(adapter, symbol, interval, clock))
    const askedAt = adapter.now()
    const isFromStart = askedAt === startedAt
    const options = { adapter, parts, lengthMs, clock, isStrict, isFilled, askedAt, isFromStart }
    const known = boards.get(key) ?? new CandleBoard(options)
    boards.set(key, known)
    return known
  }
  const single = (symbol: string, interval: CandleLength, asked: Asked): Observable<MarketCandle> => {
    const parts = partsOf(adapter, symbol, interval, asked.clock)
    const isReported = !asked.isFilled && asked.clock === undefined && parts.lengthMs === lengthMsOf(interval)
    if (isReported) return adapter.candles(symbol, parts.interval)
    const { rows$ } = board([symbol], interval, asked)
    return rows$.pipe(mergeMap(({ candles: [candle] }) => (candle === undefined ? [] : [candle])))
  }
  const aligned = (symbols: readonly string[], interval: CandleLength, asked: Asked): Observable<CandleRow> =>
    board(symbols, interval, asked).rows$.pipe(
      map(({ time, candles }) => ({
        time,
        candles,
        missing: symbols.filter((_, index) => candles[index] === undefined),
      })),
    )
  return ((of: string | readonly string[], interval: CandleLength, options: CandleOptions = {}) => {
    const symbols = typeof of === 'string' ? [of] : checkedSymbols(of)
    for (const symbol of symbols) checkSymbol(symbol)
    const given = readOptions(options)
    const asked = given.isStrict ? given : { ...given, clock: tapeClock(adapter, symbols, lengthMsOf(interval)) }
    return typeof of === 'string' ? single(of, interval, asked) : aligned(symbols, interval, asked)
  }) as CandlesWord
}

/** Parsed options. */
interface Asked {
  readonly isFilled: boolean
  /** Undefined for UTC. */
  readonly clock: ZoneClock | undefined
  /** True if the strategy named the zone. */
  readonly isStrict: boolean
}

/** The longest emitted candles from which the interval can be aggregated. @throws {InputError} if there are none */
function partsOf(
  adapter: ExchangeAdapter,
  symbol: string,
  interval: CandleLength,
  clock: ZoneClock | undefined,
): Parts {
  const lengthMs = lengthMsOf(interval)
  const reported = adapter.reportedCandles(symbol).findLast((candles) => {
    const isWhole =
      candles.lengthMs === lengthMs || (candles.hasNoLength !== true && divides(candles.lengthMs, lengthMs))
    return isWhole && (clock === undefined || fits(candles, clock, adapter.now()))
  })
  if (reported !== undefined) return { symbol, ...reported }
  if (clock !== undefined && partsOf(adapter, symbol, interval, undefined).lengthMs > 0) {
    const message = `its candles are too long to split at midnight in ${clock.zone}; request them without a zone`
    throw new InputError(`candles('${symbol}', '${interval}')`, message)
  }
  // It throws, and lists the available intervals.
  adapter.candles(symbol, interval)
  throw new InvariantError(`candles of '${interval}' are emitted, but not listed`)
}

/** The time zone of the tapes, for days and longer candles that its calendar can aggregate from shorter ones. */
function tapeClock(adapter: ExchangeAdapter, symbols: readonly string[], lengthMs: number): ZoneClock | undefined {
  const all = symbols.map((symbol) => adapter.reportedCandles(symbol))
  const zones = new Set(all.map(([candles]) => candles?.zone))
  const [zone] = zones
  if (zone === undefined || zone === 'UTC' || zones.size > 1 || !isOfCalendar(lengthMs)) return undefined
  const clock = zoneClock(zone, 'candles')
  const isMade = (candles: ReportedCandles): boolean =>
    candles.lengthMs < lengthMs && divides(candles.lengthMs, lengthMs) && fits(candles, clock, adapter.now())
  return all.every((listed) => listed.some(isMade)) ? clock : undefined
}

/** Whether longer candles consist of whole shorter ones. */
function divides(partMs: number, lengthMs: number): boolean {
  const [months, part] = [monthsOf(lengthMs), monthsOf(partMs)]
  if (months !== undefined && part === undefined) return DAY_MS % partMs === 0
  return lengthMs % partMs === 0
}

/** Whether days of a zone can begin between two candles; for those on the UTC grid by the zone's present offset. */
const fits = ({ isAligned, lengthMs }: ReportedCandles, clock: ZoneClock, now: number): boolean =>
  !isAligned || (lengthMs <= HOUR_MS && clock.aheadMs(now) % lengthMs === 0)

function checkedSymbols(symbols: readonly string[]): readonly string[] {
  const [first] = symbols
  if (first === undefined) throw new InputError('candles', 'expected at least one symbol')
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) !== index)
  if (twice !== undefined) throw new InputError('candles', `'${twice}' is named twice`)
  return [...symbols]
}

function readOptions(options: CandleOptions): Asked {
  const { empty = 'omit', zone, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new InputError('candles', `no option '${unknown}'; available: empty, zone`)
  const known: readonly string[] = ['omit', 'fill']
  if (!known.includes(empty)) throw new InputError('candles', `empty: expected 'omit' or 'fill', got '${empty}'`)
  const clock = zone === undefined || zone === 'UTC' ? undefined : zoneClock(zone, 'candles')
  return { isFilled: empty === 'fill', clock, isStrict: zone !== undefined }
}
