/**
 * One request through undici, until its answer is complete or has failed.
 *
 * It bypasses undici's streams and signals, which cost more per order than everything else up to the wire.
 * Invariant: it ends once. A request whose time limit passed before it was sent is not sent.
 */
import type { Dispatcher } from 'undici'

export type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

export type Exchanged =
  | { readonly type: 'whole'; readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }
  | { readonly type: 'redirect' | 'too-long'; readonly status: number }
  /** `status` of an answer that had begun. */
  | { readonly type: 'failed'; readonly status: number | undefined; readonly error: unknown; readonly isLate: boolean }

/** Closes a connection whose answer exceeds the accepted size. */
const ENOUGH = new Error('the rest of the answer is not taken')

export class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #mostBytes: number
  readonly #onEnd: (exchanged: Exchanged) => void
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #headers: Headers = {}
  readonly #chunks: Uint8Array[] = []
  #length = 0
  #isEnded = false
  #isLate = false

  constructor(mostBytes: number, onEnd: (exchanged: Exchanged) => void) {
    this.#mostBytes = mostBytes
    this.#onEnd = onEnd
  }

  /** Aborts the request at its time limit. */
  giveUp(): void {
    if (this.#isEnded) return
    this.#isLate = true
    this.#controller?.abort(ENOUGH)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isLate) controller.abort(ENOUGH)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Several informational answers may precede the final one.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    if (status < 300 || status >= 400) return
    this.#end({ type: 'redirect', status })
    controller.abort(ENOUGH)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#length += chunk.length
    this.#chunks.push(chunk)
    if (this.#length <= this.#mostBytes) return
    this.#end({ type: 'too-long', status: this.#status ?? 0 })
    this.#chunks.length = 0
    controller.abort(ENOUGH)
  }

  onResponseEnd(): void {
    const [only] = this.#chunks
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    this.#end({ type: 'whole', status: this.#status ?? 0, headers: this.#headers, bytes })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end({ type: 'failed', status: this.#status, error, isLate: this.#isLate })
  }

  #end(exchanged: Exchanged): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd(exchanged)
  }
}
