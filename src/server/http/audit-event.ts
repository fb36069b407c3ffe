/**
 * Requests that an audit log records: admitted changes of the emulator and joins, and wrong tokens and keys.
 *
 * Invariant: other machines cannot cause any number of lines. Wrong tokens and keys and joins are limited by address,
 * and nothing else is recorded of a request that was not admitted.
 */
import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../wire/error-code.ts'
import type { FoundRoute, NoRoute } from './route-table.ts'

/** A recorded request. It contains neither a key nor a token, nor the body. */
export interface AuditEvent {
  readonly event: 'change' | 'join' | 'wrong-token' | 'wrong-key'
  /** Address of the client. */
  readonly address: string | undefined
  /** `admin` for a change with the token, `local` for one on this machine without a token set, otherwise `none`. */
  readonly role: 'admin' | 'local' | 'none'
  readonly method: string
  /** Path without query; only the route of a join, because the path may contain an invitation. */
  readonly path: string
  /** HTTP status; null if the client closed the connection before. */
  readonly status: number | null
  /** Request id, which the response also has; null on a stream. */
  readonly request: string | null
  /** Port of the server: a branch has its own. */
  readonly port: number | undefined
}

const LONGEST_PATH = 300

/** The outcome of a request. */
export interface AuditedRequest {
  readonly id: string
  readonly address: string | undefined
  readonly needsToken: boolean
  /** True if it passed the checks of token, key and limits. */
  readonly isAdmitted: boolean
  /** Code of the refusal. */
  readonly code: ErrorCode | undefined
  /** Null if the client closed the connection before. */
  readonly status: number | null
}

/** @returns undefined for a request that is not recorded */
export function auditEvent(
  { method = '', url = '', headers, socket }: IncomingMessage,
  { placed }: FoundRoute | NoRoute,
  { id, address, needsToken, isAdmitted, code, status }: AuditedRequest,
): AuditEvent | undefined {
  const event = eventOf(placed?.route, code, isAdmitted, headers.authorization !== undefined)
  if (event === undefined) return undefined
  return {
    event,
    address,
    role: event !== 'change' ? 'none' : needsToken ? 'admin' : 'local',
    method,
    path: (event === 'join' ? (placed?.url ?? '') : (url.split(/[?#]/, 1)[0] ?? '')).slice(0, LONGEST_PATH),
    status,
    request: id,
    port: socket.localPort,
  }
}

/** Refusals for too many guesses are not recorded: anybody can cause any number of them. */
function eventOf(
  route: FoundRoute['placed']['route'] | undefined,
  code: ErrorCode | undefined,
  isAdmitted: boolean,
  hasToken: boolean,
): AuditEvent['event'] | undefined {
  if (route === undefined || code === 'RATE_LIMITED') return undefined
  if (code === 'INVALID_API_KEY') return 'wrong-key'
  const isControl = route.access === 'emulator'
  if (!isAdmitted) return isControl && hasToken && code === 'AUTHENTICATION_REQUIRED' ? 'wrong-token' : undefined
  if (route.isJoin === true) return 'join'
  return isControl && route.method !== 'GET' ? 'change' : undefined
}
