/**
 * The errors of a route by status, from its access, its body, its handler, and HTTP itself.
 *
 * Known limit: without faults planned at a route where they make no sense, such as portfolio-unavailable at a market.
 */
import { STATUS_OF_CODE, type ErrorCode } from '../../wire/error-code.ts'
import { paramsOf, type Route } from './route.ts'

/** Decision 26: too slow, a path or headers that are too long, an expectation. */
const WIRE_STATUSES = [408, 414, 417, 431]

/** Statuses in rising order, each with the codes that come with it. */
export function errorsOf(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    ...(route.body === undefined ? [] : (['MALFORMED_JSON'] as const)),
    ...codesOfAccess(route),
    ...(route.refusals ?? []),
    'SERVICE_UNAVAILABLE',
    'ENGINE_UNAVAILABLE',
    ...(route.whenStopped === undefined ? [] : [route.whenStopped]),
  ])
  const found = new Map<number, ErrorCode[]>()
  const add = (status: number, code: ErrorCode): void => {
    found.set(status, [...(found.get(status) ?? []), code])
  }
  for (const code of codes) add(STATUS_OF_CODE[code], code)
  for (const status of invalidStatusesOf(route)) add(status, 'VALIDATION_ERROR')
  return new Map([...found].sort(([left], [right]) => left - right))
}

function codesOfAccess({ access, addressLimit, isMutation = false }: Route): readonly ErrorCode[] {
  if (access === 'open') return addressLimit === undefined ? [] : ['RATE_LIMITED']
  // Of wrong admin tokens.
  if (access === 'emulator') return ['AUTHENTICATION_REQUIRED', 'FORBIDDEN', 'RATE_LIMITED']
  // Who sends a key to a public route is counted as well, and reads are tried again after a time-out (section 7).
  const ofEach: readonly ErrorCode[] = ['RATE_LIMITED', 'ENGINE_TIMEOUT']
  if (access === 'public') return ofEach
  const ofMutation: readonly ErrorCode[] = isMutation ? ['EMAIL_NOT_VERIFIED'] : []
  return ['AUTHENTICATION_REQUIRED', 'INVALID_API_KEY', 'FORBIDDEN', ...ofMutation, ...ofEach]
}

/** Statuses besides 400 for VALIDATION_ERROR. */
function invalidStatusesOf({ method, path, access, body, mayMiss = false }: Route): readonly number[] {
  return [
    ...WIRE_STATUSES,
    // A user, a key, a fault, a snapshot or a branch that is not there.
    ...(mayMiss || (access === 'emulator' && paramsOf(path).some((param) => param === 'id' || param === 'name'))
      ? [404]
      : []),
    ...(method === 'GET' ? [] : [413]),
    ...(body === undefined ? [] : [415]),
  ]
}
