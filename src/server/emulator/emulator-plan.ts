/** The plan of an emulator: all options, validated before anything is created. */
import { InputError, invariant } from '../../domain/errors.ts'
import { ledgerScales, type Market, type MarketConfig } from '../../domain/market.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { checkConfig } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig, HistoryLimits } from '../../exchange/exchange.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import { inspectMarkets } from '../../runtime/backtest/inspected-markets.ts'
import { setupsOf } from '../../runtime/backtest/liquidity-setups.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import type { RecordedDepth } from '../../simulation/depth/recorded-depth.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import {
  DEFAULT_LIQUIDITY,
  DEFAULT_WITH_BOOK,
  liquidity,
  type LiquiditySetup,
} from '../../simulation/liquidity/liquidity-models.ts'
import type { PlayedTape } from '../../simulation/replay/tape-channel.ts'
import { openBook } from '../../store/books/inspected/open-book.ts'
import { recordingsAt } from '../../store/recordings/recordings-at.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import type { BookTape, BookTapeInfo } from '../../tape/book-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import { restrictBook } from '../../tape/window.ts'
import { DEFAULT_MARKETS, defaultUser, type EmulatorConfig, marketsOf, readEmulatorConfig } from './emulator-config.ts'
import type { EmulatorExtension } from './emulator-extension.ts'
import { checkOptions, type EmulatorOptions, hasAgents } from './emulator-options.ts'
import { readWorld } from '../worlds/world-shelf.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import { type CheckedUser, checkUsers, type EmulatorUser } from './emulator-users.ts'
import type { Mirror } from './mirror.ts'

/** Recorded markets made ready to be replayed: inspected, their markets known, what the crowd shows in them said. */
interface ReplayTapes {
  readonly markets: readonly MarketConfig[]
  readonly tapes: readonly PlayedTape[]
  /** Recorded books and quotes of these markets. */
  readonly books: readonly BookTape[]
  /** Unix milliseconds of the first trade. */
  readonly from: number
  readonly modelOf: ModelOf
}

/** A fresh liquidity model for a market. @param depth  what is recorded of its book */
type ModelOf = (symbol: string, depth: RecordedDepth | undefined) => LiquidityModel

const modelsOf =
  (setups: ReadonlyMap<string, LiquiditySetup>): ModelOf =>
  (symbol, depth) => {
    const setup = setups.get(symbol)
    // Markets without a recording have no crowd.
    if (setup === undefined) return new IdealLiquidity()
    return depth === undefined
      ? liquidity(DEFAULT_LIQUIDITY).create(setup)
      : liquidity(DEFAULT_WITH_BOOK).create({ ...setup, depth })
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
async function prepareReplay(
  sources: readonly TapeSource[],
  depth: readonly BookTapeSource[],
  given: readonly MarketConfig[] | undefined,
): Promise<ReplayTapes> {
  const recordings = await Promise.all(sources.map(recordingsAt))
  const wanted = { tapes: recordings.flat(), books: depth }
  const { inspected, inspectedBooks } = await inspectMarkets(wanted, {}, null).catch(asReplay)
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
  const modelOf = modelsOf(setups)
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

/** A world to start from. */
export interface FirstWorld {
  readonly world: WorldSnapshot
  /** Users whose keys are known. */
  readonly known: readonly EmulatorUser[]
  /** True if it was restored for nothing already. */
  readonly isChecked: boolean
}

export interface EmulatorPlan {
  readonly exchange: ExchangeConfig
  readonly limits: RateLimits | undefined
  readonly hasAgents: boolean
  /** Undefined without a tape. */
  readonly replay: ReplayTapes | undefined
  /** Undefined without a live service to follow. */
  readonly mirrored?: MirrorPlan | undefined
  readonly users: readonly CheckedUser[]
  /** True if users are configured: they are then added to those of a saved state. */
  readonly areUsersGiven: boolean
  /** World to start from, instead of the markets and users of the config. */
  readonly saved?: FirstWorld | undefined
  /** Program that is built on the emulator. */
  readonly extension?: EmulatorExtension | undefined
}

/** A live service whose markets are followed. */
export interface MirrorPlan {
  readonly mirror: Mirror
  readonly setups: ReadonlyMap<string, LiquiditySetup>
  readonly modelOf: ModelOf
}

/** Enough for a day of a busy account; agents have accounts as well. */
const HISTORY: HistoryLimits = { orders: 5_000, fills: 5_000, trades: 1_000, candles: 5_000 }

/**
 * @param onFailure  called once if the mirrored service cannot be followed any more, by a fault of ours
 * @throws {InputError} for invalid options
 * @throws {ExchangeError} if the mirrored service cannot be used
 */
export async function planEmulator(
  options: EmulatorOptions,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<EmulatorPlan> {
  checkOptions(options)
  const { configName: where = 'config', config: given = {}, onNotice = () => undefined, mirror: url } = options
  const config = readEmulatorConfig(where, given)
  if (options.world !== undefined)
    return planOfWorld({ world: readWorld(options.world), known: [], isChecked: false }, config.limits)
  const isTraded = hasAgents(where, config, options)
  if (url === undefined) return await planWith(where, config, options, isTraded)
  // Loaded on demand.
  const { Mirror } = await import('./mirror.ts')
  const mirror = new Mirror({ url, onNotice, onFailure })
  try {
    const plan = await planWith(where, config, options, isTraded, mirror)
    await mirror.follow(plan.exchange.markets)
    return plan
  } catch (error) {
    await mirror.close()
    throw error
  }
}

async function planWith(
  where: string,
  config: EmulatorConfig,
  { replay: sources = [], depth = [] }: EmulatorOptions,
  isTraded: boolean,
  mirror?: Mirror,
): Promise<EmulatorPlan> {
  const own = config.markets === undefined ? undefined : marketsOf(where, config.markets)
  const replay = sources.length === 0 ? undefined : await prepareReplay(sources, depth, own)
  const followed = mirror && mirroredMarkets(where, await mirror.markets(), own)
  const markets = followed ?? replay?.markets ?? own ?? DEFAULT_MARKETS
  const quoteAsset = config.quoteAsset ?? markets[0]?.quoteAsset ?? ''
  const exchange = { markets, quoteAsset, history: HISTORY }
  checkExchange(where, exchange)
  const users = checkUsers(where, config.users ?? [defaultUser(quoteAsset)], ledgerScales(markets))
  const setups = setupsOf(markets, TERMS)
  const mirrored = mirror && { mirror, setups, modelOf: modelsOf(setups) }
  const { limits } = config
  return { exchange, limits, hasAgents: isTraded, replay, mirrored, users, areUsersGiven: config.users !== undefined }
}

/**
 * All markets of a service without fees, or the configured ones with theirs.
 *
 * @throws {InputError} for a configured market that the service does not list, or lists with other precisions
 */
function mirroredMarkets(
  where: string,
  listed: readonly Market[],
  own: readonly MarketConfig[] | undefined,
): readonly MarketConfig[] {
  if (listed.length === 0) throw new InputError(setting('mirror'), 'the service lists no market')
  return (own ?? listed).map((given, index) => {
    const market = listed.find(({ symbol }) => symbol === given.symbol)
    const place = `${where} markets.${index}`
    if (market === undefined) {
      const known = listed.map(({ symbol }) => symbol).join(', ')
      throw new InputError(`${place}.symbol`, `the mirrored service lists no market '${given.symbol}', only ${known}`)
    }
    for (const name of ['pricePrecision', 'qtyPrecision'] as const) {
      if (given[name] === market[name]) continue
      throw new InputError(
        `${place}.${name}`,
        `expected ${market[name]} as in the mirrored service, got ${given[name]}`,
      )
    }
    return { ...NO_FEES, selfTrade: 'allow', ...given, ...market }
  })
}

/** Plan of an emulator that a program is built on. */
export function extendedPlan(plan: EmulatorPlan, extension: EmulatorExtension): EmulatorPlan {
  const { selfTrade } = extension
  const markets = plan.exchange.markets.map((market) => ({ ...market, selfTrade }))
  return { ...plan, exchange: { ...plan.exchange, markets }, extension }
}

/** Plan of an emulator that continues a world. */
export function planOfWorld(saved: FirstWorld, limits: RateLimits | undefined): EmulatorPlan {
  const { markets, quoteAsset } = saved.world.exchange
  const exchange = { markets, quoteAsset, history: HISTORY }
  const hasAgents = saved.world.agents.length > 0
  return { exchange, limits, hasAgents, replay: undefined, users: [], areUsersGiven: false, saved }
}

/** Validates the exchange; errors name the config. */
function checkExchange(where: string, config: ExchangeConfig): void {
  try {
    checkConfig(config)
  } catch (error) {
    throw error instanceof InputError ? new InputError(where, error.message, { cause: error }) : error
  }
}
