/**
 * An Observable that counts its values and knows how many of them its subscribers need: shown while an indicator warms
 * up.
 */
import { Observable } from 'rxjs'

export class CountedStream<T> extends Observable<T> {
  #count = 0
  #expected = 0

  constructor(values: Observable<T>) {
    super((subscriber) => {
      let count = 0
      return values.subscribe({
        next: (value) => {
          count += 1
          this.#count = Math.max(this.#count, count)
          subscriber.next(value)
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          subscriber.complete()
        },
      })
    })
  }

  /** Number of values that a subscriber received, the most of all. */
  get count(): number {
    return this.#count
  }

  /**
   * Number of values that the subscribers need before they give their first, such as an indicator that warms up; 0 for
   * none.
   */
  get expected(): number {
    return this.#expected
  }

  /** A subscriber needs this many values from now on before it gives its first. */
  expect(values: number): void {
    this.#expected = Math.max(this.#expected, this.#count + values)
  }
}
