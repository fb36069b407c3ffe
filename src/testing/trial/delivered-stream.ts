/** Wraps a stream of a run: delivers to its subscribers in order of subscription, or reversed. */
import { Observable, type Subscriber, type Subscription } from 'rxjs'

export interface Delivery<T> {
  /** True to deliver to the latest subscriber first. */
  readonly isReversed: boolean
  /** Does a delivery; default: it is simply done. */
  readonly around?: ((value: T, deliver: () => void) => void) | undefined
}

export class DeliveredStream<T> extends Observable<T> {
  #subscribers: readonly Subscriber<T>[] = []
  #upstream: Subscription | undefined

  constructor(from: Observable<T>, { isReversed, around }: Delivery<T>) {
    super((subscriber) => {
      this.#subscribers = isReversed ? [subscriber, ...this.#subscribers] : [...this.#subscribers, subscriber]
      this.#upstream ??= from.subscribe({
        next: (value) => {
          if (around === undefined) this.#push(value)
          else around(value, () => this.#push(value))
        },
        error: (error: unknown) => {
          for (const each of this.#subscribers) each.error(error)
        },
        complete: () => {
          for (const each of this.#subscribers) each.complete()
        },
      })
      subscriber.add(() => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber)
        if (this.#subscribers.length > 0) return
        this.#upstream?.unsubscribe()
        this.#upstream = undefined
      })
    })
  }

  #push(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value)
  }
}
