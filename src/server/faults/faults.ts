/**
 * Faults on purpose: what a client must survive, made to happen at a route, a number of times or by a seeded chance.
 *
 * Invariant: the same plans and the same requests in the same order give the same faults. A fault is used up by the
 * request that it happens to, whatever would have become of that request.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { fieldError } from '../envelope/service-error.ts'

export const FAULT_KINDS = [
  'engine-timeout-before',
  'engine-timeout-after',
  'engine-timeout-late',
  'engine-unavailable',
  'service-unavailable',
  'portfolio-unavailable',
  'rate-limited',
  'delay',
  'reset-before',
  'reset-after',
  'reset-late',
  'truncated-body',
  'page-cap',
  'coarse-times',
  'duplicate-order',
  'stream-drop',
] as const

/** Kind of fault of a request or stream; see the table in docs/emulator.md. */
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The stream's name as a route: its handshake is a request, its events are not. */
export const STREAM_ROUTE = 'GET /ws'
/** Every route, or every one at which a fault can happen at all. */
const ANY_ROUTE = '*'

const MUTATIONS = ['POST /orders', 'DELETE /orders/{orderId}']
const ORDER_READS = ['GET /orders', 'GET /orders/open', 'GET /orders/{orderId}']

/** Faults that can happen at some routes alone. */
const ROUTES_OF_KIND: Partial<Record<FaultKind, readonly string[]>> = {
  'engine-timeout-late': MUTATIONS,
  'reset-late': MUTATIONS,
  'page-cap': ['GET /orders', 'GET /trades', 'GET /markets/{symbol}/trades'],
  'coarse-times': [...MUTATIONS, ...ORDER_READS],
  'duplicate-order': ['POST /orders'],
  'stream-drop': [STREAM_ROUTE],
}

/** After which a request goes on. */
const BENDS: ReadonlySet<FaultKind> = new Set(['delay', 'page-cap', 'coarse-times', 'duplicate-order'])

export interface FaultRequest {
  /** Kind of the fault. */
  readonly fault: FaultKind
  /** `POST /orders` and the like, or `*`. */
  readonly route: string
  /** Count of the times that it happens; undefined when `probability` says it. */
  readonly count?: number | undefined
  /** Chance that it happens, a fraction in [0, 1]. */
  readonly probability?: number | undefined
  /** Seed of the probability; a 32-bit integer. */
  readonly seed: number
  /**
   * Milliseconds of a delay, of the wait that a 429 asks for, and from an answer to the late execution of its
   * request.
   */
  readonly ms: number
  /** Count of the rows of a page, at most; of a page-cap alone. */
  readonly rows?: number | undefined
}

/** A fault that can still happen. Its `count` is the number left. */
export interface PlannedFault extends FaultRequest {
  /** Id for `DELETE /emulator/faults/{id}`. */
  readonly id: string
}

/** One that happens to a request. */
export interface Fault {
  readonly kind: FaultKind
  readonly ms: number
  readonly rows?: number | undefined
}

interface Planned {
  readonly id: string
  readonly request: FaultRequest
  readonly chance: RandomGenerator
  left: number
}

export class Faults {
  readonly #routes: ReadonlySet<string>
  #planned: readonly Planned[] = []
  #lastId = 0

  /** @param routes  where one can happen, such as `POST /orders`, the stream aside */
  constructor(routes: readonly string[]) {
    this.#routes = new Set([...routes, STREAM_ROUTE])
  }

  /**
   * @returns its id
   * @throws {ServiceError} VALIDATION_ERROR naming `route`, when it could never happen there
   */
  plan(request: FaultRequest): string {
    this.#checkRoute(request)
    this.#lastId += 1
    const left = request.count ?? Number.POSITIVE_INFINITY
    const id = `fault-${this.#lastId}`
    this.#planned = [...this.#planned, { id, request, chance: xoroshiro128plus(request.seed), left }]
    return id
  }

  /** Those that can still happen, each with how often; undefined for one that chance alone ends never. */
  list(): readonly PlannedFault[] {
    return this.#planned.map(({ id, request, left }) => ({
      id,
      ...request,
      ...(request.count === undefined ? {} : { count: left }),
    }))
  }

  /** False when there is no such fault, or it is used up. */
  forget(id: string): boolean {
    const kept = this.#planned.filter((planned) => planned.id !== id)
    const isThere = kept.length < this.#planned.length
    this.#planned = kept
    return isThere
  }

  clear(): void {
    this.#planned = []
  }

  get arePlanned(): boolean {
    return this.#planned.length > 0
  }

  /** As if none had ever been planned. */
  renew(): void {
    this.clear()
    this.#lastId = 0
  }

  /**
   * What happens to a request now, in the order in which it was planned: any that it goes on after, and at most one
   * that ends it.
   */
  ofRequest(route: string): readonly Fault[] {
    if (this.#planned.length === 0) return []
    const happening: Fault[] = []
    for (const planned of this.#planned) {
      const { fault: kind, ms, rows } = planned.request
      if (kind === 'stream-drop' || !isAt(planned, route) || !happens(planned)) continue
      happening.push({ kind, ms, rows })
      if (!BENDS.has(kind)) break
    }
    this.#forgetUsed()
    return happening
  }

  /** Whether an event drops the streams in place of reaching them. */
  dropsStreams(): boolean {
    if (this.#planned.length === 0) return false
    const isDrop = ({ request }: Planned): boolean => request.fault === 'stream-drop'
    const drops = this.#planned.some((planned) => isDrop(planned) && happens(planned))
    this.#forgetUsed()
    return drops
  }

  #checkRoute({ fault, route }: FaultRequest): void {
    if (route === ANY_ROUTE) return
    if (!this.#routes.has(route)) {
      throw fieldError('route', `expected a route such as 'POST /orders', or '*', got '${route.slice(0, 60)}'`)
    }
    const routes = ROUTES_OF_KIND[fault]
    if (routes === undefined || routes.includes(route)) return
    throw fieldError('route', `${fault} happens at ${routes.map((each) => `'${each}'`).join(', ')}`)
  }

  #forgetUsed(): void {
    if (this.#planned.some(({ left }) => left <= 0)) this.#planned = this.#planned.filter(({ left }) => left > 0)
  }
}

const isAt = ({ request }: Planned, route: string): boolean =>
  request.route === route || (request.route === ANY_ROUTE && (ROUTES_OF_KIND[request.fault]?.includes(route) ?? true))

function happens(planned: Planned): boolean {
  const { probability } = planned.request
  if (planned.left <= 0) return false
  if (probability !== undefined && uniformFloat64(planned.chance) >= probability) return false
  planned.left -= 1
  return true
}
