/** Latencies between a client and a simulated exchange. */

/** Milliseconds, each 0 or more. Those of requests may change while a market runs. */
export interface Latency {
  orderMs: number
  responseMs: number
  readonly feedMs: number
}
