/**
 * The events of a run as an async iterator, for consumers that take their time.
 *
 * Known limit: the run does not wait for the consumer, so pending events are buffered.
 */

/** A run that reports its events. */
export interface ReportedRun<Event, Result> {
  /** Aborts the run; default: only leaving the loop ends it. */
  readonly signal: AbortSignal | undefined
  /** Begins the run. `signal` also aborts when the consumer leaves the loop. */
  readonly begin: (push: (event: Event) => void, signal: AbortSignal) => Promise<Result>
  /** The last event. */
  readonly last: (result: Result) => Event
}

/** Begins a run at the first request, and ends it when the consumer leaves the loop. @throws as the run */
export async function* eventsOf<Event, Result>({
  signal,
  begin,
  last,
}: ReportedRun<Event, Result>): AsyncGenerator<Event, void, undefined> {
  const left = new AbortController()
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  const queue = new EventLine<Event>()
  const run = begin((event) => {
    queue.push(event)
  }, either).finally(() => {
    queue.end()
  })
  // Awaited below, unless the consumer leaves the loop.
  run.catch(() => undefined)
  try {
    for (let event = await queue.next(); event !== undefined; event = await queue.next()) yield event
    yield last(await run)
  } finally {
    left.abort()
    await run.catch(() => undefined)
  }
}

/** Buffered events, and a consumer waiting for the next one. */
class EventLine<Event> {
  #waiting: Event[] = []
  #taken = 0
  #isOver = false
  #wake: () => void = () => undefined

  push(event: Event): void {
    this.#waiting.push(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  /** Undefined at the end. */
  async next(): Promise<Event | undefined> {
    while (this.#taken === this.#waiting.length) {
      this.#waiting = []
      this.#taken = 0
      if (this.#isOver) return undefined
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    this.#taken += 1
    return this.#waiting[this.#taken - 1]
  }
}
