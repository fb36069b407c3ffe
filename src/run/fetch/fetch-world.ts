/** Time, chance and interruption of a fetch, handed to everything that waits. */
import type { LiveTime } from '../../adapter/live/live-time.ts'
import { RetryWaits } from '../../adapter/live/rest/retry-waits.ts'
import type { ExchangeError } from '../../domain/errors.ts'
import { AbortError, InputError, throwIfAborted } from '../../domain/errors.ts'

/** Attempts per request, including the first: about half a minute. */
export const ATTEMPTS = 8

/** Candles within this time of the local clock may not be complete at the source. */
export const CLOCK_SKEW_MS = 60_000

export class FetchWorld {
  readonly time: LiveTime
  readonly signal: AbortSignal | undefined
  readonly waits: RetryWaits
  readonly warn: (text: string) => void

  constructor(
    time: LiveTime,
    random: () => number,
    { signal, onWarning }: { signal?: AbortSignal | undefined; onWarning?: ((text: string) => void) | undefined },
  ) {
    this.time = time
    this.signal = signal
    this.waits = new RetryWaits({ time, random, attempts: ATTEMPTS })
    this.warn = onWarning ?? (() => undefined)
    signal?.addEventListener('abort', () => {
      this.waits.endAll()
    })
  }

  /** @throws {AbortError} */
  async pause(ms: number): Promise<void> {
    throwIfAborted(this.signal)
    await this.waits.pause(ms)
    throwIfAborted(this.signal)
  }

  /**
   * Tries again after failures that may pass, with exponential backoff.
   *
   * @param failureOf  an error as one of the service; undefined for one that is thrown as it is
   * @throws {ExchangeError} the last failure
   * @throws {AbortError}
   */
  async retried<T>(attempt: () => Promise<T>, failureOf: (error: unknown) => Failure | undefined): Promise<T> {
    for (let number = 1; ;) {
      throwIfAborted(this.signal)
      try {
        return await attempt()
      } catch (error) {
        if (this.signal?.aborted === true) throw new AbortError(this.signal.reason)
        const failure = error instanceof InputError ? undefined : failureOf(error)
        if (failure === undefined) throw error
        if (failure.hasProgress === true) number = 1
        if (!failure.error.isRetryable || number >= ATTEMPTS) throw failure.error
        await this.waits.wait(number, failure.retryAfterMs)
        number += 1
      }
    }
  }
}

/** A failure of a request that may be tried again. */
export interface Failure {
  readonly error: ExchangeError
  readonly retryAfterMs?: number | undefined
  /** Something arrived that the next attempt need not ask for. */
  readonly hasProgress?: boolean
}

export interface FetchProgress {
  /** Done part of `all`, in milliseconds of the market or in files. */
  readonly done: number
  readonly all: number
  readonly unit: 'time' | 'files'
  /** Bytes of the file that is downloaded. */
  readonly bytes?: number
}

/** Unix milliseconds: `from` inclusive, `to` exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}
