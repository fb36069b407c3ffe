/** Latencies between a client and a simulated exchange. */

/** Milliseconds, each 0 or more. */
export interface Latency {
  readonly orderMs: number
  readonly responseMs: number
  readonly feedMs: number
}
