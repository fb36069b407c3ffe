/** Restores a persisted group for its market, which may have changed. */
import { InputError } from '../../../domain/errors.ts'
import type { PersistedGroup } from '../../../store/state/live/persisted-conditional.ts'
import type { GroupState } from './group-parts.ts'
import { frameOf, possibleOrders, stateOf, type GroupFrame } from './persisted-group.ts'
import { readPlace, type MarketOf } from './conditional-terms.ts'

/** @throws {InputError} for a group whose orders its market would no longer accept */
export function readPersisted(
  kept: PersistedGroup,
  marketOf: MarketOf,
): { readonly frame: GroupFrame; readonly state: GroupState } {
  const [frame, state] = [frameOf(kept), stateOf(kept)]
  for (const intent of possibleOrders(frame, state)) {
    const placed = readPlace(intent, marketOf)
    if (placed.ok) continue
    const way = 'pass another --state directory, or restore the market'
    throw new InputError(
      frame.id,
      `this conditional order of an earlier session cannot continue: ${placed.refusal.message}; ${way}`,
    )
  }
  return { frame, state }
}
