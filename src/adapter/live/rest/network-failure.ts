/** Network errors as text, and whether they occurred before a connection was established. */
import { escapedExcerpt } from '../../../domain/escape-controls.ts'

interface Failure {
  readonly code: string | undefined
  readonly syscall: string | undefined
  readonly message: string
  /** Errors per address that was tried. */
  readonly errors: readonly Failure[]
}

const BEFORE_A_CONNECTION = new Set(['connect', 'getaddrinfo'])

export function failureReason(error: unknown): string {
  const { code, message, errors } = failureOf(error)
  const said = message === '' ? (errors[0]?.message ?? '') : message
  const text = escapedExcerpt(said === '' ? 'the connection failed' : said)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}

/** True if the request cannot have been sent, because no connection was established. */
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
