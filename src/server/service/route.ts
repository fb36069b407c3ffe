/**
 * A route of the service: who may call it, what it takes and answers, and what it does.
 */
import type { z } from 'zod'
import { invariant } from '../../domain/errors.ts'
import type { Scope } from './api-key.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import type { Service } from './service.ts'
import type { User } from './user-registry.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What a handler gets; all of it is checked. */
export interface Call {
  readonly service: Service
  /** Unix milliseconds; the market is there. */
  readonly now: number
  /** Undefined on a public route. */
  readonly user: User | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** As it was written; undefined for a route without a body. */
  readonly body: unknown
}

export interface Route {
  readonly method: Method
  /** As in section 4, such as `/orders/{orderId}`. */
  readonly path: string
  readonly summary: string
  /** The scope that a key needs; `public` without a key, `emulator` for the emulator's own surface. */
  readonly access: Scope | 'public' | 'emulator'
  /** Creates or cancels an order: counts in both buckets and needs a verified account. */
  readonly isMutation?: boolean
  /** Parameters of the query, with what they mean. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Of the body, for the description and for tests; the handler reads the body itself. */
  readonly body?: z.ZodType
  /** Default: ENGINE_UNAVAILABLE. */
  readonly whenStopped?: ErrorCode
  readonly status: number
  /** Of the answer. */
  readonly answer: z.ZodType
  /** Refuses what never reaches the engine, which `handle` does as well; for a fault that has the engine come to it later. */
  readonly check?: (call: Call) => void
  readonly handle: (call: Call) => unknown
}

/** The account of whoever calls a protected route: its name is the user's id. */
export function accountOf({ user }: Call): string {
  invariant(user !== undefined, 'a protected route has a caller')
  return user.id
}

/** Names in braces in a path. */
export const paramsOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
