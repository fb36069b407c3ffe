/**
 * Observable that is pushed to: the streams of a strategy.
 *
 * Behaves like an RxJS Subject, but with a plain list and loop, because every recorded trade passes through it. A
 * subscriber added while a value is delivered gets the next one first; a removed one gets no more.
 */
import { Observable, type Subscriber } from 'rxjs'

export class HotStream<T> extends Observable<T> {
  /** Replaced, never changed, so that a loop over it is safe. */
  #subscribers: readonly Subscriber<T>[] = []
  /** The only subscriber, if there is just one: the usual case, without a loop. */
  #only: Subscriber<T> | undefined
  #count = 0

  /** @param onFirst  called when the number of subscribers rises from 0 */
  constructor(onFirst?: () => void) {
    super((subscriber) => {
      const isFirst = this.#subscribers.length === 0
      this.#set([...this.#subscribers, subscriber])
      if (isFirst) onFirst?.()
      subscriber.add(() => {
        this.#set(this.#subscribers.filter((other) => other !== subscriber))
      })
    })
  }

  /** False if a pushed value would reach no subscriber, so that it need not be created. */
  get isWatched(): boolean {
    return this.#subscribers.length > 0
  }

  /** Count of values that were pushed. */
  get count(): number {
    return this.#count
  }

  push(value: T): void {
    this.#count += 1
    if (this.#only !== undefined) this.#only.next(value)
    else for (const subscriber of this.#subscribers) subscriber.next(value)
  }

  #set(subscribers: readonly Subscriber<T>[]): void {
    this.#subscribers = subscribers
    this.#only = subscribers.length === 1 ? subscribers[0] : undefined
  }
}
