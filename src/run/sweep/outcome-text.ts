/** Serialization of the outcome of a point. */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'

const window = z.strictObject({ from: z.number().nullable(), to: z.number().nullable() })
const shuffle = z.strictObject({ seed: z.int(), blockRows: z.int().optional() })
const text = z.string().nullable()

export const pointTermsSchema = z.strictObject({
  window: window.optional(),
  shuffle: shuffle.optional(),
  isDetailed: z.boolean().optional(),
})

/** Fields that are used in calculations; statistics are passed through. */
const outcomeSchema = z.looseObject({
  key: z.string(),
  params: z.record(z.string(), z.string()),
  terms: pointTermsSchema.optional(),
  digest: text,
  statistics: z.record(z.string(), z.unknown()).nullable(),
  initialEquity: text,
  finalEquity: text,
  orders: z.number(),
  rounded: z.number().optional(),
  error: text,
  isOfMachine: z.boolean().optional(),
  periods: z.array(z.string()).nullable(),
})

/**
 * @param where  place of the text, for errors
 * @throws {InputError} if it is not an outcome
 */
export function readOutcome(where: string, line: string): PointOutcome {
  try {
    const outcome: unknown = JSON.parse(line)
    outcomeSchema.parse(outcome)
    // Statistics need no check: the key includes the version.
    return outcome as PointOutcome
  } catch (error) {
    throw new InputError(where, 'is not a point of a sweep; delete the line to run the point again', { cause: error })
  }
}
