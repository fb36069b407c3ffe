/** The causes of a gap between a session and its twin. */
export const TWIN_PARTS = [
  'latency',
  'queue',
  'takings',
  'fees',
  'data',
  'refusals',
  'operator',
  'nondeterminism',
  'unexplained',
] as const

/** A cause of a gap. */
export type TwinPart = (typeof TWIN_PARTS)[number]

/** Names of the parts for people. */
export const PART_NAMES: Readonly<Record<TwinPart, string>> = {
  latency: 'latency',
  queue: 'queue position',
  takings: 'price of takings',
  fees: 'fees',
  data: 'missed or late data',
  refusals: 'rejected orders',
  operator: "operator's actions",
  nondeterminism: "strategy's own nondeterminism",
  unexplained: 'unexplained',
}
