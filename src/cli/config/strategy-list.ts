/** The list of strategies in a config file, which run together. */
import { z } from 'zod'
import type { RiskOptions } from '../../run/backtest-options.ts'
import { expected } from '../../runtime/settings/form.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'

/** Name in `limits` of a strategy, and of the term. */
export const LIMIT_TERMS = {
  order: 'maxOrder',
  position: 'maxPosition',
  collarPercent: 'collarPercent',
  ordersPerMinute: 'ordersPerMinute',
  dayLoss: 'dayLoss',
  drawdownPercent: 'drawdownPercent',
  atLimit: 'atLimit',
} as const

/** Each limit with the form of its term; a percentage may also be a number. */
export const limitShape = Object.fromEntries(
  Object.entries(LIMIT_TERMS).map(([name, term]) => {
    const row = EACH_TERM.find(([each]) => each === term)?.[1]
    const schema = row?.form.schema ?? z.never()
    const form = name.endsWith('Percent') ? z.union([schema, z.number()], expected("a percentage, or 'off'")) : schema
    return [name, form.optional().describe(row?.words ?? '')]
  }),
)

/** Value of a limit as its term has it. */
export const limitValue = (value: unknown, name: string): unknown =>
  name.endsWith('Percent') && typeof value === 'number' ? String(value) : value

export const listedStrategy = z.strictObject({
  use: z.string().describe('name of a ready strategy, or a TypeScript or JavaScript file'),
  name: z.string().optional().describe('unique name (default: that of the strategy)'),
  params: z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy'),
  capital: z
    .union(
      [z.strictObject({ share: z.number() }), z.strictObject({ amount: z.string() })],
      expected("{ share: 0.5 } or { amount: '5000' }"),
    )
    .optional()
    .describe('part of the credit, or of the live account (default: an equal part of what the others leave)'),
  limits: z.strictObject(limitShape).optional().describe('risk limits, checked against the book of this strategy'),
})

/** A strategy of the list. */
export interface StrategyConfig {
  readonly use: string
  readonly name?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly capital?: { readonly share: number } | { readonly amount: string } | undefined
  readonly limits?: Readonly<Partial<Record<keyof typeof LIMIT_TERMS, unknown>>> | undefined
}

/** The limits of a strategy as options. */
export const riskOf = ({ limits = {} }: StrategyConfig): RiskOptions =>
  Object.fromEntries(
    Object.entries(LIMIT_TERMS).flatMap(([name, term]) => {
      const value = limits[name as keyof typeof LIMIT_TERMS]
      return value === undefined ? [] : [[term, limitValue(value, name)]]
    }),
  )
