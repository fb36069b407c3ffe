/** A season: the terms of a contest, from its file. */
import { z } from 'zod'
import { CHEAT_KINDS, type SeasonRules } from '../../arena/season-record.ts'
import { creditAmount } from '../../domain/credit.ts'
import { InputError } from '../../domain/errors.ts'
import { parseAmount, parseUnits } from '../../domain/fixed-point.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { ledgerScales, type MarketConfig } from '../../domain/market.ts'
import { worldConfigSchema, shaped } from '../emulator/emulator-config.ts'
import { nameKey, nameSchema } from './player-name.ts'

/** Equity samples of a season: a week by the minute. */
const MAX_SAMPLES = 7 * 24 * 60
/** Ranks of more would block the server for seconds. */
export const MAX_PLAYERS = 250
/** Each is a process of its own on the machine of the server. */
const MAX_STRATEGIES = 20
const BPS_DECIMALS = 4

const isoText = z
  .string()
  .refine((text) => parseIsoTime(text)?.exact === true, 'expected a time such as 2026-12-01T09:00:00Z')

const rulesSchema = z.strictObject({
  leastTrades: z.int().min(1).optional(),
  /** Value in the quote asset, of one market. */
  largestPosition: z.string().optional(),
  /** Fraction of the peak, such as 0.25. */
  largestDrawdown: z.string().optional(),
  selfTrading: z.enum(['reject', 'disqualify', 'allow']).default('reject'),
  disqualifying: z.array(z.enum(CHEAT_KINDS)).default([]),
})

const strategySchema = z.strictObject({
  name: nameSchema,
  /** File, relative to that of the season, or name of a ready strategy. */
  strategy: z.string().min(1),
  params: z.record(z.string(), z.json()).default({}),
  /** Heap. */
  memoryMb: z.int().min(64).max(4_096).default(256),
  /** Longest turn. */
  turnSeconds: z.int().min(1).max(600).default(20),
})

/** A strategy that the server runs as a player. */
export type StrategyTerms = z.output<typeof strategySchema>

const seasonSchema = worldConfigSchema.extend({
  name: z.string().min(1).max(80),
  start: isoText,
  end: isoText,
  /** Decimal strings by asset. */
  credits: z.record(z.string(), z.string()),
  rules: rulesSchema.prefault({}),
  /** The only names that may join, each by an invitation of its own. */
  players: z.array(nameSchema).min(1).max(MAX_PLAYERS).optional(),
  strategies: z.array(strategySchema).min(1).max(MAX_STRATEGIES).optional(),
  sampleSeconds: z.int().min(1).max(86_400).default(60),
  seed: z.int().min(0).max(4_294_967_295).default(1),
})

/** The content of the file, with defaults; reading it again gives the same. */
export type SeasonTerms = z.output<typeof seasonSchema>

export interface Season {
  readonly terms: SeasonTerms
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  readonly sampleMs: number
}

/**
 * @param where  what to call it, such as the name of its file
 * @throws {InputError} at the first field that is wrong
 */
export function readSeason(where: string, value: unknown): Season {
  const terms = shaped(where, seasonSchema, value)
  const [start, end] = [timeOf(terms.start), timeOf(terms.end)]
  const sampleMs = terms.sampleSeconds * 1_000
  if (end <= start) throw new InputError(`${where} end`, `expected a time after the start, ${terms.start}`)
  const samples = (end - start) / sampleMs
  if (!Number.isInteger(samples)) {
    throw new InputError(
      `${where} end`,
      `expected a whole number of samples after the start, one every ${terms.sampleSeconds} s`,
    )
  }
  if (samples > MAX_SAMPLES) {
    throw new InputError(
      `${where} sampleSeconds`,
      `gives ${samples} samples, and at most ${MAX_SAMPLES} are kept: use more seconds`,
    )
  }
  checkNames(where, terms)
  return { terms, start, end, sampleMs }
}

function checkNames(where: string, { players = [], strategies = [] }: SeasonTerms): void {
  const names = [
    ...players.map((name, index) => ({ name, place: `players.${index}` })),
    ...strategies.map(({ name }, index) => ({ name, place: `strategies.${index}.name` })),
  ]
  const twice = names.find(({ name }, index) =>
    names.slice(0, index).some((other) => nameKey(other.name) === nameKey(name)),
  )
  if (twice !== undefined) throw new InputError(`${where} ${twice.place}`, `${twice.name} is listed twice`)
}

export const strategiesOf = ({ terms }: Pick<Season, 'terms'>): readonly StrategyTerms[] => terms.strategies ?? []

const timeOf = (text: string): number => parseIsoTime(text)?.time ?? 0

/** The terms of a season in exact numbers. */
export interface SeasonAmounts {
  readonly quoteAsset: string
  /** Decimal digits of every value. */
  readonly valueScale: number
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** Ledger units by asset. */
  readonly credits: ReadonlyMap<string, bigint>
  readonly rules: SeasonRules
}

/**
 * @param markets  those that are traded
 * @throws {InputError} for an amount or an asset that they do not have, or markets with several quote assets
 */
export function seasonAmounts(where: string, { terms }: Season, markets: readonly MarketConfig[]): SeasonAmounts {
  const [{ quoteAsset } = { quoteAsset: '' }] = markets
  for (const [index, { params }] of strategiesOf({ terms }).entries()) {
    if (params.symbol === undefined || markets.some(({ symbol }) => symbol === params.symbol)) continue
    const place = `${where} strategies.${index}.params.symbol`
    throw new InputError(place, `expected one of ${markets.map(({ symbol }) => symbol).join(', ')}`)
  }
  const other = markets.find((market) => market.quoteAsset !== quoteAsset)
  if (other !== undefined) {
    throw new InputError(where, `expected markets with one quote asset, got ${quoteAsset} and ${other.quoteAsset}`)
  }
  const scales = ledgerScales(markets)
  const ofMarkets = markets.map(({ baseAsset, pricePrecision }) => (scales.get(baseAsset) ?? 0) + pricePrecision)
  const valueScale = Math.max(scales.get(quoteAsset) ?? 0, ...ofMarkets)
  const credits = new Map(
    Object.entries(terms.credits).map(([asset, text]) => [
      asset,
      creditAmount({ asset, text, place: `${where} credits.${asset}` }, scales),
    ]),
  )
  return { quoteAsset, valueScale, scales, credits, rules: rulesOf(`${where} rules`, terms.rules, valueScale) }
}

function rulesOf(where: string, rules: SeasonTerms['rules'], valueScale: number): SeasonRules {
  const { leastTrades, largestPosition, largestDrawdown, selfTrading, disqualifying } = rules
  return {
    ...(leastTrades === undefined ? {} : { leastTrades }),
    ...(largestPosition === undefined
      ? {}
      : { largestPosition: positionOf(`${where}.largestPosition`, largestPosition, valueScale) }),
    ...(largestDrawdown === undefined
      ? {}
      : { largestDrawdownBps: basisPointsOf(`${where}.largestDrawdown`, largestDrawdown) }),
    selfTrading,
    disqualifying,
  }
}

function positionOf(where: string, text: string, valueScale: number): bigint {
  const parsed = parseAmount(text, valueScale)
  if (parsed.ok && parsed.value > 0n) return parsed.value
  throw new InputError(where, `expected an amount above 0 with up to ${valueScale} decimals, got '${text}'`)
}

function basisPointsOf(where: string, text: string): number {
  const parsed = parseUnits(text, BPS_DECIMALS)
  if (parsed.ok && parsed.value > 0 && parsed.value <= 10 ** BPS_DECIMALS) return parsed.value
  throw new InputError(
    where,
    `expected a fraction above 0 and up to 1 with up to 4 decimals, such as 0.25, got '${text}'`,
  )
}
