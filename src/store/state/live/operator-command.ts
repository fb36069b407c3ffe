/** A command of an operator to the process of a live account, and its result. */
import { z } from 'zod'

export type OperatorCommand =
  /** Stops new orders; cancels are still sent. */
  | { readonly kind: 'halt' }
  /** Allows only orders that reduce positions. */
  | { readonly kind: 'reduce' }
  /** Resumes the sessions, or with a symbol, the blocked market. */
  | { readonly kind: 'resume'; readonly symbol: string | undefined }
  | { readonly kind: 'adopt'; readonly intent: number; readonly order: string }
  | { readonly kind: 'disown'; readonly intent: number }
  /** Starts a strategy again with other parameters; `owner` is undefined for the only one. */
  | SetCommand
  /** Cancels every order and sells every position of the sessions at market; HALTED afterwards. */
  | FlattenCommand

export interface SetCommand {
  readonly kind: 'set'
  readonly owner: string | undefined
  /** New values as text, by name. */
  readonly values: Readonly<Record<string, string>>
}

export interface FlattenCommand {
  readonly kind: 'flatten'
  /** Includes orders and holdings that belong to no session. */
  readonly wholeAccount: boolean
  /** Dry run: returns the plan only. */
  readonly isDry: boolean
  readonly withinMs: number
}

export interface OperatorAnswer {
  readonly isDone: boolean
  /** Message for the operator. */
  readonly message: string
  /** JSON result of commands that have one. */
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
  z
    .strictObject({ kind: z.literal('set'), owner: missing, values: z.record(z.string(), z.string()) })
    .transform(({ kind, owner, values }) => ({ kind, owner, values })),
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
