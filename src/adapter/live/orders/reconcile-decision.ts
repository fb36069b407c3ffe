/**
 * Decision over orders that might be ours: which intent is which order, if that can be told at all.
 *
 * All intents and all candidates have one fingerprint. Invariant: no order is given to two intents, and none is given
 * while there are more orders than intents, or several owners to give them to.
 */
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { Intent } from './intent.ts'

export interface Undecided {
  /** Orders that no intent owns and that were not known when the unknown intent was sent, oldest first. */
  readonly candidates: readonly WireOrder[]
  /** `UNKNOWN`, `QUARANTINED` and `AMBIGUOUS`, oldest first; at least one is `UNKNOWN`. */
  readonly intents: readonly Intent[]
  /** True when the same candidates were there for long enough. */
  readonly isHeld: boolean
  /** True when the candidates were read after the settle time was over. */
  readonly isOver: boolean
  /**
   * An order that cannot be read and could be that of an intent, in words; nothing is absent as long as there is one.
   */
  readonly hidden?: string | undefined
  /** True when an order that cannot be read was waited for long enough. */
  readonly isLongOver?: boolean
}

export interface Adoption {
  readonly intent: Intent
  readonly order: WireOrder
}

export type Decision =
  | { readonly type: 'wait' }
  | { readonly type: 'adopt'; readonly adoptions: readonly Adoption[] }
  /** None of the orders is there: those that are unknown are assumed not to have been executed. */
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
