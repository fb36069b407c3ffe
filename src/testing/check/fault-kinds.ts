/**
 * The kinds of fault that a check looks for: what no strategy should do, in the words in which it is told.
 */

/** By the name of its folder. */
export const FAULT_KINDS = {
  throws: 'throws',
  'endless-loop': 'never ends a turn',
  unpayable: 'orders again and again what it cannot pay',
  'crosses-itself': 'trades with itself',
  'endless-orders': 'orders without end',
  position: 'holds more than the limit that it declares',
  'same-order': 'answers a refusal with the same order',
  clock: 'depends on the clock or the chance of the machine',
  memory: 'depends on what an earlier run left behind',
  subscriptions: 'depends on the order of its subscriptions',
  future: 'depends on what comes later',
} as const

export type FaultKind = keyof typeof FAULT_KINDS

export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as readonly FaultKind[]

/** A fault in one market. */
export interface FoundFault {
  readonly kind: FaultKind
  /** One line that says what happened. */
  readonly text: string
  /** When, virtual Unix milliseconds. */
  readonly time: number
}
