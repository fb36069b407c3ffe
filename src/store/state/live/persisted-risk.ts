/** Persistent state of a strategy's risk limits: reference equities for losses, and the states set by limits. */
import { z } from 'zod'
import type { LiveState } from './live-state.ts'

/** Limits of losses: those of a strategy, and those of all strategies on one wallet together. */
export const LOSS_RULES = ['day-loss', 'drawdown', 'wallet-day-loss', 'wallet-drawdown'] as const

export type LossRule = (typeof LOSS_RULES)[number]

/** State set by a limit, in force until a new day or an operator lifts it. */
export interface PersistedHold {
  readonly rule: LossRule
  /** Reason for people. */
  readonly why: string
  /** Unix milliseconds. */
  readonly since: number
}

/** A holding of the account when it was last saved. Decimal strings. */
export interface PersistedHolding {
  readonly asset: string
  readonly qty: string
  /** Price in the quote asset; undefined if no market values it. */
  readonly price: string | undefined
}

/** Reference equities for losses: decimal strings in the quote asset. */
export interface PersistedMarks {
  readonly quoteAsset: string
  /** UTC days since the epoch. */
  readonly day: number
  /** Equity at the start of the day, or of the first session of the day if that was later. */
  readonly dayStart: string
  readonly peak: string
  /** Holdings of the account, to distinguish deposits between sessions from profit. */
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
  holds: z.array(z.object({ rule: z.enum(LOSS_RULES), why: z.string(), since: z.number() })),
})

const PREFIX = 'risk of '

/** Owner of the risk state of all strategies together; no strategy can have this name. */
export const WALLET_OWNER = '*'

export const persistedRisk = (state: LiveState, owner: string): PersistedRisk | undefined =>
  state.savedValue(`${PREFIX}${owner}`, RISK)

export const saveRisk = (state: LiveState, owner: string, risk: PersistedRisk): void =>
  state.saveValue(`${PREFIX}${owner}`, RISK, risk)

/** Risk states by owner. */
export const persistedRisks = (state: LiveState): ReadonlyMap<string, PersistedRisk> =>
  new Map([...state.savedValues(PREFIX, RISK)].map(([name, risk]) => [name.slice(PREFIX.length), risk]))

/** Resets the losses and holds of every strategy. */
export const forgetRisks = (state: LiveState): void => state.forgetUnder(PREFIX)
