/**
 * Access to the routes of the emulator itself: requests with its admin token or, if there is none, from this machine.
 * Rejects DNS rebinding: the `Host` and `Origin` of a request without a token must name this machine.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../envelope/service-error.ts'
import { AddressLimit } from './address-limit.ts'
import { isLoopbackName, mayControl } from './origins.ts'
import { NotAdmitted } from './request-guard.ts'
import { TokenProof } from './token-proof.ts'

/** Wrong tokens of an address, after which it has to wait: in real time, because a virtual clock may rest. */
const WRONG_TOKENS = { limit: 10, windowMs: 60_000 }
const BUSY_MS = 1_000

export class AdminAccess {
  readonly #proof: TokenProof | undefined
  readonly #cors: string | undefined
  readonly #wrongTokens = new AddressLimit(WRONG_TOKENS)

  /**
   * @param token  or its hash; undefined for none
   * @param cors   origin of the pages that may read answers
   */
  constructor(token: string | undefined, cors: string | undefined) {
    this.#proof = token === undefined ? undefined : new TokenProof(token)
    this.#cors = cors
  }

  get needsToken(): boolean {
    return this.#proof !== undefined
  }

  /**
   * Proves the token of a request, if that takes long; `check` comes afterwards.
   *
   * @returns undefined if there is nothing to wait for
   * @throws {NotAdmitted} while too many proofs are going on
   */
  prove(given: string | undefined, address: string | undefined): Promise<void> | undefined {
    if (given === undefined || given === '') return undefined
    if (this.#wrongTokens.waitMs(address, performance.now()) > 0) return undefined
    const proving = this.#proof?.prove(given)
    if (proving === 'busy') throw tooMany(BUSY_MS)
    return proving
  }

  /** @throws {NotAdmitted} */
  check(headers: IncomingHttpHeaders, address: string | undefined): void {
    if (this.#proof !== undefined) {
      this.checkToken(bearerOf(headers), address)
      return
    }
    if (!isLoopbackName(headers.host ?? 'localhost')) throw forbidden('/emulator is available only from this machine')
    if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
      throw forbidden('/emulator is available through a proxy only with an admin token')
    }
    if (!mayControl(headers, this.#cors)) throw forbidden('/emulator is not available to pages of that origin')
  }

  /** @throws {NotAdmitted} without the token, if there is one, and after too many wrong ones */
  checkToken(given: string | undefined, address: string | undefined): void {
    if (this.#proof === undefined) return
    const now = performance.now()
    const waitMs = given === undefined ? 0 : this.#wrongTokens.waitMs(address, now)
    if (waitMs > 0) throw tooMany(waitMs)
    if (given !== undefined && this.#proof.isToken(given)) return
    if (given !== undefined) this.#wrongTokens.take(address, now)
    throw new NotAdmitted(new ServiceError('AUTHENTICATION_REQUIRED', '/emulator requires its admin token'))
  }
}

/** Token of a request; undefined if there is none, and empty, which is a wrong one, for any other authorization. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  authorization === undefined ? undefined : (/^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')

const forbidden = (message: string): NotAdmitted => new NotAdmitted(new ServiceError('FORBIDDEN', message))

const tooMany = (retryInMs: number): NotAdmitted =>
  new NotAdmitted(new ServiceError('RATE_LIMITED', 'too many wrong admin tokens from this address', { retryInMs }))
