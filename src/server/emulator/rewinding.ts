/** Goes back in the past of a world with a state: records it while the world is served, and finds the moment. */
import { thrownText } from '../../domain/thrown-text.ts'
import { isoTime } from '../../domain/time.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { SeededSecrets } from '../service/secrets.ts'
import { WorldPast } from '../worlds/world-past.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import type { PastStretch, RewindTarget } from '../worlds/worlds.ts'
import type { EmulatorWorld } from './emulator-world.ts'
import { pastEntryText, replayedWorld, type PastEntry } from './replayed-world.ts'

export class Rewinding {
  readonly #past: WorldPast
  readonly #folder: string
  #world: EmulatorWorld | undefined
  #next: NodeJS.Immediate | undefined

  /** @param isNew  true for a new state, whose past no earlier one is */
  constructor(folder: string, isNew: boolean) {
    this.#folder = folder
    this.#past = new WorldPast(folder, isNew)
  }

  /**
   * Records a world from now on.
   *
   * @param present  takes a snapshot of it
   */
  follow(world: EmulatorWorld, present: () => WorldSnapshot): void {
    clearImmediate(this.#next)
    this.#next = undefined
    this.#world = world
    this.#past.begin(present)
    world.state.listen((text) => {
      this.#add(text)
      // Not now: something is being executed.
      if (this.#past.isLong) {
        this.#next ??= setImmediate(() => {
          this.#next = undefined
          this.#past.begin(present)
        })
      }
    })
    world.simulated.pauses.onChange = (symbol, reason) => {
      this.note(reason === undefined ? { type: 'resume', symbol } : { type: 'pause', symbol, reason })
    }
  }

  /** Records something that is not in the state. */
  note(entry: PastEntry): void {
    this.#add(pastEntryText(entry))
  }

  #add(text: string): void {
    if (this.#world === undefined) return
    const { simulated, state } = this.#world
    this.#past.add(
      simulated.queue.now(),
      state.secrets instanceof SeededSecrets ? state.secrets.position.drawn : 0,
      text,
    )
  }

  stretches(): readonly PastStretch[] {
    return this.#past.parts()
  }

  /**
   * The world at a moment of the past.
   *
   * @param now  market time, Unix milliseconds
   * @throws {ServiceError} for a moment that is not known
   */
  worldAt(target: RewindTarget, now: number): WorldSnapshot {
    const { fault } = this.#past
    if (fault !== undefined) throw new ServiceError('SERVICE_UNAVAILABLE', `the past could not be written: ${fault}`)
    try {
      return target.beforeOrder === undefined ? this.#worldAt(target.time ?? now, now) : this.#worldBefore(target)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('SERVICE_UNAVAILABLE', `the past cannot be replayed: ${thrownText(error)}`)
    }
  }

  #worldAt(time: number, now: number): WorldSnapshot {
    const parts = this.#past.parts()
    const begun = parts.flatMap(({ from }, index) => (from <= time ? [index] : []))
    // Later parts first: after going back, a time has several pasts, and the newest counts.
    const index = begun.findLast((each) => (parts[each]?.to ?? 0) >= time) ?? begun.at(-1)
    const part = index === undefined ? undefined : parts[index]
    // After going back, a later time may still be known.
    const last = parts.reduce((latest, { to }) => Math.max(latest, to), now)
    if (index === undefined || part === undefined || time > last) {
      const known = parts.length === 0 ? 'nothing yet' : `${isoTime(parts[0]?.from ?? 0)} to ${isoTime(last)}`
      throw fieldError('time', `${isoTime(time)} is not in the past that is kept: ${known}`)
    }
    const world = this.#replayed(index, { time: Math.min(time, part.to) })
    if (world === undefined) throw fieldError('time', 'its files are gone')
    return world
  }

  #worldBefore(target: RewindTarget): WorldSnapshot {
    for (let index = this.#past.parts().length - 1; index >= 0; index -= 1) {
      const world = this.#replayed(index, target)
      if (world !== undefined) return world
    }
    throw fieldError('beforeOrder', `no client placed an order ${target.beforeOrder} in the past that is kept`)
  }

  #replayed(index: number, target: RewindTarget): WorldSnapshot | undefined {
    const part = this.#past.read(index)
    return part && replayedWorld(this.#folder, part, target)
  }

  /** Records nothing more. Resolves when nothing is written any more. */
  async end(): Promise<void> {
    clearImmediate(this.#next)
    if (this.#world !== undefined) await this.#past.end(this.#world.simulated.queue.now())
  }
}
