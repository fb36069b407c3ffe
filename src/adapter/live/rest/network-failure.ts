/**
 * Errors of the network in words, and those of them that came before there was a connection.
 */
import { escapedExcerpt } from '../../../domain/escape-controls.ts'

interface Failure {
  readonly code: string | undefined
  readonly syscall: string | undefined
  readonly message: string
  /** Of each address that was tried. */
  readonly errors: readonly Failure[]
}

const BEFORE_A_CONNECTION = new Set(['connect', 'getaddrinfo'])

export function failureReason(error: unknown): string {
  const { code, message, errors } = failureOf(error)
  const said = message === '' ? (errors[0]?.message ?? '') : message
  const text = escapedExcerpt(said === '' ? 'the connection failed' : said)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

/** True when the request cannot have left: no connection came about. */
export function isUnsent(error: unknown): boolean {
  const isBefore = ({ code, syscall, errors }: Failure): boolean =>
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    BEFORE_A_CONNECTION.has(syscall ?? '') ||
    (errors.length > 0 && errors.every(isBefore))
  return isBefore(failureOf(error))
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: undefined, syscall: undefined, message: String(error), errors: [] }
  const { code, syscall } = error as NodeJS.ErrnoException
  const errors = error instanceof AggregateError ? error.errors.map(failureOf) : []
  return { code, syscall, message: error.message, errors }
}
