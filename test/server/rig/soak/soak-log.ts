/**
 * What is seen of an emulator while it soaks: times of requests, its memory, and all that should not have been.
 */
import { setTimeout } from 'node:timers/promises'
import { MINUTE_MS } from '../../../../src/domain/time.ts'
import type { SoakServer } from './soak-server.ts'

/** In milliseconds and megabytes. */
export interface SoakMinute {
  readonly minute: number
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** The least that was seen in it, which is what garbage does not blur. */
  readonly heapMb: number
  readonly rssMb: number
}

const LOOK_MS = 500
const MEGABYTE = 2 ** 20
const MAX_FAULTS = 50

export class SoakLog {
  readonly #onMinute: ((minute: SoakMinute) => void) | undefined
  readonly #minutes: SoakMinute[] = []
  readonly #faults: string[] = []
  #times: number[] = []
  #heap: number[] = []
  #rss: number[] = []
  orders = 0
  events = 0
  attacks = 0

  constructor(onMinute: ((minute: SoakMinute) => void) | undefined) {
    this.#onMinute = onMinute
  }

  get report() {
    const { orders, events, attacks } = this
    return { minutes: this.#minutes, faults: this.#faults, orders, events, attacks }
  }

  /** Of a request that no fault was planned for. */
  time(ms: number): void {
    this.#times.push(ms)
  }

  fault(text: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(text)
  }

  /** Looks at the memory, and closes each minute. */
  async watch(served: SoakServer, signal: AbortSignal): Promise<void> {
    let begun = performance.now()
    while (!signal.aborted) {
      const text = await (await fetch(`${new URL(served.baseUrl).origin}/metrics`)).text()
      this.#heap.push(valueOf(text, 'nodejs_heap_size_used_bytes'))
      this.#rss.push(valueOf(text, 'process_resident_memory_bytes'))
      if (performance.now() - begun >= MINUTE_MS) {
        this.#close()
        begun += MINUTE_MS
      }
      await setTimeout(LOOK_MS)
    }
    this.#close()
  }

  #close(): void {
    const times = this.#times.sort((left, right) => left - right)
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    const minute = {
      minute: this.#minutes.length + 1,
      requests: times.length,
      p50: at(0.5),
      p99: at(0.99),
      most: at(1),
      heapMb: Math.min(...this.#heap) / MEGABYTE,
      rssMb: Math.max(...this.#rss) / MEGABYTE,
    }
    this.#minutes.push(minute)
    this.#onMinute?.(minute)
    this.#times = []
    this.#heap = []
    this.#rss = []
  }
}

function valueOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}
