/**
 * Limit of events per client address, such as joins or wrong tokens, in fixed windows.
 *
 * Invariants: an IPv6 client is its /64 network, because it can choose the rest of its address. Memory is bounded: when
 * the table is full of open windows, further addresses share one window, so many addresses cannot displace a full one.
 */
import { RateWindow } from '../../domain/rate-window.ts'

export interface AddressLimitTerms {
  /** Events allowed per window. */
  readonly limit: number
  readonly windowMs: number
  /** Addresses remembered at the same time; default: 10,000, about 3 MB. */
  readonly maxAddresses?: number
}

/** The time comes with the event, and never goes back: Unix milliseconds, or those of a monotonic or virtual clock. */
export class AddressLimit {
  readonly #terms: Required<AddressLimitTerms>
  /** Windows in the order in which they opened. */
  readonly #windowsByNetwork = new Map<string, RateWindow>()
  #shared: RateWindow

  constructor(terms: AddressLimitTerms) {
    this.#terms = { maxAddresses: 10_000, ...terms }
    this.#shared = this.#newWindow()
  }

  /**
   * Counts an event.
   *
   * @param address  of the client; undefined if it has closed the connection
   * @returns        0 if it is allowed, otherwise milliseconds until one is
   */
  take(address: string | undefined, time: number): number {
    const waitMs = this.waitMs(address, time)
    if (waitMs === 0) this.#windowOf(networkOf(address), time).count(time)
    return waitMs
  }

  /** Milliseconds until an event is allowed; 0 if it is now. */
  waitMs(address: string | undefined, time: number): number {
    const known = this.#windowsByNetwork.get(networkOf(address))
    const window = known ?? (this.#isFull(time) ? this.#shared : undefined)
    return window === undefined || window.remaining(time) > 0 ? 0 : window.resetInMs(time)
  }

  /** Forgets all events. */
  clear(): void {
    this.#windowsByNetwork.clear()
    this.#shared = this.#newWindow()
  }

  #windowOf(network: string, time: number): RateWindow {
    const known = this.#windowsByNetwork.get(network)
    if (known !== undefined && known.resetInMs(time) > 0) return known
    this.#windowsByNetwork.delete(network)
    if (this.#isFull(time)) return this.#shared
    const opened = this.#newWindow()
    this.#windowsByNetwork.set(network, opened)
    return opened
  }

  /** Removes windows that are over, the oldest first. */
  #isFull(time: number): boolean {
    for (const [network, window] of this.#windowsByNetwork) {
      if (window.resetInMs(time) > 0) break
      this.#windowsByNetwork.delete(network)
    }
    return this.#windowsByNetwork.size >= this.#terms.maxAddresses
  }

  #newWindow(): RateWindow {
    return new RateWindow(this.#terms.limit, this.#terms.windowMs)
  }
}

/** IPv4 address, also of `::ffff:192.0.2.1`, or the first four groups of an IPv6 address. */
export function networkOf(address = ''): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [before = [], after = []] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  // An IPv4 address at the end takes two groups.
  const length = before.length + after.length + (plain.includes('.') ? 1 : 0)
  const zeros = Array<string>(Math.max(0, 8 - length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`
}
