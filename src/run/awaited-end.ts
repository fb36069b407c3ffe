/** End of a process that runs until a signal, a time limit or a failure. */
export class AwaitedEnd {
  /** Resolves at the end, for any reason. */
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

  /** Only the first failure is stored. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error }
    this.#come()
  }

  /** The result of the promise, or undefined if the end comes first. @throws if the promise rejects */
  async before<T>(promise: Promise<T>): Promise<T | undefined> {
    // Prevents an unhandled rejection after the end.
    promise.catch(() => undefined)
    return await Promise.race([promise, this.came.then(() => undefined)])
  }

  get isFailed(): boolean {
    return this.#failure !== undefined
  }

  /** @throws the failure that ended it, if any */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
