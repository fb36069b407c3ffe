/**
 * What an emulator can be told: its markets, users and limits, as a JSON file has them.
 *
 * What is left out is as if nothing had been given. Nothing is coerced, and an unknown field is refused.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { assetsOfSymbol, MAX_PRECISION, type MarketConfig } from '../../domain/market.ts'
import { DEFAULT_RATE_LIMITS } from '../../domain/rate-window.ts'
import { SCOPES } from '../service/api-key.ts'

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

const userSchema = z.strictObject({
  email: z.email().max(254),
  verified: z.boolean().default(true),
  /** Decimal strings by asset. */
  credits: z.record(z.string(), z.string()).default({}),
  keys: z.array(z.strictObject({ scopes: z.array(z.enum(SCOPES)).min(1) })).default([]),
})

const configSchema = z.strictObject({
  quoteAsset: z.string().optional(),
  markets: z.array(marketSchema).min(1).optional(),
  users: z.array(userSchema).optional(),
  limits: z
    .strictObject({
      general: windowCount.default(DEFAULT_RATE_LIMITS.general),
      mutations: windowCount.default(DEFAULT_RATE_LIMITS.mutations),
      windowSeconds: z.int().min(1).max(86_400).default(DEFAULT_RATE_LIMITS.windowSeconds),
    })
    .optional(),
  agents: z.boolean().optional(),
})

/** As it is written. */
export type EmulatorConfigInput = z.input<typeof configSchema>
/** As it is read: with what was left out of a market or a user. */
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
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return checkUsers(where, parsed.data)
  const [issue] = parsed.error.issues
  if (issue === undefined) throw new InputError(where, 'is not a config')
  const isUnknown = issue.code === 'unrecognized_keys'
  const path = isUnknown ? [...issue.path, issue.keys[0]] : issue.path
  throw new InputError(placeOf(where, path), isUnknown ? 'unknown field' : issue.message)
}

const placeOf = (where: string, path: readonly (PropertyKey | undefined)[]): string =>
  [where, path.map(String).join('.')].filter(Boolean).join(' ')

/** Users are told apart by their e-mail, so that a restart finds them again. */
function checkUsers(where: string, config: EmulatorConfig): EmulatorConfig {
  const emails = new Set<string>()
  for (const [index, { email }] of (config.users ?? []).entries()) {
    if (emails.has(email)) throw new InputError(`${where} users.${index}.email`, `${email} is there twice`)
    emails.add(email)
  }
  return config
}

/** Where none are named. */
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

/** @throws {InputError} for a symbol that is not of the form BASE_QUOTE, and for assets that are not its own */
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

/** The user of an emulator that was told of none. */
export const defaultUser = (quoteAsset: string): UserConfig => ({
  email: 'trader@example.com',
  verified: true,
  credits: { [quoteAsset]: '100000' },
  keys: [{ scopes: [...SCOPES] }],
})
