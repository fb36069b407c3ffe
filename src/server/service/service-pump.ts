/** Advances a served market between requests: executes events when they are due. */
import type { Service } from './service.ts'

/** Maximum sleep, so that events scheduled meanwhile are not late. */
const LONGEST_SLEEP_MS = 100
/** Maximum blocking time while catching up. */
const SLICE_MS = 10

/** Advances a market. */
export interface Pump {
  start(): void
  stop(): void
}

export class ServicePump implements Pump {
  readonly #service: Service
  readonly #onError: (error: unknown) => void
  readonly #speed: number
  #timer: NodeJS.Timeout | undefined

  /**
   * @param onError  receives an internal error; the pump has stopped
   * @param speed    market milliseconds per machine millisecond
   */
  constructor(service: Service, onError: (error: unknown) => void, speed = 1) {
    this.#service = service
    this.#onError = onError
    this.#speed = speed
  }

  start(): void {
    const { simulated, isBehind } = this.#service
    const wait = isBehind ? 0 : (simulated.queue.nextTime - simulated.queue.now()) / this.#speed
    const ms = Math.max(1, Math.min(LONGEST_SLEEP_MS, wait))
    this.#timer = setTimeout(() => {
      this.#beat()
    }, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #beat(): void {
    try {
      this.#service.catchUp(SLICE_MS)
      this.start()
    } catch (error) {
      this.#onError(error)
    }
  }
}
