/** Kinds of fault that a check looks for, with their descriptions. */

/** Descriptions by folder name. */
export const FAULT_KINDS = {
  throws: 'throws',
  'endless-loop': 'never finishes handling an event',
  unpayable: 'keeps sending orders that it cannot afford',
  'crosses-itself': 'trades with itself',
  'endless-orders': 'sends orders endlessly',
  position: 'exceeds its own position limit',
  'same-order': 'repeats a refused order unchanged',
  'always-refused': 'sends only orders that do not fit the market',
  clock: 'depends on the clock or on random numbers of the machine',
  memory: 'depends on the state of an earlier run',
  subscriptions: 'depends on the order of its subscriptions',
  future: 'depends on future data (look-ahead)',
} as const

export type FaultKind = keyof typeof FAULT_KINDS

export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as readonly FaultKind[]

/** A fault in one market. */
export interface FoundFault {
  readonly kind: FaultKind
  /** One-line description. */
  readonly text: string
  /** Time of the fault, virtual Unix milliseconds. */
  readonly time: number
}
