/** An answered request, without the data that it contained. */
export interface AnsweredRequest {
  /** Request id, which the response also has. */
  readonly id: string
  /** GET, POST and so on. */
  readonly method: string
  /** Route; undefined for an unknown path. */
  readonly route: string | undefined
  /** HTTP status. */
  readonly status: number
  /** Milliseconds from the arrival of the request to the end of the response. */
  readonly ms: number
}
