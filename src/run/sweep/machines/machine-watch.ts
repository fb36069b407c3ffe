/** Watches the workers of a sweep, and reports changes. */
import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { LinkChange } from './redis-link.ts'
import { faultsKey } from './point-queue.ts'

/** A change of the workers of a sweep, or of the connection to Redis. */
export type MachinesEvent = WorkersCounted | MachineFault | LinkChange

/** The count of workers changed. */
export interface WorkersCounted {
  readonly type: 'workers'
  /** Count of running workers of this version of papertape. */
  readonly count: number
}

/** A machine cannot run points of the sweep. */
export interface MachineFault {
  readonly type: 'fault'
  /** Name of the machine and the reason, in one line. */
  readonly text: string
}

export type HearOfMachines = (event: MachinesEvent) => void

const LOOK_MS = 2_000

interface MachineWatchOptions {
  readonly redis: Redis
  readonly queue: Queue
  readonly bundle: string
  readonly hear: HearOfMachines
}

export class MachineWatch {
  readonly #options: MachineWatchOptions
  readonly #reported = new Set<string>()
  #count: number | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(options: MachineWatchOptions) {
    this.#options = options
  }

  /**
   * Rate-limited, however often it is called.
   *
   * @returns true if a worker has reported a new fault
   */
  async look(): Promise<boolean> {
    const { redis, queue, bundle, hear } = this.#options
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_MS) return false
    this.#lookedAt = now
    // A Redis user may lack the permission to list workers.
    const count = await queue.getWorkersCount().catch(() => undefined)
    if (count !== undefined && count !== this.#count) hear({ type: 'workers', count })
    this.#count = count
    const faults = await redis.smembers(faultsKey(bundle))
    if (faults.length > 0) await redis.srem(faultsKey(bundle), ...faults)
    for (const text of faults) {
      if (!this.#reported.has(text)) hear({ type: 'fault', text })
      this.#reported.add(text)
    }
    return faults.length > 0
  }
}
