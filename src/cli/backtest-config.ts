/**
 * What a backtest can be told, as `papertape.config.ts|js|json` has it and as the flags are read into: one schema for both.
 */
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import { LIQUIDITY_NAMES } from '../simulation/liquidity/liquidity-models.ts'
import { nearestName } from '../store/nearest-name.ts'

const precision = z.int().min(0).max(12)
const latency = z.int().min(0).max(86_400_000)
const time = z.union([z.string(), z.int().min(0)])

/** How a file of recorded trades or candles is read. */
const reading = {
  symbol: z.string().optional(),
  columns: z.string().optional(),
  candleTime: z.enum(['open', 'close']).optional(),
  candleInterval: z.union([z.string(), z.int().min(1)]).optional(),
  pricePrecision: precision.optional(),
  qtyPrecision: precision.optional(),
}

const tape = z.union([z.string(), z.strictObject({ file: z.string(), ...reading })])

export const backtestConfig = z.strictObject({
  strategy: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  tape: z.union([tape, z.array(tape)]).optional(),
  ...reading,
  /** Decimal strings by asset. */
  credit: z.record(z.string(), z.string()).optional(),
  /** Basis points as decimal strings. */
  makerFee: z.string().optional(),
  takerFee: z.string().optional(),
  liquidity: z.enum(LIQUIDITY_NAMES).optional(),
  /** Milliseconds. */
  orderLatency: latency.optional(),
  responseLatency: latency.optional(),
  feedLatency: latency.optional(),
  onLimit: z.enum(['refuse', 'wait']).optional(),
  limits: z
    .union([
      z.boolean(),
      z.strictObject({ general: z.int().min(1), mutations: z.int().min(1), windowSeconds: z.int().min(1) }),
    ])
    .optional(),
  /** ISO 8601 or Unix milliseconds. */
  from: time.optional(),
  to: time.optional(),
  seed: z.int32().optional(),
  out: z.string().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
})

export type BacktestConfig = z.output<typeof backtestConfig>
export type TapeConfig = z.output<typeof tape>

/**
 * Checks a config that came from a file.
 *
 * @throws {InputError} at the first key that is unknown or has the wrong form
 */
export function checkConfig(where: string, value: unknown): BacktestConfig {
  const parsed = backtestConfig.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') throw unknownKey([where, ...issue.path].join(' '), issue.keys[0] ?? '')
  throw new InputError([where, ...(issue?.path ?? [])].join(' '), issue?.message ?? 'not a config')
}

function unknownKey(where: string, key: string): InputError {
  const nearest = nearestName(key, Object.keys(backtestConfig.shape))
  return new InputError(where, `unknown key '${key}'${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`)
}
