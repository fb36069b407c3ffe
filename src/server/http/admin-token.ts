/**
 * The door of the emulator's own surface: for whoever has its token, or where there is none, for this machine. A page in a browser that has
 * its own name lead here is not of this machine: its requests bear that name.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../envelope/service-error.ts'
import { isLoopbackName } from './origins.ts'
import { NotAdmitted } from './request-guard.ts'

/** @throws {NotAdmitted} */
export function checkToken(token: string | undefined, request: FastifyRequest): void {
  if (token === undefined) {
    if (isLoopbackName(request.headers.host ?? 'localhost')) return
    throw new NotAdmitted(new ServiceError('FORBIDDEN', 'the emulator surface is for this machine alone'))
  }
  const [, given = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [expectedHash, givenHash] = [token, given].map((text) => createHash('sha256').update(text).digest())
  if (expectedHash !== undefined && givenHash !== undefined && timingSafeEqual(expectedHash, givenHash)) return
  throw new NotAdmitted(new ServiceError('AUTHENTICATION_REQUIRED', 'the emulator surface needs its token'))
}
