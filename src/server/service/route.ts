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

/** What routes are grouped by, and what is said of a group. */
export const TAGS = {
  Markets: 'public market data',
  Orders: 'orders of the account that owns the key',
  Account: 'balances, portfolio and fills of the account that owns the key',
  Users: 'users of the emulator, their API keys and balances',
  Faults: 'fault injection',
  Books: 'order books and the audit of the emulator',
  Clock: 'the time of an emulator with a virtual clock',
  Server: 'the server itself',
} as const

export type Tag = keyof typeof TAGS

export interface Route {
  readonly method: Method
  /** As in section 4, such as `/orders/{orderId}`. */
  readonly path: string
  /** What clients that are generated call it. */
  readonly operationId: string
  readonly tag: Tag
  readonly summary: string
  /** What its summary leaves out. */
  readonly description?: string
  /**
   * The scope that a key needs; `public` without a key, `emulator` for the emulator's own surface, `open` for whoever
   * looks.
   */
  readonly access: Scope | 'public' | 'emulator' | 'open'
  /** Creates or cancels an order: counts in both buckets and needs a verified account. */
  readonly isMutation?: boolean
  /** What its handler refuses with, beside a wrong query or body. */
  readonly refusals?: readonly ErrorCode[]
  /** Parameters of the query, with what they mean. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Of the body, for the description and for tests; the handler reads the body itself. */
  readonly body?: z.ZodType
  /** Default: ENGINE_UNAVAILABLE. */
  readonly whenStopped?: ErrorCode
  readonly status: number
  /** Another status for some answers; undefined for `status`. */
  readonly statusOf?: (answer: unknown) => number | undefined
  /** What they are, by status. */
  readonly otherStatuses?: Readonly<Record<number, string>>
  /** Of the answer. */
  readonly answer: z.ZodType
  /** Of an answer that is a text; default: JSON. */
  readonly contentType?: string
  /** More of its answer, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Refuses what never reaches the engine, which `handle` does as well; for a fault that has the engine come to it
   * later.
   */
  readonly check?: (call: Call) => void
  readonly handle: (call: Call) => unknown
  /** The same as the JSON text of its answer, where that is quicker; default: the text of what `handle` answers. */
  readonly handleAsText?: (call: Call) => string | Buffer
}

/** The account of whoever calls a protected route: its name is the user's id. */
export function accountOf({ user }: Call): string {
  invariant(user !== undefined, 'a protected route has a caller')
  return user.id
}

/** Whether it is the service's, and not the emulator's own: a key counts there, and faults happen. */
export const isOfService = (access: Route['access']): boolean => access !== 'emulator' && access !== 'open'

/** Names in braces in a path. */
export const paramsOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** Examples of what a route takes and answers, whole, for its description. */
export interface RouteExample {
  /** Bodies by name; more than one where there is more than one shape. */
  readonly bodies?: Readonly<Record<string, unknown>>
  /** Left out for a route that answers with nothing. */
  readonly answer?: unknown
  /** Of another status that is no error, by it. */
  readonly others?: Readonly<Record<number, unknown>>
}

/** By the id of the operation. */
export type RouteExamples = Readonly<Record<string, RouteExample>>
