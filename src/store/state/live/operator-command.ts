/**
 * A word of an operator to the process of a live account, and what came of it.
 */
import { z } from 'zod'

export type OperatorCommand =
  /** No more orders; cancels still go. */
  | { readonly kind: 'halt' }
  /** Only orders that make positions smaller. */
  | { readonly kind: 'reduce' }
  /** Back to work: the sessions, or with a symbol, the market that was halted. */
  | { readonly kind: 'resume'; readonly symbol: string | undefined }
  | { readonly kind: 'adopt'; readonly intent: number; readonly order: string }
  | { readonly kind: 'disown'; readonly intent: number }

export interface OperatorAnswer {
  readonly isDone: boolean
  /** For people. */
  readonly message: string
}

const missing = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)

export const OPERATOR_COMMAND: z.ZodType<OperatorCommand> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('halt') }),
  z.strictObject({ kind: z.literal('reduce') }),
  z.strictObject({ kind: z.literal('resume'), symbol: missing }).transform(({ kind, symbol }) => ({ kind, symbol })),
  z.strictObject({ kind: z.literal('adopt'), intent: z.int().min(1), order: z.string() }),
  z.strictObject({ kind: z.literal('disown'), intent: z.int().min(1) }),
])

export const OPERATOR_ANSWER: z.ZodType<OperatorAnswer> = z.strictObject({ isDone: z.boolean(), message: z.string() })
