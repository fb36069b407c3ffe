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
  /** Cancel every order and sell every position of the sessions at market; HALTED from then on. */
  | FlattenCommand

export interface FlattenCommand {
  readonly kind: 'flatten'
  /** Also orders and holdings that are no session's. */
  readonly wholeAccount: boolean
  /** Say what would be done, and do nothing. */
  readonly isDry: boolean
  readonly withinMs: number
}

export interface OperatorAnswer {
  readonly isDone: boolean
  /** For people. */
  readonly message: string
  /** To a command that has a result of its own: JSON. */
  readonly result?: unknown
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
  z.strictObject({
    kind: z.literal('flatten'),
    wholeAccount: z.boolean(),
    isDry: z.boolean(),
    withinMs: z.int().min(0),
  }),
])

export const OPERATOR_ANSWER: z.ZodType<OperatorAnswer> = z.strictObject({
  isDone: z.boolean(),
  message: z.string(),
  result: z.unknown().optional(),
})
