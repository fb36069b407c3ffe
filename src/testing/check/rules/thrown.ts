/**
 * Errors of a strategy, by their kind.
 */
import { MisuseError } from '../../../domain/errors.ts'
import type { Rule } from './trial-explanation.ts'

export const thrown: Rule = ({ failure }) => {
  if (failure === undefined) return undefined
  const { cause, message, time } = failure
  const kind = cause instanceof MisuseError ? cause.misuse : 'throws'
  return { kind, time, text: message.split('\n')[0] ?? '' }
}
