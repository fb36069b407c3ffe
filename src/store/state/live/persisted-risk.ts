/**
 * The memory of the limits of a strategy's risk: the equities that losses are counted from, and the states that a loss
 * has set.
 */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

/** A state that a limit has set, which only a new day or an operator lifts. */
export interface PersistedHold {
  readonly rule: 'day-loss' | 'drawdown'
  /** For people. */
  readonly why: string
  /** Unix milliseconds. */
  readonly since: number
}

/** An asset as the account held it when it was last written down. Decimal strings. */
export interface PersistedHolding {
  readonly asset: string
  readonly qty: string
  /** In the quote asset; undefined where no market values it. */
  readonly price: string | undefined
}

/** The equities that losses are counted from: decimal strings in the quote asset. */
export interface PersistedMarks {
  readonly quoteAsset: string
  /** UTC days since the epoch. */
  readonly day: number
  /** Equity at the start of the day, or of the first session of the day if that was later. */
  readonly dayStart: string
  readonly peak: string
  /** Of the account: they tell money that came in between two sessions from a profit. */
  readonly holdings: readonly PersistedHolding[]
}

export interface PersistedRisk {
  /** Undefined before the first equity. */
  readonly marks: PersistedMarks | undefined
  readonly holds: readonly PersistedHold[]
}

const optional = <T>(schema: z.ZodType<T>): z.ZodType<T | undefined> =>
  schema.nullable().transform((value) => value ?? undefined)

const RISK: z.ZodType<PersistedRisk> = z.object({
  marks: optional(
    z.object({
      quoteAsset: z.string(),
      day: z.int(),
      dayStart: z.string(),
      peak: z.string(),
      holdings: z.array(z.object({ asset: z.string(), qty: z.string(), price: optional(z.string()) })),
    }),
  ),
  holds: z.array(z.object({ rule: z.enum(['day-loss', 'drawdown']), why: z.string(), since: z.number() })),
})

const PREFIX = 'risk of '

export const persistedRisk = (state: LiveState, owner: string): PersistedRisk | undefined =>
  state.kept(`${PREFIX}${owner}`, RISK)

export const saveRisk = (state: LiveState, owner: string, risk: PersistedRisk): void =>
  state.keep(`${PREFIX}${owner}`, RISK, risk)

/** Of every strategy, by its owner. */
export const persistedRisks = (state: LiveState): ReadonlyMap<string, PersistedRisk> =>
  new Map([...state.keptUnder(PREFIX, RISK)].map(([name, risk]) => [name.slice(PREFIX.length), risk]))

/** Losses of every strategy are counted anew, and nothing holds it. */
export const forgetRisks = (state: LiveState): void => state.forgetUnder(PREFIX)
