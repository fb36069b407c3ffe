/**
 * Fault injection: planned faults at a route, for a number of times or with a seeded probability.
 *
 * Invariant: the same plans and the same sequence of requests give the same faults. A request uses up its fault
 * whatever its outcome would have been.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
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

/** Route name of the stream: only its handshake is a request. */
export const STREAM_ROUTE = 'GET /ws'
/** All routes at which the fault is possible. */
const ANY_ROUTE = '*'

const MUTATIONS = ['POST /orders', 'DELETE /orders/{orderId}']
const ORDER_READS = ['GET /orders', 'GET /orders/open', 'GET /orders/{orderId}']

/** Faults that are possible only at some routes. */
const ROUTES_OF_KIND: Partial<Record<FaultKind, readonly string[]>> = {
  'engine-timeout-late': MUTATIONS,
  'reset-late': MUTATIONS,
  'page-cap': ['GET /orders', 'GET /trades', 'GET /markets/{symbol}/trades'],
  'coarse-times': [...MUTATIONS, ...ORDER_READS],
  'duplicate-order': ['POST /orders'],
  'stream-drop': [STREAM_ROUTE],
}

/** Faults that modify a request instead of ending it. */
const BENDS: ReadonlySet<FaultKind> = new Set(['delay', 'page-cap', 'coarse-times', 'duplicate-order'])

export interface FaultRequest {
  /** Kind of the fault. */
  readonly fault: FaultKind
  /** Route such as `POST /orders`, or `*`. */
  readonly route: string
  /** Number of times; undefined with `probability`. */
  readonly count?: number | undefined
  /** Chance that it happens, a fraction in [0, 1]. */
  readonly probability?: number | undefined
  /** Seed of the probability; a 32-bit integer. */
  readonly seed: number
  /**
   * Duration in milliseconds: of a delay, of the wait that a 429 requests, or from the response to the late execution.
   */
  readonly ms: number
  /** Maximum number of rows per page; only for page-cap. */
  readonly rows?: number | undefined
}

/** Faults planned at the same time: each request looks at all of them. */
const MAX_FAULTS = 1_000

/** A fault that can still happen. Its `count` is the number left. */
export interface PlannedFault extends FaultRequest {
  /** Id for `DELETE /emulator/faults/{id}`. */
  readonly id: string
}

/** A fault of one request. */
export interface Fault {
  readonly kind: FaultKind
  readonly ms: number
  readonly rows?: number | undefined
}

/** All planned faults, with what is left of them. */
export interface FaultsSnapshot {
  /** Number of the last id. */
  readonly lastId: number
  readonly planned: readonly {
    readonly id: string
    readonly request: FaultRequest
    /** State of the random numbers. */
    readonly chance: readonly number[]
    /** How often it can still happen; null for no limit. */
    readonly left: number | null
  }[]
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

  /** @param routes  possible routes, such as `POST /orders`, without the stream */
  constructor(routes: readonly string[]) {
    this.#routes = new Set([...routes, STREAM_ROUTE])
  }

  /**
   * @returns its id
   * @throws {ServiceError} VALIDATION_ERROR naming `route` if the fault is impossible there
   */
  plan(request: FaultRequest): string {
    this.check(request)
    if (!this.hasRoom) {
      throw fieldError('fault', `${MAX_FAULTS} faults are planned already: remove some first`)
    }
    this.#lastId += 1
    const left = request.count ?? Number.POSITIVE_INFINITY
    const id = `fault-${this.#lastId}`
    this.#planned = [...this.#planned, { id, request, chance: xoroshiro128plus(request.seed), left }]
    return id
  }

  /** False if no more faults can be planned. */
  get hasRoom(): boolean {
    return this.#planned.length < MAX_FAULTS
  }

  /** Active faults with their remaining count; undefined for faults with a probability. */
  list(): readonly PlannedFault[] {
    return this.#planned.map(({ id, request, left }) => ({
      id,
      ...request,
      ...(request.count === undefined ? {} : { count: left }),
    }))
  }

  /** False if there is no such fault, or if it is used up. */
  forget(id: string): boolean {
    const others = this.#planned.filter((planned) => planned.id !== id)
    const isThere = others.length < this.#planned.length
    this.#planned = others
    return isThere
  }

  clear(): void {
    this.#planned = []
  }

  get arePlanned(): boolean {
    return this.#planned.length > 0
  }

  save(): FaultsSnapshot {
    const planned = this.#planned.map(({ id, request, chance, left }) => ({
      ...{ id, request, chance: chance.getState() },
      left: Number.isFinite(left) ? left : null,
    }))
    return { lastId: this.#lastId, planned }
  }

  /** Replaces all faults by those of a snapshot; default: none, and the ids begin again. */
  renew({ lastId, planned }: FaultsSnapshot = { lastId: 0, planned: [] }): void {
    this.#lastId = lastId
    this.#planned = planned.map(({ id, request, chance, left }) => ({
      ...{ id, request, chance: xoroshiro128plusFromState(chance) },
      left: left ?? Number.POSITIVE_INFINITY,
    }))
  }

  /** Faults of a request in planning order: any number that modify it, and at most one that ends it. */
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

  /** True if an event must drop the streams instead of being sent. */
  dropsStreams(): boolean {
    if (this.#planned.length === 0) return false
    const isDrop = ({ request }: Planned): boolean => request.fault === 'stream-drop'
    const drops = this.#planned.some((planned) => isDrop(planned) && happens(planned))
    this.#forgetUsed()
    return drops
  }

  /** @throws {ServiceError} VALIDATION_ERROR naming `route` if the fault is impossible there */
  check({ fault, route }: FaultRequest): void {
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
