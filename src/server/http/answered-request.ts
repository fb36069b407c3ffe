/**
 * A request that was answered, as it may be told of: with nothing that came with it but its method and its route.
 */

export interface AnsweredRequest {
  /** Its request id, which the answer has as well. */
  readonly id: string
  /** GET, POST and so on. */
  readonly method: string
  /** Undefined for a request to none. */
  readonly route: string | undefined
  /** HTTP status. */
  readonly status: number
  /** Milliseconds from its arrival to the end of the answer. */
  readonly ms: number
}
