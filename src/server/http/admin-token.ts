/**
 * Access to the routes of the emulator itself: requests with its admin token or, if there is none, from this machine.
 * Rejects DNS rebinding: the `Host` and `Origin` of a request without a token must name this machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../envelope/service-error.ts'
import { isLoopbackName, mayControl } from './origins.ts'
import { NotAdmitted } from './request-guard.ts'

/**
 * @param cors  origin of the pages that may read answers
 * @throws {NotAdmitted}
 */
export function checkToken(token: string | undefined, cors: string | undefined, headers: IncomingHttpHeaders): void {
  if (token === undefined) {
    if (!isLoopbackName(headers.host ?? 'localhost')) throw refused('/emulator is available only from this machine')
    if (!mayControl(headers, cors)) throw refused('/emulator is not available to pages of that origin')
    return
  }
  const [, given = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (isToken(token, given)) return
  throw new NotAdmitted(new ServiceError('AUTHENTICATION_REQUIRED', '/emulator requires its admin token'))
}

const refused = (message: string): NotAdmitted => new NotAdmitted(new ServiceError('FORBIDDEN', message))

/** Whether a text is the token; compared in constant time. */
export function isToken(token: string, given: string): boolean {
  const [expectedHash, givenHash] = [token, given].map((text) => createHash('sha256').update(text).digest())
  return expectedHash !== undefined && givenHash !== undefined && timingSafeEqual(expectedHash, givenHash)
}
