/** The service's rate limits: fixed windows that open at the first request in them (section 8, decision 22). */

export interface RateLimits {
  /** Requests a window, every one counted. */
  readonly general: number
  /** Order creations and cancels a window. */
  readonly mutations: number
  readonly windowSeconds: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = { general: 600, mutations: 30, windowSeconds: 60 }

/** Content of a bucket; `openedAt` is null before its first request. */
export interface RateWindowState {
  /** Unix milliseconds. */
  readonly openedAt: number | null
  readonly count: number
}

/** Content of both buckets of a key. */
export interface RateBudgetState {
  readonly general: RateWindowState
  readonly mutations: RateWindowState
}

/** Sliding-window bucket of one key. The time comes with the request. */
export class RateWindow {
  readonly limit: number
  readonly windowMs: number
  #openedAt = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(limit: number, windowMs: number) {
    this.limit = limit
    this.windowMs = windowMs
  }

  get state(): RateWindowState {
    return { openedAt: Number.isFinite(this.#openedAt) ? this.#openedAt : null, count: this.#count }
  }

  set state({ openedAt, count }: RateWindowState) {
    this.#openedAt = openedAt ?? Number.NEGATIVE_INFINITY
    this.#count = count
  }

  /** Requests that are still allowed at `time`. */
  remaining(time: number): number {
    return Math.max(0, this.limit - this.#countAt(time))
  }

  /** Counts a request, allowed or not. */
  count(time: number): void {
    if (this.#isOver(time)) {
      this.#openedAt = time
      this.#count = 0
    }
    this.#count += 1
  }

  /** Milliseconds until a new window may open; 0 when none is open. */
  resetInMs(time: number): number {
    return this.#isOver(time) ? 0 : this.#openedAt + this.windowMs - time
  }

  #countAt(time: number): number {
    return this.#isOver(time) ? 0 : this.#count
  }

  #isOver(time: number): boolean {
    return time >= this.#openedAt + this.windowMs
  }
}

/** Both buckets of one key, which several users of the key can share. */
export class RateBudget {
  /** @param limits  or a budget that is shared; undefined for none */
  static of(limits: RateLimits | RateBudget | undefined): RateBudget | undefined {
    return limits === undefined || limits instanceof RateBudget ? limits : new RateBudget(limits)
  }

  readonly general: RateWindow
  readonly mutations: RateWindow

  constructor(limits: RateLimits) {
    this.general = new RateWindow(limits.general, limits.windowSeconds * 1000)
    this.mutations = new RateWindow(limits.mutations, limits.windowSeconds * 1000)
  }

  get state(): RateBudgetState {
    return { general: this.general.state, mutations: this.mutations.state }
  }

  set state({ general, mutations }: RateBudgetState) {
    this.general.state = general
    this.mutations.state = mutations
  }

  /** Counts one order creation or cancel and returns whether it is allowed. */
  takeMutation(time: number): boolean {
    const generalAllows = this.general.remaining(time) > 0
    this.general.count(time)
    if (!generalAllows || this.mutations.remaining(time) === 0) return false
    this.mutations.count(time)
    return true
  }

  /** Milliseconds until a mutation is allowed; 0 when it is now. */
  mutationAllowedInMs(time: number): number {
    const wait = (window: RateWindow): number => (window.remaining(time) > 0 ? 0 : window.resetInMs(time))
    return Math.max(wait(this.general), wait(this.mutations))
  }
}
