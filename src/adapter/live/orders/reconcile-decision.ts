/**
 * Decides which intent owns which candidate order, if that can be decided.
 *
 * All intents and candidates have one fingerprint. Invariant: no order is assigned to two intents, and none is assigned
 * while there are more orders than intents, or several owners.
 */
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Intent } from './intent.ts'

export interface Undecided {
  /** Orders without an intent that were unknown when the intent was sent, oldest first. */
  readonly candidates: readonly WireOrder[]
  /** `UNKNOWN`, `QUARANTINED` and `AMBIGUOUS`, oldest first; at least one is `UNKNOWN`. */
  readonly intents: readonly Intent[]
  /** True if the same candidates were present for the hold time. */
  readonly isHeld: boolean
  /** True if the candidates were read after the settle time. */
  readonly isOver: boolean
  /** Description of an unreadable order that could be that of an intent; nothing is absent while there is one. */
  readonly hidden?: string | undefined
  /** True if the extra wait for an unreadable order is over. */
  readonly isLongOver?: boolean
}

export interface Adoption {
  readonly intent: Intent
  readonly order: WireOrder
}

export type Decision =
  | { readonly type: 'wait' }
  | { readonly type: 'adopt'; readonly adoptions: readonly Adoption[] }
  /** None of the orders exists: unknown ones are assumed not to have been executed. */
  | { readonly type: 'absent' }
  | { readonly type: 'ambiguous'; readonly reason: string }

export function decide({ candidates, intents, isHeld, isOver, hidden, isLongOver = false }: Undecided): Decision {
  const owners = new Set(intents.map(({ owner }) => owner))
  if (candidates.length > intents.length) {
    return ambiguous(`${candidates.length} orders match ${counted(intents.length)} without an answer`)
  }
  if (candidates.length > 0 && owners.size > 1) {
    return ambiguous(`an order could belong to ${[...owners].join(' or ')}`)
  }
  const isHidden = hidden !== undefined
  if (candidates.length === intents.length) {
    return isHeld && (!isHidden || isOver) ? adopt(intents, candidates) : { type: 'wait' }
  }
  if (!isOver || (isHidden && !isLongOver)) return { type: 'wait' }
  if (isHidden) return ambiguous(`${hidden} could belong to this session, but cannot be read`)
  if (candidates.length === 0) return { type: 'absent' }
  const unknownFirst = [...intents.filter(isUnknown), ...intents.filter((intent) => !isUnknown(intent))]
  return adopt(unknownFirst.slice(0, candidates.length), candidates)
}

const isUnknown = ({ state }: Intent): boolean => state === 'UNKNOWN'

/** Oldest to oldest. */
const adopt = (intents: readonly Intent[], candidates: readonly WireOrder[]): Decision => ({
  type: 'adopt',
  adoptions: intents.flatMap((intent, index) => {
    const order = candidates[index]
    return order === undefined ? [] : [{ intent, order }]
  }),
})

const ambiguous = (reason: string): Decision => ({ type: 'ambiguous', reason })

const counted = (count: number): string => (count === 1 ? 'a request' : `${count} requests`)
