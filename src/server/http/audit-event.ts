/** Requests that an audit log records: changes of the emulator, joins, and wrong tokens and keys. */
import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../wire/error-code.ts'
import type { FoundRoute, NoRoute } from './route-table.ts'

/** A recorded request. It contains neither a key nor a token, nor the body. */
export interface AuditEvent {
  readonly event: 'change' | 'join' | 'wrong-token' | 'wrong-key'
  /** Address of the client. */
  readonly address: string | undefined
  /** `admin` with the token, `local` on this machine without one, otherwise `none`. */
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
  /** Code of the refusal. */
  readonly code: ErrorCode | undefined
  /** Null if the client closed the connection before. */
  readonly status: number | null
}

/** @returns undefined for a request that is not recorded */
export function auditEvent(
  { method = '', url = '', headers, socket }: IncomingMessage,
  { placed }: FoundRoute | NoRoute,
  { id, address, needsToken, code, status }: AuditedRequest,
): AuditEvent | undefined {
  const event = eventOf(placed?.route, code, headers.authorization !== undefined)
  if (event === undefined) return undefined
  const isRefused = code === 'AUTHENTICATION_REQUIRED' || code === 'INVALID_API_KEY' || code === 'FORBIDDEN'
  return {
    event,
    address,
    role: event === 'join' || isRefused ? 'none' : needsToken ? 'admin' : 'local',
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
  hasToken: boolean,
): AuditEvent['event'] | undefined {
  if (route === undefined || code === 'RATE_LIMITED') return undefined
  if (code === 'INVALID_API_KEY') return 'wrong-key'
  if (route.isJoin === true) return 'join'
  if (route.access !== 'emulator') return undefined
  if (code === 'AUTHENTICATION_REQUIRED') return hasToken ? 'wrong-token' : undefined
  return route.method === 'GET' ? undefined : 'change'
}
