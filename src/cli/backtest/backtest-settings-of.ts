/**
 * Config and flags as the settings of a run: flags over file, defaults under both.
 */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../domain/rate-window.ts'
import type { BacktestSettings } from '../../runtime/backtest/backtest-settings.ts'
import { DEFAULT_LIQUIDITY } from '../../simulation/liquidity/liquidity-models.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import type { TapeSource } from '../../store/tape-source.ts'
import type { BacktestConfig, TapeConfig } from './backtest-config.ts'

const DEFAULT_ORDER_LATENCY_MS = 50
const DEFAULT_SEED = 1
const LATEST_MS = 8.64e15

/**
 * @param file   the config file's
 * @param flags  parameters in it are texts, which the strategy's schema reads
 * @throws {InputError} for what is missing, and for what does not go together
 */
export function settingsOf(file: BacktestConfig, flags: BacktestConfig): BacktestSettings {
  const config = { ...file, ...flags }
  const { strategy } = config
  if (strategy === undefined)
    throw new InputError('backtest', 'expected a strategy: the name of a ready one, or a file')
  return {
    strategy,
    params: file.params ?? {},
    paramTexts: (flags.params ?? {}) as Readonly<Record<string, string>>,
    tapes: tapesOf(config),
    credit: config.credit ?? {},
    makerFeeBps: config.makerFee ?? '0',
    takerFeeBps: config.takerFee ?? '0',
    ...liquidityOf(config),
    orderLatencyMs: config.orderLatency ?? DEFAULT_ORDER_LATENCY_MS,
    responseLatencyMs: config.responseLatency ?? 0,
    feedLatencyMs: config.feedLatency ?? 0,
    onLimit: config.onLimit ?? 'refuse',
    limits: limitsOf(config.limits),
    from: timeOf('--from', config.from),
    to: timeOf('--to', config.to),
    seed: config.seed ?? DEFAULT_SEED,
  }
}

type LiquiditySettings = Pick<BacktestSettings, 'liquidity' | 'queueClips' | 'depthClips' | 'spread' | 'staleAfterMs'>

const liquidityOf = ({ liquidity, queue, depth, spread, staleAfter }: BacktestConfig): LiquiditySettings => ({
  liquidity: liquidity ?? DEFAULT_LIQUIDITY,
  queueClips: queue ?? 1,
  depthClips: depth ?? 1,
  spread: spread ?? null,
  staleAfterMs: staleAfter ?? null,
})

const limitsOf = (limits: boolean | RateLimits | undefined): RateLimits | null => {
  if (limits === undefined || limits === true) return DEFAULT_RATE_LIMITS
  return limits === false ? null : limits
}

function timeOf(flag: string, value: string | number | undefined): number | null {
  if (value === undefined) return null
  const time = typeof value === 'number' || /^[0-9]+$/.test(value) ? Number(value) : parseIsoTime(value)?.time
  if (time !== undefined && time >= 0 && time <= LATEST_MS) return time
  throw new InputError(flag, `expected a date such as 2024-08-09 or 2024-08-09T12:00:00Z, or Unix ms, got '${value}'`)
}

function tapesOf(config: BacktestConfig): readonly TapeSource[] {
  const given = config.tape === undefined ? [] : [config.tape].flat()
  if (given.length === 0) throw new InputError('--tape', 'expected a recorded market, [SYMBOL=]FILE')
  if (given.length > 1 && config.symbol !== undefined) {
    throw new InputError('--symbol', 'names the market of a single tape; with several, write SYMBOL=FILE for each')
  }
  return given.map((tape) => tapeOf(tape, config))
}

/** What is said of the one tape wins over what is said of all. */
function tapeOf(given: TapeConfig, config: BacktestConfig): TapeSource {
  const own = typeof given === 'string' ? namedFile(given) : given
  if (own.symbol !== undefined && config.symbol !== undefined && own.symbol !== config.symbol) {
    throw new InputError('--symbol', `'${config.symbol}' is not what the tape is said to be, '${own.symbol}'`)
  }
  const said = { ...readingOf(config), ...readingOf(own) }
  const { candleInterval, ...rest } = said
  const interval = candleInterval === undefined ? {} : { candleInterval: intervalMs(candleInterval) }
  return { file: own.file, ...rest, ...interval }
}

type Said = Pick<
  BacktestConfig,
  'symbol' | 'columns' | 'candleTime' | 'candleInterval' | 'pricePrecision' | 'qtyPrecision'
>

type Reading = Omit<TapeSource, 'file' | 'candleInterval'> & { readonly candleInterval?: string | number }

/** Only what is there. */
function readingOf({ symbol, columns, candleTime, candleInterval, pricePrecision, qtyPrecision }: Said): Reading {
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(columns === undefined ? {} : { columns }),
    ...(candleTime === undefined ? {} : { candleTime }),
    ...(candleInterval === undefined ? {} : { candleInterval }),
    ...(pricePrecision === undefined ? {} : { pricePrecision }),
    ...(qtyPrecision === undefined ? {} : { qtyPrecision }),
  }
}

/** `SYMBOL=FILE`, or `FILE`; a path may have an equals sign behind its first slash. */
export function namedFile(text: string): { readonly file: string; readonly symbol?: string } {
  const [, symbol, file] = /^([^=/\\]+)=(.+)$/.exec(text) ?? []
  return symbol === undefined || file === undefined ? { file: text } : { symbol, file }
}

function intervalMs(value: string | number): number {
  if (typeof value === 'number') return value
  const named = new Map<string, number>(Object.entries(ALL_CANDLE_INTERVALS)).get(value)
  if (named !== undefined) return named
  if (/^[0-9]{1,15}$/.test(value)) return Number(value)
  const names = CANDLE_INTERVAL_NAMES.join(', ')
  throw new InputError('--candle-interval', `expected one of ${names}, or milliseconds, got '${value}'`)
}
