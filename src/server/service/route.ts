/** A route of the service: access, parameters, answer and handler. */
import type { z } from 'zod'
import { invariant } from '../../domain/errors.ts'
import type { Scope } from './api-key.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import type { Service } from './service.ts'
import type { User } from './user-registry.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Validated input of a handler. */
export interface Call {
  readonly service: Service
  /** Unix milliseconds; the market has caught up to it. */
  readonly now: number
  /** Undefined on a public route. */
  readonly user: User | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** Body as received; undefined for a route without one. */
  readonly body: unknown
}

/** Groups of routes with their descriptions. */
export const TAGS = {
  Markets: 'public market data',
  Orders: 'orders of the account that owns the key',
  Account: 'balances, portfolio and fills of the account that owns the key',
  Users: 'users of the emulator, their API keys and balances',
  Faults: 'fault injection',
  Pauses: 'markets that accept no orders for a while',
  Books: 'order books and the audit of the emulator',
  Worlds: 'snapshots of the world of the emulator, and branches of it',
  Clock: 'the time of an emulator with a virtual clock',
  Arena: 'a season: its board, its players and its journal',
  Server: 'the server itself',
} as const

export type Tag = keyof typeof TAGS

/** See `AddressLimit`. */
interface RequestLimit {
  /** @returns 0 if a request is allowed, otherwise milliseconds until one is */
  take(address: string | undefined, time: number): number
}

export interface Route {
  readonly method: Method
  /** Path as in section 4, such as `/orders/{orderId}`. */
  readonly path: string
  /** Method name in generated clients. */
  readonly operationId: string
  readonly tag: Tag
  readonly summary: string
  /** Details beyond the summary. */
  readonly description?: string
  /** Required scope; `public` without a key, `emulator` for the control API, `open` for everyone. */
  readonly access: Scope | 'public' | 'emulator' | 'open'
  /** Creates or cancels an order: counts in both buckets and needs a verified account. */
  readonly isMutation?: boolean
  /** The body names something that may not be there: 404. */
  readonly mayMiss?: boolean
  /** Admits a new player: recorded in an audit log. */
  readonly isJoin?: boolean
  /** Limit of requests per client address, refused or not, in real time. */
  readonly addressLimit?: RequestLimit
  /** Codes with which the handler refuses, besides an invalid query or body. */
  readonly refusals?: readonly ErrorCode[]
  /** Query parameters with their descriptions. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Schema of the body, for documentation and tests; the handler parses the body itself. */
  readonly body?: z.ZodType
  /** Maximum bytes of the body; default: the limit of the server. */
  readonly longestBody?: number
  /** Default: ENGINE_UNAVAILABLE. */
  readonly whenStopped?: ErrorCode
  readonly status: number
  /** Status of special answers; undefined for `status`. */
  readonly statusOf?: (answer: unknown) => number | undefined
  /** Descriptions by status. */
  readonly otherStatuses?: Readonly<Record<number, string>>
  /** Schema of the answer. */
  readonly answer: z.ZodType
  /** Content type of a text answer; default: JSON. */
  readonly contentType?: string
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Refuses requests that never reach the engine, as `handle` does too; for faults with late execution. */
  readonly check?: (call: Call) => void
  readonly handle: (call: Call) => unknown
  /** Answer as JSON text, if that is faster; default: the serialized result of `handle`. */
  readonly handleAsText?: (call: Call) => string | Buffer
}

/** Account of the caller of a protected route, named by the user id. */
export function accountOf({ user }: Call): string {
  invariant(user !== undefined, 'a protected route has a caller')
  return user.id
}

/** True for routes of the service, where keys count and faults are possible. */
export const isOfService = (access: Route['access']): boolean => access !== 'emulator' && access !== 'open'

/** Names in braces in a path. */
export const paramsOf = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** Complete examples for the documentation of a route. */
export interface RouteExample {
  /** Bodies by name; more than one if there are several shapes. */
  readonly bodies?: Readonly<Record<string, unknown>>
  /** Absent for a route without an answer body. */
  readonly answer?: unknown
  /** Examples of other successful statuses. */
  readonly others?: Readonly<Record<number, unknown>>
}

/** Examples by operation id. */
export type RouteExamples = Readonly<Record<string, RouteExample>>
