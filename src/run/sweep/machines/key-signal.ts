/**
 * Keys of which there is news, for whoever waits for them.
 */
import { setTimeout as pause } from 'node:timers/promises'

export class KeySignal {
  readonly #keys = new Set<string>()
  #wake: (() => void) | undefined

  add(key: string): void {
    this.#keys.add(key)
    this.#wake?.()
  }

  /** Ends the waiting, without a key. */
  wake(): void {
    this.#wake?.()
  }

  /** @returns those that came since the last time, as soon as there is one; none when `ms` were over, or it was woken */
  async next(ms: number): Promise<readonly string[]> {
    if (this.#keys.size === 0) {
      const timer = new AbortController()
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await Promise.race([woken, pause(ms, undefined, { signal: timer.signal }).catch(() => undefined)])
      timer.abort()
      this.#wake = undefined
    }
    const keys = [...this.#keys]
    this.#keys.clear()
    return keys
  }
}
