/**
 * What a backtest can be told, as `papertape.config.ts|js|json` has it and as the flags are read into: one schema for both.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestName } from '../../domain/nearest-name.ts'

export const precision = z.int().min(0).max(12)
export const clips = z.number().min(0).max(1000)
export const staleMs = z.int().min(0)
export const latencyMs = z.int().min(0).max(86_400_000)
export const seed = z.int32()
export const timeMs = z.int().min(0).max(8.64e15)
export const rateLimits = z.strictObject({
  general: z.int().min(1),
  mutations: z.int().min(1),
  windowSeconds: z.int().min(1),
})

const expected = (what: string): { error: string } => ({ error: `Invalid input: expected ${what}` })
const time = z.union([z.string(), timeMs], expected('ISO 8601 or Unix ms'))

/** How a file of recorded trades or candles is read. */
const reading = {
  symbol: z.string().optional(),
  columns: z.string().optional(),
  candleTime: z.enum(['open', 'close']).optional(),
  candleInterval: z.union([z.string(), z.int().min(1)], expected('a name such as 1m, or milliseconds')).optional(),
  pricePrecision: precision.optional(),
  qtyPrecision: precision.optional(),
}

const tapeFile = z.strictObject({ file: z.string(), ...reading })
const tape = z.union([z.string(), tapeFile], expected("'[SYMBOL=]FILE' or { file, symbol, ... }"))

export const backtestConfig = z.strictObject({
  strategy: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  tape: z
    .union([tape, z.array(tape)], expected("'[SYMBOL=]FILE', { file, symbol, ... }, or a list of these"))
    .optional(),
  ...reading,
  /** Decimal strings by asset. */
  credit: z.record(z.string(), z.string()).optional(),
  /** Basis points as decimal strings. */
  makerFee: z.string().optional(),
  takerFee: z.string().optional(),
  /** Name of a model, or path of a file. */
  liquidity: z.string().optional(),
  queue: clips.optional(),
  depth: clips.optional(),
  /** The crowd's spread as a decimal string. */
  spread: z.string().optional(),
  /** Milliseconds. */
  staleAfter: staleMs.optional(),
  bounds: z.boolean().optional(),
  /** Milliseconds. */
  orderLatency: latencyMs.optional(),
  responseLatency: latencyMs.optional(),
  feedLatency: latencyMs.optional(),
  onLimit: z.enum(['refuse', 'wait']).optional(),
  limits: z.union([z.boolean(), rateLimits], expected('true, false, or the limits')).optional(),
  /** ISO 8601 or Unix milliseconds. */
  from: time.optional(),
  to: time.optional(),
  seed: seed.optional(),
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
  const [first] = parsed.error.issues
  if (first === undefined) throw new InputError(where, 'not a config')
  const issue = innermost(first)
  const place = [where, ...issue.path].join(' ')
  throw issue.code === 'unrecognized_keys'
    ? unknownKey(place, issue.keys[0] ?? '', keysAt(issue.path))
    : new InputError(place, issue.message)
}

type Issue = z.core.$ZodIssue

/**
 * Of a union, what the form that fits furthest has to say; the union itself when none goes into the value. An unknown key says
 * more than the key that is missing because of it.
 */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map((each) => innermost({ ...each, path: [...issue.path, ...each.path] }))
  const depth = ({ code, path }: Issue): number => path.length + (code === 'unrecognized_keys' ? 2 : 0)
  return inner.reduce<Issue>((best, each) => (depth(each) > depth(best) ? each : best), issue)
}

function keysAt([top]: readonly PropertyKey[]): readonly string[] {
  if (top === undefined) return Object.keys(backtestConfig.shape)
  return Object.keys(top === 'limits' ? rateLimits.shape : tapeFile.shape)
}

function unknownKey(where: string, key: string, known: readonly string[]): InputError {
  const nearest = nearestName(key, known)
  return new InputError(where, `unknown key '${key}'${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`)
}
