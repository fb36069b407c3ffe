/**
 * One fact of the life of an order.
 */

export interface OrderFact {
  /** Unix milliseconds, virtual. */
  readonly time: number
  readonly text: string
}
