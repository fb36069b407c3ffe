/**
 * A person's word about an intent that nothing else decides, while no process trades on the account.
 *
 * Known limit: the service is not asked, so the order is read, and held against the intent, by the next start.
 */
import { InputError } from '../../../domain/errors.ts'
import type { KeptIntent } from './kept-intent.ts'
import type { LiveState } from './live-state.ts'

/** The order is the intent's. @param time  Unix milliseconds @throws {InputError} */
export function adoptOrder(state: LiveState, id: number, orderId: string, time: number): void {
  const intents = state.intents()
  const intent = undecided(intents, id)
  const owner = intents.find((other) => other.orderId === orderId)
  if (owner !== undefined) throw new InputError('ORDER', `order ${orderId} is that of intent ${owner.id}`)
  decide(state, { ...intent, state: 'PLACED', orderId, changedAt: time }, [orderId])
}

/** No order is the intent's. @param time  Unix milliseconds @throws {InputError} */
export function disownIntent(state: LiveState, id: number, time: number): void {
  const intent = undecided(state.intents(), id)
  decide(state, { ...intent, state: 'DISOWNED', isFinished: true, changedAt: time }, [])
}

function undecided(intents: readonly KeptIntent[], id: number): KeptIntent {
  const intent = intents.find((each) => each.id === id)
  if (intent === undefined) throw new InputError('INTENT', `there is no intent ${id}`)
  if (intent.state === 'AMBIGUOUS' || intent.state === 'QUARANTINED') return intent
  throw new InputError('INTENT', `intent ${id} is ${intent.state}, not undecided`)
}

/** The market goes on when it has no other intent that waits for a word. */
function decide(state: LiveState, decided: KeptIntent, orderIds: readonly string[]): void {
  const { symbol } = decided
  state.together(() => {
    state.save(decided)
    state.addKnownIds(orderIds)
    const isWaiting = state.intents().some((each) => each.symbol === symbol && each.state === 'AMBIGUOUS')
    const halt = state.halts().find((each) => each.symbol === symbol)
    if (!isWaiting && halt?.why === 'AMBIGUOUS') state.endHalt(symbol)
  })
}
