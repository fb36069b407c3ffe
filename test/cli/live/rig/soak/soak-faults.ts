/**
 * Hooks of a proxy that do harm by a seed: the nth request of a method and the nth frame meet what the seed says.
 */
import { Chance } from '../../../../exchange/rig/chance.ts'
import { refusal, type Fate, type HostileProxy, type ProxiedRequest, type ProxyHooks } from '../hostile-proxy.ts'
import { pause } from '../patience.ts'

/** Of `--timeout-ms` of the sessions. */
export const TIMEOUT_MS = 3000
/** A request that is executed late is so within this time, which is shorter than `--reconcile-ms` by far. */
const MAX_LATE_MS = 2200
const MAX_DELAY_MS = 1400

const PAGE = '<!doctype html><title>gateway</title><h1>please wait</h1>'
const page = (status: number): Fate => ({ status, headers: { 'content-type': 'text/html' }, body: PAGE })

const BEFORE = ['delay', 'delay', 'delay', 'reset', 'unavailable', 'bad gateway', 'limited', 'hang'] as const
const AFTER = ['reset after', 'cut', 'garbage', 'timeout after', 'error after'] as const
const KINDS = {
  GET: [...BEFORE, ...AFTER, 'gateway page'],
  POST: [...BEFORE, ...AFTER, 'late'],
  DELETE: [...BEFORE, ...AFTER, 'twice'],
} as const
type Method = keyof typeof KINDS
type Kind = (typeof KINDS)[Method][number]

export class SoakFaults {
  /** Whether requests and frames meet faults now. */
  isActive = false
  /** Until then every request is refused with 5xx; by `performance.now()`. */
  stormUntil = 0
  readonly counts = new Map<string, number>()
  readonly hooks: ProxyHooks
  readonly #proxy: HostileProxy
  readonly #chances: Readonly<Record<Method | 'frame', Chance>>
  /** Percent of requests and frames that meet a fault. */
  readonly #percent: number
  readonly #after = new WeakMap<ProxiedRequest, Kind>()
  readonly #late = new Set<Promise<unknown>>()
  #oldFrame = ''

  constructor(proxy: HostileProxy, seed: number) {
    const chanceOf = (index: number): Chance => new Chance((seed * 8 + index) >>> 0)
    this.#proxy = proxy
    this.#percent = chanceOf(0).between(5, 18)
    this.#chances = { GET: chanceOf(1), POST: chanceOf(2), DELETE: chanceOf(3), frame: chanceOf(4) }
    this.hooks = {
      onRequest: (request) => this.#onRequest(request),
      onAnswer: ({ body }, request) => this.#onAnswer(body.toString(), request),
      onFrame: (frame) => this.#onFrame(frame),
      onUpgrade: () => (performance.now() < this.stormUntil ? 503 : undefined),
    }
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** Resolves when the service has executed whatever was held back. */
  async settled(): Promise<void> {
    await Promise.all(this.#late)
  }

  async #onRequest(request: ProxiedRequest): Promise<Fate> {
    if (performance.now() < this.stormUntil) return page(503)
    const method = request.method as Method
    const chance = this.#chances[method]
    if (!this.isActive || chance.below(100) >= this.#percent) return undefined
    const kind = chance.pick(KINDS[method])
    this.count(`${method} ${kind}`)
    this.#after.set(request, kind)
    return this.#fateBefore(kind, request, chance)
  }

  async #fateBefore(kind: Kind, request: ProxiedRequest, chance: Chance): Promise<Fate> {
    switch (kind) {
      case 'delay':
        await pause(chance.between(50, MAX_DELAY_MS))
        return undefined
      case 'reset':
        return 'reset'
      case 'unavailable':
        return refusal(503, 'SERVICE_UNAVAILABLE')
      case 'bad gateway':
        return page(502)
      case 'limited':
        return refusal(429, 'RATE_LIMITED', { 'retry-after': String(chance.between(1, 2)) })
      case 'hang':
        await pause(2 * TIMEOUT_MS)
        return 'reset'
      case 'gateway page':
        return page(chance.pick([200, 403, 404]))
      case 'late':
        this.#forwardLate(request, chance.between(200, MAX_LATE_MS))
        return refusal(504, 'ENGINE_TIMEOUT')
      case 'twice':
        await this.#proxy.forward(request)
        return undefined
      case 'reset after':
      case 'cut':
      case 'garbage':
      case 'timeout after':
      case 'error after':
        return undefined
    }
  }

  #forwardLate(request: ProxiedRequest, ms: number): void {
    const late = pause(ms).then(() => this.#proxy.forward(request))
    this.#late.add(late)
    void late.finally(() => this.#late.delete(late))
  }

  #onAnswer(body: string, request: ProxiedRequest): Fate {
    const garbage = { status: 200, headers: { 'content-type': 'application/json' }, body: body.replaceAll('"', "'") }
    const fates: Partial<Record<Kind, Fate>> = {
      'reset after': 'reset',
      cut: 'cut',
      garbage,
      'timeout after': refusal(504, 'ENGINE_TIMEOUT'),
      'error after': page(500),
    }
    const kind = this.#after.get(request)
    return kind === undefined ? undefined : fates[kind]
  }

  #onFrame(frame: string): readonly string[] | undefined {
    const chance = this.#chances.frame
    if (!this.isActive || !frame.includes('"stream"') || chance.below(100) >= this.#percent) return undefined
    const kind = chance.pick(['drop', 'twice', 'later', 'old', 'corrupt'])
    this.count(`frame ${kind}`)
    const old = this.#oldFrame
    this.#oldFrame = frame
    if (kind === 'later') void pause(chance.between(30, MAX_DELAY_MS)).then(() => this.#proxy.inject(frame))
    if (kind === 'drop' || kind === 'later') return []
    if (kind === 'corrupt') return [frame.slice(0, chance.below(frame.length)), 'null', '{"stream":"trade:BTC_USD"}']
    return kind === 'old' && old !== '' ? [frame, old] : [frame, frame]
  }
}
