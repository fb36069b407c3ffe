/** Drives a replay at full speed: from one recorded trade to the next, and after the last one in machine time. */
import type { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import type { ReplayClock } from '../../simulation/clocks/virtual-clock.ts'
import { ServicePump, type Pump } from './service-pump.ts'
import type { Service } from './service.ts'

/** Others are answered between two of these stretches. */
const STRETCH_MS = 5

export class ReplayPump implements Pump {
  readonly #service: Service
  readonly #replay: PacedReplay
  readonly #clock: ReplayClock
  readonly #onError: (error: unknown) => void
  readonly #pump: Pump
  #isStopped = false

  /** @param onError  an error of ours; the pump has stopped */
  constructor(service: Service, replay: PacedReplay, clock: ReplayClock, onError: (error: unknown) => void) {
    this.#service = service
    this.#replay = replay
    this.#clock = clock
    this.#onError = onError
    this.#pump = new ServicePump(service, onError)
  }

  start(): void {
    setImmediate(() => {
      this.#beat().catch(this.#onError)
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#pump.stop()
  }

  async #beat(): Promise<void> {
    await this.#replay.awaited()
    if (this.#isStopped) return
    const { queue } = this.#service.simulated
    const end = performance.now() + STRETCH_MS
    while (!this.#replay.isOver && this.#replay.awaited() === undefined && performance.now() < end) {
      this.#clock.moveTo(queue.nextTime)
      this.#service.catchUp()
    }
    if (!this.#replay.isOver) {
      this.start()
      return
    }
    this.#clock.run()
    this.#pump.start()
  }
}
