/**
 * A service on a fake clock that limits rates as the emulator does, behind a network that takes its time and loses
 * some.
 */
import type { RestAnswer, RestRequest } from '../../../../src/adapter/live/rest/rest-transport.ts'
import { RateBudget, type RateLimits } from '../../../../src/domain/rate-window.ts'
import type { FakeLiveTime } from './fake-live-time.ts'
import { ManualTransport, refused, whole } from './manual-transport.ts'
import { MARKETS_JSON, orderJson } from './wire-examples.ts'

export interface LimitedServiceOptions {
  readonly time: FakeLiveTime
  readonly limits: RateLimits
  /** In [0, 1). */
  readonly random: () => number
  /** Of each way. */
  readonly latencyMs: number
  /** Of requests, and as many of answers. */
  readonly lost: number
  readonly headers: 'draft' | 'none'
}

/** How long the client waits for an answer. */
const TIMEOUT_MS = 10_000

export class LimitedService {
  readonly budget: RateBudget
  readonly transport: ManualTransport
  refusals = 0
  reads = 0
  creates = 0
  cancels = 0
  readonly #options: LimitedServiceOptions
  #nextId = 1
  readonly #orders = new Map<string, Record<string, unknown>>()

  constructor(options: LimitedServiceOptions) {
    this.#options = options
    this.budget = new RateBudget(options.limits)
    this.transport = new ManualTransport((request) => this.#carry(request))
  }

  #carry(request: RestRequest): Promise<RestAnswer> {
    const { time, random, latencyMs, lost } = this.#options
    return new Promise((resolve) => {
      time.after(TIMEOUT_MS, () => resolve({ type: 'no-answer', reason: 'no answer within 10000 ms' }))
      if (random() < lost) return
      time.after(random() * latencyMs, () => {
        const answer = this.#answer(request)
        if (random() >= lost) time.after(random() * latencyMs, () => resolve(answer))
      })
    })
  }

  #answer(request: RestRequest): RestAnswer {
    if (!request.isKeyed) return whole(200, MARKETS_JSON)
    // As the server's clock has it: whole milliseconds.
    const now = Math.floor(this.#options.time.now())
    const isMutation = request.method !== 'GET'
    const isAllowed = isMutation ? this.budget.takeMutation(now) : this.budget.general.remaining(now) > 0
    if (!isMutation) this.budget.general.count(now)
    const headers = this.#headers(isMutation, now)
    if (!isAllowed) {
      this.refusals += 1
      const wait = isMutation ? this.budget.mutationAllowedInMs(now) : this.budget.general.resetInMs(now)
      return refused(429, 'RATE_LIMITED', { ...headers, 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) })
    }
    if (request.method === 'GET') return this.#read(headers)
    return request.method === 'POST' ? this.#create(request, headers) : this.#cancel(request, headers)
  }

  #read(headers: Record<string, string>): RestAnswer {
    this.reads += 1
    return whole(200, {}, headers)
  }

  #create({ body }: RestRequest, headers: Record<string, string>): RestAnswer {
    this.creates += 1
    const id = String(this.#nextId)
    this.#nextId += 1
    const order = orderJson({ ...(JSON.parse(body ?? '{}') as object), id })
    this.#orders.set(id, order)
    return whole(201, order, headers)
  }

  #cancel({ path }: RestRequest, headers: Record<string, string>): RestAnswer {
    this.cancels += 1
    const id = path.split('/').at(-1) ?? ''
    const order = this.#orders.get(id)
    if (order === undefined) return refused(409, 'ORDER_NOT_CANCELLABLE', headers)
    this.#orders.delete(id)
    return whole(200, { ...order, status: 'CANCELLED' }, headers)
  }

  #headers(isMutation: boolean, now: number): Record<string, string> {
    if (this.#options.headers === 'none') return {}
    const { general, mutations } = this.budget
    const buckets = [['general', general] as const, ...(isMutation ? [['mutations', mutations] as const] : [])]
    const seconds = (ms: number): number => Math.ceil(ms / 1000)
    return {
      'ratelimit-policy': buckets
        .map(([name, { limit, windowMs }]) => `"${name}";q=${limit};w=${seconds(windowMs)}`)
        .join(', '),
      ratelimit: buckets
        .map(
          ([name, window]) =>
            `"${name}";r=${window.remaining(now)};t=${seconds(window.resetInMs(now) || window.windowMs)}`,
        )
        .join(', '),
    }
  }
}
