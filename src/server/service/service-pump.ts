/**
 * Lets a served market live while nobody asks: brings it to the present whenever something in it is due.
 */
import type { Service } from './service.ts'

/** What is put into the queue meanwhile waits at most this long. */
const LONGEST_SLEEP_MS = 100
/** For so long it lets nobody else in, when there is much to catch up with. */
const SLICE_MS = 10

/** Drives a market. */
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
   * @param onError  an error of ours; the pump has stopped
   * @param speed    milliseconds of the market in one of the machine's
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
