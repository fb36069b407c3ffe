/** Terms of rebalancing: the rule and the times by which capital moves between the strategies of one wallet. */
import { z } from 'zod'
import { closeTimeOf, lengthMsOf, openTimeOf } from '../../domain/candle-length.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.ts'
import { expected } from './form.ts'

export const REBALANCE_RULES = ['equal', 'share', 'inverse-volatility'] as const

const DEFAULT_DAYS = 30

const FORM = expected("{ rule, every, at, days }, such as { rule: 'equal', every: '1w' }")
const RULE = expected(`one of ${REBALANCE_RULES.map((rule) => `'${rule}'`).join(', ')}`)
const EVERY = expected("days, weeks or months, such as '1d', '1w' or '1M'")
const AT = expected("a time of day in UTC, such as '00:00'")
const DAYS = expected('an integer from 2 to 366')

const terms = {
  rule: z
    .enum(REBALANCE_RULES, RULE)
    .describe("equal parts; the shares of `capital`; or parts by one over the deviation of each book's daily returns"),
  every: z
    .string(EVERY)
    .regex(/^(?:[1-9]\d?[dw]|(?:[1-9]|1[0-2])M)$/, EVERY)
    .describe('days, weeks from a Monday on, or months from the first day on: 1d, 2w, 1M'),
  at: z
    .string(AT)
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, AT)
    .optional()
    .describe('time of day in UTC (default: 00:00)'),
  days: z
    .int(DAYS)
    .min(2, DAYS)
    .max(366, DAYS)
    .optional()
    .describe(
      `days of returns that inverse-volatility weighs by; equal until there are so many (default: ${DEFAULT_DAYS})`,
    ),
}

export const rebalanceSchema = z.strictObject(terms, FORM)

/** The terms as a config file and the options of a program have them. */
export type RebalanceOptions = z.input<typeof rebalanceSchema>

/** All terms, defaults included, as in `run.json`. */
export interface RebalanceTerms {
  readonly rule: (typeof REBALANCE_RULES)[number]
  readonly every: string
  readonly at: string
  /** Only for inverse-volatility. */
  readonly days?: number | undefined
  /** Only for share: the configured share of each strategy, in the order of the list. */
  readonly shares?: readonly number[] | undefined
}

export const resolvedRebalance = (
  { rule, every, at = '00:00', days = DEFAULT_DAYS }: RebalanceOptions,
  shares: readonly number[],
): RebalanceTerms => ({
  rule,
  every,
  at,
  ...(rule === 'inverse-volatility' && { days }),
  ...(rule === 'share' && { shares }),
})

/** Milliseconds since midnight. */
function timeOfDayMs({ at }: RebalanceTerms): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return hours * HOUR_MS + minutes * MINUTE_MS
}

/** The first time of day after `now` at which capital may move, Unix milliseconds. */
export function nextTimeOfDay(terms: RebalanceTerms, now: number): number {
  const shift = timeOfDayMs(terms)
  return closeTimeOf(openTimeOf(now - shift, DAY_MS), DAY_MS) + shift
}

/** Whether capital moves at that time of day. */
export function isDue(terms: RebalanceTerms, time: number): boolean {
  const day = time - timeOfDayMs(terms)
  return openTimeOf(day, lengthMsOf(terms.every)) === day
}
