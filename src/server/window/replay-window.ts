/**
 * The window of a run: its moments, its events and its markets, as the page asks for them.
 */
import { InputError } from '../../domain/errors.ts'
import type { ReplayedEvent, ReplayedMoment } from '../../report/replay/replayed-run.ts'
import type { ReplayedFiles } from '../../run/replayed-files.ts'
import { servePage, type PageServer } from './page-server.ts'

/** A run as a whole. */
export interface ReplayWhole extends ReplayLength {
  /** Directory of its files. */
  readonly name: string
  readonly version: string
  readonly markets: readonly {
    readonly symbol: string
    readonly pricePrecision: number
    /** Lengths of candles to choose from, in milliseconds; none for a market without candles. */
    readonly lengths: readonly number[]
  }[]
  readonly equity: ReplayedFiles['equity']
  readonly faults: readonly string[]
}

/** How long a run is by now: one that still trades grows. */
export interface ReplayLength {
  /** Count of its events. */
  readonly length: number
  readonly fills: number
  /** Unix milliseconds of the first and of the last event. */
  readonly span: readonly [from: number, to: number]
}

/** A moment with the events shortly before and after it. */
export interface ReplayShown extends ReplayedMoment {
  /** Unix milliseconds of the moment, which may lie between two events. */
  readonly clock: number
  readonly events: readonly ReplayedEvent[]
  /** The previous and the next fill or refusal; undefined if there is none. */
  readonly stopBefore: number | undefined
  readonly stopAfter: number | undefined
  /** The market that the page looks at; undefined if the run has none of that name. */
  readonly market: ReplayMarket | undefined
}

/** A market at a moment; prices are decimal strings. */
export interface ReplayMarket {
  readonly symbol: string
  readonly length: number
  /** False if the candles only continue those from before `since`. */
  readonly isWhole: boolean
  /** Oldest first. */
  readonly candles: readonly {
    readonly time: number
    readonly open: string
    readonly high: string
    readonly low: string
    readonly close: string
    readonly volume: string
  }[]
  /** Own fills in the candles of the window, oldest first. */
  readonly fills: readonly { readonly time: number; readonly side: string; readonly price: string }[]
}

const EVENTS_BEFORE = 12
const EVENTS_AFTER = 8
const MAX_FILLS = 500

export interface ReplayOptions {
  readonly port: number
  readonly name: string
  readonly version: string
}

/** @throws {InputError} when the port is taken, or the pages were not built */
export function serveReplay(files: ReplayedFiles, { port, name, version }: ReplayOptions): Promise<PageServer> {
  const { run, equity, faults } = files
  const length = (): ReplayLength => {
    files.update()
    return { length: run.length, fills: run.fills.length, span: run.span }
  }
  const markets = run.markets.map(({ symbol, pricePrecision }) => ({
    ...{ symbol, pricePrecision },
    lengths: files.candles.get(symbol)?.lengths ?? [],
  }))
  return servePage({
    port,
    page: 'replay',
    calls: {
      'GET whole': (): ReplayWhole => ({ name, version, markets, equity, faults, ...length() }),
      'GET length': length,
      'GET moment': (query) => shownAt(files, query),
    },
  })
}

type Query = Readonly<Record<string, string>>

function shownAt(files: ReplayedFiles, query: Query): ReplayShown {
  const { run } = files
  const { at = '', time } = query
  const moment = run.moment(time === undefined ? wholeNumber('at', at) : run.atTime(wholeNumber('time', time)))
  const clock = time === undefined ? moment.time : Math.max(moment.time, Number(time))
  const { before, after } = run.stopsAround(moment.at)
  return {
    ...moment,
    clock,
    events: run.events(moment.at - EVENTS_BEFORE, moment.at + EVENTS_AFTER + 1),
    stopBefore: before,
    stopAfter: after,
    market: marketAt(files, query, { at: moment.at, clock }),
  }
}

/** @param query  with `since`, the start of the last candle that the page has */
function marketAt(
  { run, candles: candlesBySymbol }: ReplayedFiles,
  { symbol = '', length: lengthText = '0', since }: Query,
  { at, clock }: { readonly at: number; readonly clock: number },
): ReplayMarket | undefined {
  const market = run.markets.find((each) => each.symbol === symbol)
  if (market === undefined) return undefined
  const candles = candlesBySymbol.get(symbol)
  const length = wholeNumber('length', lengthText)
  const isOffered = candles?.lengths.includes(length) ?? false
  const window = isOffered ? (candles?.upTo(clock, length) ?? []) : []
  const from = since === undefined ? undefined : wholeNumber('since', since)
  // The page continues its candles only if it has seen those before.
  const isNext = from !== undefined && window.some(({ time }) => time === from)
  const price = (value: number): string => value.toFixed(market.pricePrecision)
  return {
    ...{ symbol, length, isWhole: !isNext },
    candles: window
      .filter(({ time }) => !isNext || time >= from)
      .map(({ time, open, high, low, close, volume }) => ({
        ...{ time, open: price(open), high: price(high), low: price(low), close: price(close) },
        volume: volume.toFixed(market.qtyPrecision),
      })),
    fills: run
      .fillsOf(symbol, at, { since: window[0]?.time ?? 0, most: MAX_FILLS })
      .map((fill) => ({ time: fill.createdAt, side: fill.side, price: fill.price })),
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InputError(name, `expected a whole number, got '${text.slice(0, 40)}'`)
}
