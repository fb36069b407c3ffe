/**
 * A person's word about an intent that nothing else decides, while no process trades on the account.
 *
 * Known limit: the service is not asked, so the order is read, and held against the intent, by the next start, which
 * asks again when it is another one.
 */
import { InputError } from '../../../domain/errors.ts'
import type { PersistedIntent } from './persisted-intent.ts'
import type { LiveState } from './live-state.ts'

/** The order is the intent's. @param time  Unix milliseconds @throws {InputError} */
export function adoptOrder(state: LiveState, id: number, orderId: string, time: number): void {
  const intents = state.intents()
  const intent = undecided(intents, id)
  const owner = intents.find((other) => other.orderId === orderId)
  if (owner !== undefined) throw new InputError('ORDER', `order ${orderId} belongs to intent ${owner.id}`)
  if (state.knownIds().slice(0, intent.knownCount).includes(orderId)) {
    throw new InputError('ORDER', `order ${orderId} existed before intent ${id} was sent`)
  }
  // Its id is not among the known ones before it was read: it may be one that is nowhere.
  decide(state, { ...intent, state: 'PLACED', orderId, changedAt: time })
}

/** No order is the intent's. @param time  Unix milliseconds @throws {InputError} */
export function disownIntent(state: LiveState, id: number, time: number): void {
  const intent = undecided(state.intents(), id)
  decide(state, { ...intent, state: 'DISOWNED', isFinished: true, changedAt: time })
}

function undecided(intents: readonly PersistedIntent[], id: number): PersistedIntent {
  const intent = intents.find((each) => each.id === id)
  if (intent === undefined) throw new InputError('INTENT', `there is no intent ${id}`)
  if (intent.state === 'AMBIGUOUS' || intent.state === 'QUARANTINED') return intent
  const asks = intent.state === 'PLACED' ? '; only a running session can look for its order' : ''
  throw new InputError('INTENT', `intent ${id} is ${intent.state} and needs no decision${asks}`)
}

/** Resumes the market if no other intent of it waits for a decision. */
function decide(state: LiveState, decided: PersistedIntent): void {
  const { symbol } = decided
  state.together(() => {
    state.save(decided)
    const blocked = state.blockedMarkets().find((each) => each.symbol === symbol)
    if (!isWaiting(state, symbol) && blocked?.why === 'AMBIGUOUS') state.unblock(symbol)
  })
}

/** True while a market has an intent that a person has to decide. */
export const isWaiting = (state: LiveState, symbol: string): boolean =>
  state.intents().some((each) => each.symbol === symbol && each.state === 'AMBIGUOUS')
