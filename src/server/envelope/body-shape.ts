/** Bodies and files against their schema: every fault with its field, nothing coerced. */
import type { z } from 'zod'
import type { RefusalDetail } from '../../domain/refusal.ts'
import { ServiceError } from './service-error.ts'

/** A body of nothing but faults must not be answered with one many times as long. */
const MAX_DETAILS = 20

/** @throws {ServiceError} VALIDATION_ERROR with the fields that are wrong */
export function shapeOf<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { message, details } = shapeFault(parsed.error)
  throw new ServiceError('VALIDATION_ERROR', message, { details })
}

/** Every fault with its field. */
export function shapeFault({ issues }: z.ZodError): {
  readonly message: string
  readonly details: readonly RefusalDetail[]
} {
  const faults = issues.flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.') || 'body', message: issue.message }]
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'unknown field' }))
  })
  const details = faults.slice(0, MAX_DETAILS)
  return { message: details.map(({ field, message: fault }) => `${field}: ${fault}`).join('; '), details }
}
