/**
 * The end of what goes on until it is told to stop: a signal, a time, or a failure.
 */
export class AwaitedEnd {
  /** Resolves at the end, whatever it is. */
  readonly came: Promise<void>
  #come: () => void = () => undefined
  #failure: { readonly error: unknown } | undefined

  constructor(signal?: AbortSignal) {
    this.came = new Promise((resolve) => {
      this.#come = resolve
    })
    if (signal?.aborted === true) this.#come()
    signal?.addEventListener('abort', this.#come, { once: true })
  }

  readonly stop = (): void => {
    this.#come()
  }

  /** The first failure counts. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.#come()
  }

  /** What comes of it, or undefined when the end is sooner. @throws what it throws */
  async before<T>(promise: Promise<T>): Promise<T | undefined> {
    // What is not waited for any more may fail.
    promise.catch(() => undefined)
    return await Promise.race([promise, this.came.then(() => undefined)])
  }

  get isFailed(): boolean {
    return this.#failure !== undefined
  }

  /** @throws why it ended, when that was a failure */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
