/**
 * The config of an emulator: markets, users and limits, the content of a JSON file.
 *
 * Missing fields have their defaults. Values are never coerced, and unknown fields are refused.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { assetsOfSymbol, MAX_PRECISION, type MarketConfig } from '../../domain/market.ts'
import { DEFAULT_RATE_LIMITS } from '../../domain/rate-window.ts'
import { emailSchema } from '../service/email.ts'
import { KEY_FORM, keyIdOf, SCOPES, type Scope } from '../service/api-key.ts'
import { emailKey } from '../service/user-registry.ts'

/** Markets, users and limits of an emulator: the content of the file for `papertape serve --config`. */
export interface EmulatorConfigInput {
  /** Asset in which portfolios are valued; default: the quote asset of the first market. */
  readonly quoteAsset?: string | undefined
  /** At least one; default: BTC_USD and ETH_USD, with price precision 2 and quantity precision 8. */
  readonly markets?: readonly EmulatorMarketInput[] | undefined
  /** Default: `trader@example.com` with 100 000 of the quote asset, and one key with every scope. */
  readonly users?: readonly EmulatorUserInput[] | undefined
  /** Default: those of the service. */
  readonly limits?: EmulatorLimits | undefined
  /** Turns simulated traders on or off; default: on, except with `replay`. */
  readonly agents?: boolean | undefined
}

/** A market of an emulator. */
export interface EmulatorMarketInput {
  /** BASE_QUOTE. */
  readonly symbol: string
  /** Id of the market; default: the symbol. */
  readonly id?: string | undefined
  /** Display name; default: the symbol. */
  readonly name?: string | undefined
  /** Base asset; it must match the symbol. */
  readonly baseAsset?: string | undefined
  /** Quote asset; it must match the symbol. */
  readonly quoteAsset?: string | undefined
  /** Decimal digits of prices, 0 to 12. */
  readonly pricePrecision: number
  /** Decimal digits of quantities, 0 to 12. */
  readonly qtyPrecision: number
  /** Maker fee in basis points, 0 to 10000 with up to 4 decimals; default: '0'. */
  readonly makerFeeBps?: string | undefined
  /** Taker fee in basis points, 0 to 10000 with up to 4 decimals; default: '0'. */
  readonly takerFeeBps?: string | undefined
  /** Whether orders of one user may match each other; default: 'allow'. */
  readonly selfTrade?: 'allow' | 'reject' | undefined
}

/** A user of an emulator. */
export interface EmulatorUserInput {
  /** E-mail address, unique among the users. */
  readonly email: string
  /** Whether the e-mail is verified; default: true. */
  readonly verified?: boolean | undefined
  /** Starting balances, decimal strings by asset; default: none. */
  readonly credits?: Readonly<Record<string, string>> | undefined
  /** API keys; default: none. */
  readonly keys?: readonly EmulatorKeyInput[] | undefined
}

/** An API key of a user. */
export interface EmulatorKeyInput {
  /** At least one scope. */
  readonly scopes: readonly Scope[]
  /** The whole key, if clients need the same one every time; default: a new one. */
  readonly key?: string | undefined
}

/** Rate limits per API key. */
export interface EmulatorLimits {
  /** Count of requests per window, 1 to 10^9; default: 600. */
  readonly general?: number | undefined
  /** Count of orders placed and cancelled per window, 1 to 10^9; default: 30. */
  readonly mutations?: number | undefined
  /** Length of a window in seconds, 1 to 86400; default: 60. */
  readonly windowSeconds?: number | undefined
}

const precision = z.int().min(0).max(MAX_PRECISION)
const basisPoints = z.string().default('0')
const windowCount = z.int().min(1).max(1_000_000_000)

const marketSchema = z.strictObject({
  /** BASE_QUOTE. */
  symbol: z.string(),
  id: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  baseAsset: z.string().optional(),
  quoteAsset: z.string().optional(),
  pricePrecision: precision,
  qtyPrecision: precision,
  makerFeeBps: basisPoints,
  takerFeeBps: basisPoints,
  selfTrade: z.enum(['allow', 'reject']).default('allow'),
})

const keySchema = z.strictObject({
  scopes: z.array(z.enum(SCOPES)).min(1),
  key: z.string().regex(KEY_FORM, 'expected pt_, 8 of 0-9 and a-z, _, and 43 of A-Z, a-z, 0-9, - and _').optional(),
})

const userSchema = z.strictObject({
  email: emailSchema,
  verified: z.boolean().default(true),
  /** Decimal strings by asset. */
  credits: z.record(z.string(), z.string()).default({}),
  keys: z.array(keySchema).default([]),
})

/** The config without users. */
export const worldConfigSchema = z.strictObject({
  quoteAsset: z.string().optional(),
  markets: z.array(marketSchema).min(1).optional(),
  limits: z
    .strictObject({
      general: windowCount.default(DEFAULT_RATE_LIMITS.general),
      mutations: windowCount.default(DEFAULT_RATE_LIMITS.mutations),
      windowSeconds: z.int().min(1).max(86_400).default(DEFAULT_RATE_LIMITS.windowSeconds),
    })
    .optional(),
  agents: z.boolean().optional(),
})

const configSchema = worldConfigSchema.extend({
  users: z.array(userSchema).optional(),
}) satisfies z.ZodType<unknown, EmulatorConfigInput>

/** The config as parsed, with defaults for markets and users. */
export type EmulatorConfig = z.output<typeof configSchema>
export type GivenMarket = z.output<typeof marketSchema>
export type UserConfig = z.output<typeof userSchema>

/**
 * Checks a config.
 *
 * @param where  what to call it, such as the name of its file
 * @throws {InputError} at the first field that is unknown or has the wrong form
 */
export function readEmulatorConfig(where: string, value: unknown): EmulatorConfig {
  return checkUsers(where, shaped(where, configSchema, value))
}

/** Like `readEmulatorConfig`, for a single user. */
export const readEmulatorUser = (where: string, value: unknown): UserConfig => shaped(where, userSchema, value)

/** @throws {InputError} at the first field that is unknown or has the wrong form */
export function shaped<Schema extends z.ZodType>(where: string, schema: Schema, value: unknown): z.output<Schema> {
  const unnamed = pathOfProto(value)
  if (unnamed !== undefined) throw new InputError(placeOf(where, unnamed), 'unknown field')
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new InputError(where, 'is invalid')
  const isUnknown = issue.code === 'unrecognized_keys'
  const path = isUnknown ? [...issue.path, issue.keys[0]] : issue.path
  throw new InputError(placeOf(where, path), isUnknown ? 'unknown field' : issue.message)
}

const placeOf = (where: string, path: readonly (PropertyKey | undefined)[]): string =>
  [where, path.map(String).join('.')].filter(Boolean).join(' ')

/** Path of a `__proto__` key, which would silently disappear; undefined if there is none. */
function pathOfProto(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, '__proto__')) return ['__proto__']
  for (const [name, each] of Object.entries(value)) {
    const path = pathOfProto(each)
    if (path !== undefined) return [name, ...path]
  }
  return undefined
}

/** E-mails must be unique, because a restart recognizes users by them. */
function checkUsers(where: string, config: EmulatorConfig): EmulatorConfig {
  const emails = new Set<string>()
  for (const [index, { email }] of (config.users ?? []).entries()) {
    if (emails.has(emailKey(email))) throw new InputError(`${where} users.${index}.email`, `${email} is listed twice`)
    emails.add(emailKey(email))
  }
  checkKeys(where, config)
  return config
}

/** Public ids of keys must be unique, because keys are looked up by them. */
function checkKeys(where: string, { users = [] }: EmulatorConfig): void {
  const given = users.flatMap(({ keys }, user) =>
    keys.map(({ key = '' }, index) => ({ id: keyIdOf(key), place: `users.${user}.keys.${index}.key` })),
  )
  const ids = new Set<string>()
  for (const { id, place } of given) {
    if (id === undefined) continue
    if (ids.has(id)) throw new InputError(`${where} ${place}`, `the public id ${id} is used by two keys`)
    ids.add(id)
  }
}

/** Default markets. */
export const DEFAULT_MARKETS: readonly MarketConfig[] = [
  defaultMarket('BTC_USD', 'Bitcoin'),
  defaultMarket('ETH_USD', 'Ethereum'),
]

function defaultMarket(symbol: string, name: string): MarketConfig {
  const { baseAsset, quoteAsset } = assetsOfSymbol('markets', symbol)
  const precisions = { pricePrecision: 2, qtyPrecision: 8 }
  const rules = { makerFeeBps: '0', takerFeeBps: '0', selfTrade: 'allow' } as const
  return { id: symbol, name, symbol, baseAsset, quoteAsset, ...precisions, ...rules }
}

/** @throws {InputError} for a symbol that is not BASE_QUOTE, and for assets that contradict it */
export function marketsOf(where: string, markets: readonly GivenMarket[]): readonly MarketConfig[] {
  return markets.map(({ symbol, id = symbol, name = symbol, ...terms }, index) => {
    const place = `${where} markets.${index}`
    const assets = assetsOfSymbol(`${place}.symbol`, symbol)
    for (const field of ['baseAsset', 'quoteAsset'] as const) {
      const given = terms[field] ?? assets[field]
      if (given !== assets[field]) {
        throw new InputError(`${place}.${field}`, `expected '${assets[field]}' as in ${symbol}, got '${given}'`)
      }
    }
    return { id, name, symbol, ...terms, ...assets }
  })
}

/** Default user. */
export const defaultUser = (quoteAsset: string): UserConfig => ({
  email: 'trader@example.com',
  verified: true,
  credits: { [quoteAsset]: '100000' },
  keys: [{ scopes: [...SCOPES] }],
})
