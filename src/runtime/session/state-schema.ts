/** The schema that a strategy gives to `state`, and what it says about a value. */
import { InputError } from '../../domain/errors.ts'
import type { StateSchema } from '../../strategy/strategy-state.ts'

/** The place in errors. */
export const STATE = 'state'

export type Parsed<Value> = ReturnType<StateSchema<Value>['safeParse']>

/** @throws {InputError} for a schema that needs a promise */
export function parsedBy<Value>(schema: StateSchema<Value>, value: unknown): Parsed<Value> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    // Every version of zod throws this text, in an error class of its own.
    if (!(error instanceof Error && error.message.includes('synchronous parse'))) throw error
    const why = 'its schema must be synchronous: leave out async functions, such as in .refine(async ...)'
    throw new InputError(STATE, why, { cause: error })
  }
}

export function firstIssue(parsed: Parsed<unknown> | undefined): string {
  if (parsed === undefined || parsed.success) return ''
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'not valid'}`
}

const MAX_SHOWN = 60

export const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text)
