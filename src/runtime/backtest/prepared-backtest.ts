/**
 * Settings ready to run: tapes inspected, markets determined, strategy loaded, parameters and credit validated.
 *
 * All mistakes in the user's input are reported here, before anything runs.
 */
import { creditAmount } from '../../domain/credit.ts'
import { InputError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { ledgerScales, parseFeeRate, type MarketConfig } from '../../domain/market.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import type { LiquidityFactory, LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import type { InspectedBook } from '../../store/books/inspected/inspected-book.ts'
import { openBook } from '../../store/books/inspected/open-book.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import type { InspectedSeries } from '../../store/series/inspected-series.ts'
import type { SeriesInfo } from '../../tape/series-info.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import type { BookTape } from '../../tape/book-tape.ts'
import type { Tape } from '../../tape/tape.ts'
import { restrictBook, restrictTape } from '../../tape/window.ts'
import { watchedWork } from '../heartbeat.ts'
import { DEFAULT_CREDIT, type BacktestSettings } from '../settings/backtest-settings.ts'
import { placeOf, statsPeriodMs } from '../settings/run-terms.ts'
import {
  inspectMarkets,
  spanningInfos,
  type InspectedMarkets,
  type PreparationWatch,
  type SpanInfo,
} from './inspected-markets.ts'
import type { RecordingCache } from './recording-cache.ts'
import { checkTapesDiffer } from './tapes-differ.ts'
import { candleTapesOf, checkModelForCandles, type CandleTape } from './candle-tapes.ts'
import {
  checkModelForBooks,
  chooseLiquidity,
  givenLiquidity,
  liquidityOf,
  type LiquidityChoice,
} from './liquidity-choice.ts'
import { setupsOf } from './liquidity-setups.ts'
import { readParams, reportedParams, type ParamValues } from '../strategies/params.ts'
import { recordedMarkets } from './recorded-markets.ts'
import { givenStrategy, loadStrategy, type LoadedStrategy } from '../strategies/strategy-file.ts'
import { warmUpSpan, type WarmUpSpan } from './warm-up-span.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { warmupBegin, warmupNeeds } from '../../strategy/warmup.ts'

/** The common part of runs that differ only in parameters and window. */
export interface PreparedMarkets extends InspectedMarkets {
  readonly settings: BacktestSettings
  readonly loaded: LoadedStrategy
  readonly liquidity: LiquidityChoice
  /** Setup of the liquidity model in each market, by symbol. */
  readonly liquiditySetups: ReadonlyMap<string, LiquiditySetup>
  /** Candle tapes of the markets that are recorded as candles, by symbol. */
  readonly candleTapes: ReadonlyMap<string, CandleTape>
  /** Complete tapes, in the precisions of their markets. */
  readonly tapes: readonly Tape[]
  /** The same for recorded books and quotes, one per inspected recording. */
  readonly books: readonly BookTape[]
  readonly markets: readonly MarketConfig[]
  /** Asset in which the run is valued: the first tape's quote asset. */
  readonly quoteAsset: string
  /** Ledger units by asset, and the same as decimal strings. */
  readonly credit: ReadonlyMap<string, bigint>
  readonly creditTexts: Readonly<Record<string, string>>
}

/** Tapes and books are restricted to the window; no row lies outside of the run. */
export interface PreparedBacktest extends PreparedMarkets {
  readonly params: ParamValues
  /** Parameters that the schema parses to `params`; default: `params`. */
  readonly reportedParams?: ParamValues | undefined
  /** Series of a session in real time; default: the inspected ones. */
  readonly followedSeries?: readonly Pick<SeriesInfo, 'name' | 'sha256'>[] | undefined
  /** Unix milliseconds. */
  readonly from: number
  readonly to: number
  /** Unix milliseconds from which the strategy receives market data; undefined for `from`. */
  readonly warmupFrom?: number | undefined
  /** Number of recorded candles before `from`, by length of those that the strategy needs. */
  readonly warmedUp?: ReadonlyMap<string, number> | undefined
}

/** Parts of a run that a program passes as objects instead of files. */
export interface GivenParts {
  readonly strategy?: Strategy | undefined
  readonly liquidity?: LiquidityFactory | undefined
  /** The tapes of the settings, already inspected. */
  readonly inspected?: readonly InspectedTape[] | undefined
  /** Their books; default: none. */
  readonly inspectedBooks?: readonly InspectedBook[] | undefined
  /** Their series; default: none. */
  readonly inspectedSeries?: readonly InspectedSeries[] | undefined
  /** Used instead of these: a cache from earlier runs, valid while their files are unchanged. */
  readonly recordings?: RecordingCache | undefined
  /** The same tapes, already opened, one for each; undefined for a tape that is opened here. */
  readonly tapes?: readonly (Tape | undefined)[] | undefined
  /** Compiles the files of the settings again; default: false. */
  readonly isRecompiled?: boolean | undefined
}

/**
 * @param given  replaces what the settings name
 * @throws {InputError} for every mistake in the user's input
 * @throws {AbortError} if `signal` is aborted
 */
export async function prepareBacktest(
  settings: BacktestSettings,
  given: GivenParts = {},
  watch: PreparationWatch = {},
): Promise<PreparedBacktest> {
  return await prepareRun(await prepareMarkets(settings, given, watch))
}

/**
 * Everything that does not depend on parameters or window.
 * @param given  replaces what the settings name
 * @throws {InputError} for every mistake in this part of the user's input
 * @throws {AbortError} if `signal` is aborted
 */
export async function prepareMarkets(
  settings: BacktestSettings,
  given: GivenParts = {},
  watch: PreparationWatch = {},
): Promise<PreparedMarkets> {
  if (settings.tapes.length + settings.books.length === 0) throw noTape()
  parseFeeRate(placeOf('makerFeeBps'), settings.makerFeeBps)
  parseFeeRate(placeOf('takerFeeBps'), settings.takerFeeBps)
  const isCached = given.isRecompiled !== true
  const loaded =
    given.strategy === undefined ? await loadStrategy(settings.strategy, isCached) : givenStrategy(given.strategy)
  const asked = given.liquidity === undefined ? undefined : givenLiquidity(given.liquidity)
  // A missing model is reported before a tape is read for hours.
  const early = asked ?? (settings.liquidity === null ? undefined : await chooseLiquidity(settings.liquidity, isCached))
  const { inspected, inspectedBooks, inspectedSeries } = await recordingsOf(settings, given, watch)
  const liquidity = early ?? (await chooseLiquidity(liquidityOf(settings, inspectedBooks.length > 0), isCached))
  checkModelForBooks(liquidity, inspectedBooks)
  checkTapesDiffer(inspected)
  const candleTapes = candleTapesOf(inspected)
  checkModelForCandles(liquidity, candleTapes)
  const markets = recordedMarkets(setting('tapes'), [...inspected, ...inspectedBooks], settings)
  const [first] = markets
  if (first === undefined) throw noTape()
  const { quoteAsset } = first
  return {
    settings,
    loaded,
    liquidity,
    liquiditySetups: setupsOf(markets, settings),
    candleTapes,
    inspected,
    inspectedBooks,
    inspectedSeries,
    tapes: inspected.map((tape, index) => given.tapes?.[index] ?? openTape(tape, marketOf(tape, markets))),
    books: inspectedBooks.map((book) => openBook(book, marketOf(book, markets))),
    markets,
    quoteAsset,
    ...creditOf(settings.credit, markets, quoteAsset),
  }
}

const noTape = (): InputError => new InputError(setting('tapes'), 'expected at least one tape')

const recordingsOf = async (
  settings: BacktestSettings,
  { inspected, inspectedBooks = [], inspectedSeries = [], recordings }: GivenParts,
  watch: PreparationWatch,
): Promise<InspectedMarkets> => {
  if (inspected !== undefined) return { inspected, inspectedBooks, inspectedSeries }
  return recordings === undefined ? await inspectMarkets(settings, watch) : await recordings.of(settings, watch)
}

/** The individual part of a run on shared markets. */
export interface RunTurn {
  /** Settings with the parameters and the window of the run; default: the prepared ones. */
  readonly settings?: BacktestSettings | undefined
  /** The same strategy, reloaded; default: as loaded before. */
  readonly loaded?: LoadedStrategy | undefined
}

/** @throws {InputError} for mistakes in parameters or window */
export async function prepareRun(prepared: PreparedMarkets, turn: RunTurn = {}): Promise<PreparedBacktest> {
  const { settings = prepared.settings, loaded = prepared.loaded } = turn
  const { markets } = prepared
  const givenParams = { texts: settings.paramTexts, values: settings.params, symbol: markets[0]?.symbol ?? '' }
  // A schema may run code of its own.
  const [params, reported] = await watchedWork('loading', settings.strategy, () => {
    const read = readParams(loaded.strategy, givenParams)
    return Promise.resolve([read, reportedParams(loaded.strategy, givenParams, read)] as const)
  })
  const span = { ...runSpan(prepared, settings), ...(await warmUpOf(prepared, settings)) }
  const { warmupFrom } = span
  // Books at the last moment are played, too.
  const bookWindow = { from: warmupFrom ?? span.from, to: settings.to ?? span.to + 1 }
  return {
    ...prepared,
    settings,
    loaded,
    params: checkSymbol(params, markets),
    reportedParams: reported,
    tapes: prepared.tapes.map((tape) => windowOf(tape, { from: warmupFrom ?? settings.from, to: settings.to })),
    books: prepared.books.map((book) => restrictBook(book, bookWindow)),
    ...span,
  }
}

/**
 * Beginning and end of a run, and of its warm-up.
 * @throws {InputError} for an empty window
 */
export function runSpan(
  prepared: Pick<PreparedMarkets, 'inspected' | 'inspectedBooks' | 'loaded'>,
  settings: BacktestSettings,
): Pick<PreparedBacktest, 'from' | 'to' | 'warmupFrom'> {
  const infos = spanningInfos(prepared)
  return {
    warmupFrom: warmupFromOf(infos, settings, prepared.loaded.strategy),
    ...checkedPeriods(spanOf(infos, settings), settings),
  }
}

/** A strategy's parameter `symbol` must be a market of the run. */
function checkSymbol(params: ParamValues, markets: readonly MarketConfig[]): ParamValues {
  const { symbol } = params
  if (typeof symbol !== 'string' || markets.some((market) => market.symbol === symbol)) return params
  const known = markets.map((market) => market.symbol)
  const hint = known.length > 1 ? nearestNameHint(symbol, known) : ''
  throw new InputError(
    setting('params.symbol'),
    `no tape has the symbol '${symbol}'; there is ${known.join(', ')}${hint}`,
  )
}

/** Cache of recorded candles that the strategy needs, since sweeps query it for each point. */
const warmUps = new WeakMap<readonly Tape[], Map<string, Promise<WarmUpSpan>>>()

async function warmUpOf(
  { tapes, loaded }: PreparedMarkets,
  { from, warmupMs }: BacktestSettings,
): Promise<Pick<PreparedBacktest, 'warmupFrom' | 'warmedUp'>> {
  const needs = warmupNeeds(loaded.strategy.warmup)
  if (from === null || needs.length === 0 || tapes.length === 0) return {}
  const first = Math.min(...tapes.map(({ info }) => info.from))
  const chosen = warmupMs === null ? undefined : Math.max(first, from - warmupMs)
  const known = warmUps.get(tapes) ?? new Map<string, Promise<WarmUpSpan>>()
  warmUps.set(tapes, known)
  const key = JSON.stringify([needs, from, chosen])
  const span = known.get(key) ?? warmUpSpan(tapes, needs, from, chosen)
  known.set(key, span)
  const { begin, counts } = await span
  return { warmupFrom: begin < from ? begin : undefined, warmedUp: counts }
}

/** Undefined if no warm-up is wanted, or no history exists. */
function warmupFromOf(
  infos: readonly SpanInfo[],
  { from, warmupMs }: BacktestSettings,
  { warmup }: Strategy,
): number | undefined {
  const needs = warmupNeeds(warmup)
  if (from === null) {
    if (warmupMs === null) return undefined
    throw new InputError(placeOf('warmupMs'), worded`needs ${setting('from')}: it is the data before that time`)
  }
  const first = Math.min(...infos.map((info) => info.from))
  const begin = Math.max(first, warmupMs === null ? warmupBegin(needs, from) : from - warmupMs)
  return begin < from ? begin : undefined
}

type Window = Pick<BacktestSettings, 'from' | 'to'>

function marketOf({ info }: InspectedTape | InspectedBook, markets: readonly MarketConfig[]): MarketConfig {
  const market = markets.find(({ symbol }) => symbol === info.symbol)
  if (market === undefined) throw new InputError(info.file, `no market ${info.symbol}`)
  return market
}

const windowOf = (tape: Tape, { from, to }: Window): Tape =>
  restrictTape(tape, { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) })

function spanOf(infos: readonly SpanInfo[], settings: BacktestSettings): { from: number; to: number } {
  const first = Math.min(...infos.map((info) => info.from))
  const last = Math.max(...infos.map((info) => info.to))
  const from = Math.max(first, settings.from ?? first)
  const to = Math.min(last, settings.to ?? last)
  if (settings.from !== null && settings.to !== null && settings.from >= settings.to) {
    throw new InputError(setting('to'), worded`expected a time after ${setting('from')}, ${isoTime(settings.from)}`)
  }
  const recorded = `the tapes cover ${isoTime(first)} to ${isoTime(last)}`
  if (from > last) throw new InputError(setting('from'), `nothing was recorded in that time; ${recorded}`)
  if (settings.to !== null && settings.to <= first)
    throw new InputError(setting('to'), `nothing was recorded in that time; ${recorded}`)
  return { from, to }
}

/** Maximum number of return periods; with more, statistics would take longer than the run. */
const MAX_PERIODS = 100_000

/** @throws {InputError} for a run of more periods */
function checkedPeriods<Span extends { from: number; to: number }>(span: Span, settings: BacktestSettings): Span {
  const periods = Math.ceil((span.to - span.from) / statsPeriodMs(settings))
  if (periods <= MAX_PERIODS) return span
  const what = `the run has ${periods} periods of ${settings.statsPeriod}, more than ${MAX_PERIODS}: choose a longer period`
  throw new InputError(placeOf('statsPeriod'), what)
}

type Credit = Pick<PreparedBacktest, 'credit' | 'creditTexts'>

/** @throws {InputError} for an asset of no market, or an amount that does not fit its ledger */
export function creditOf(
  texts: Readonly<Record<string, string>>,
  markets: readonly MarketConfig[],
  quoteAsset: string,
): Credit {
  const scales = ledgerScales(markets)
  const given = Object.keys(texts).length === 0 ? { [quoteAsset]: DEFAULT_CREDIT } : texts
  const credit = new Map(
    Object.entries(given).map(([asset, text]) => {
      const places = { place: setting(`credits.${asset}`), assetPlace: setting('credits') }
      return [asset, creditAmount({ asset, text, ...places }, scales)] as const
    }),
  )
  const written = [...credit].map(([asset, amount]) => [asset, formatTrimmed(amount, scales.get(asset) ?? 0)] as const)
  return { credit, creditTexts: Object.fromEntries(written) }
}
