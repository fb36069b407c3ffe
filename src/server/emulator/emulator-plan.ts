/** The plan of an emulator: all options, validated before anything is created. */
import { InputError } from '../../domain/errors.ts'
import { ledgerScales } from '../../domain/market.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import { checkConfig } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig, HistoryLimits } from '../../exchange/exchange.ts'
import { DEFAULT_MARKETS, defaultUser, marketsOf, readEmulatorConfig } from './emulator-config.ts'
import { checkOptions, hasAgents, type EmulatorOptions } from './emulator-options.ts'
import { checkUsers, type CheckedUser } from './emulator-users.ts'
import { prepareReplay, type ReplayTapes } from './replay-tapes.ts'

export interface EmulatorPlan {
  readonly exchange: ExchangeConfig
  readonly limits: RateLimits | undefined
  readonly hasAgents: boolean
  /** Undefined without a tape. */
  readonly replay: ReplayTapes | undefined
  readonly users: readonly CheckedUser[]
  /** True if users are configured: they are then added to those of a saved state. */
  readonly areUsersGiven: boolean
}

/** Enough for a day of a busy account; agents have accounts as well. */
const HISTORY: HistoryLimits = { orders: 5_000, fills: 5_000, trades: 1_000, candles: 5_000 }

/** @throws {InputError} for invalid options */
export async function planEmulator(options: EmulatorOptions): Promise<EmulatorPlan> {
  checkOptions(options)
  const { configName: where = 'config', config: given = {}, replay: sources = [], depth = [] } = options
  const config = readEmulatorConfig(where, given)
  const isTraded = hasAgents(where, config, options)
  const own = config.markets === undefined ? undefined : marketsOf(where, config.markets)
  const replay = sources.length === 0 ? undefined : await prepareReplay(sources, depth, own)
  const markets = replay?.markets ?? own ?? DEFAULT_MARKETS
  const quoteAsset = config.quoteAsset ?? markets[0]?.quoteAsset ?? ''
  const exchange = { markets, quoteAsset, history: HISTORY }
  checkExchange(where, exchange)
  const users = checkUsers(where, config.users ?? [defaultUser(quoteAsset)], ledgerScales(markets))
  const { limits } = config
  return { exchange, limits, hasAgents: isTraded, replay, users, areUsersGiven: config.users !== undefined }
}

/** Validates the exchange; errors name the config. */
function checkExchange(where: string, config: ExchangeConfig): void {
  try {
    checkConfig(config)
  } catch (error) {
    throw error instanceof InputError ? new InputError(where, error.message, { cause: error }) : error
  }
}
