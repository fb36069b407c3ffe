/** Opens of several markets at one moment: all of them are played before anyone is answered. */
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'

export class CandleOpens {
  readonly #queue: EventQueue
  #time = Number.NaN
  #moment: OpenMoment
  /** A moment already played, for reuse. */
  #spare: OpenMoment | undefined

  constructor(queue: EventQueue) {
    this.#queue = queue
    this.#moment = this.#newMoment()
    this.#spare = this.#moment
  }

  /** Schedules the open of a market, after all other events of its moment. */
  add(time: number, open: () => void): void {
    if (time !== this.#time) this.#begin(time)
    this.#moment.add(open)
  }

  #begin(time: number): void {
    this.#time = time
    this.#moment = this.#spare ?? this.#newMoment()
    this.#spare = undefined
    this.#queue.enter(time, EVENT_KIND.open, this.#moment.play)
  }

  #newMoment(): OpenMoment {
    return new OpenMoment({
      onBegin: () => {
        this.#time = Number.NaN
      },
      onEnd: (moment) => {
        this.#spare = moment
      },
    })
  }
}

interface MomentListener {
  onBegin(): void
  onEnd(moment: OpenMoment): void
}

/** Markets that open at one moment, in their order. */
class OpenMoment {
  readonly #listener: MomentListener
  readonly #opens: (() => void)[] = []
  /**
   * Number of valid entries; the entries after it are of an earlier moment. Truncating the list would reallocate it for
   * every candle.
   */
  #count = 0

  constructor(listener: MomentListener) {
    this.#listener = listener
  }

  add(open: () => void): void {
    this.#opens[this.#count] = open
    this.#count += 1
  }

  readonly play = (): void => {
    this.#listener.onBegin()
    for (let index = 0; index < this.#count; index += 1) this.#opens[index]?.()
    this.#count = 0
    this.#listener.onEnd(this)
  }
}
