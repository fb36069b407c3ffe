/** Validates the return value of a strategy's `run`: a stream, or an error with the fix in one line. */
import { InputError } from '../../domain/errors.ts'
import { strategyPlace } from '../strategies/checked-strategy.ts'
import { userPlaceIn } from '../modules/user-place.ts'
import type { IntentStream, Strategy } from '../../strategy/strategy.ts'

/** @throws {InputError} if it cannot be subscribed to */
export function intentStream(strategy: Pick<Strategy, 'name'>, returned: unknown): IntentStream {
  if (isObject(returned) && 'subscribe' in returned && typeof returned.subscribe === 'function') {
    // Accepts observables of another copy of RxJS.
    return returned as unknown as IntentStream
  }
  throw new InputError(strategyPlace(strategy), fault(returned))
}

function fault(returned: unknown): string {
  if (returned === undefined || returned === null) {
    return 'run returned nothing: return the stream of its orders, as in `return candles(symbol, interval).pipe(...)`'
  }
  if (isObject(returned) && 'then' in returned && typeof returned.then === 'function') {
    // Its rejection would be reported in addition to this error.
    void Promise.resolve(returned).catch(() => undefined)
    return 'run is async, or returned a Promise: remove `async`, await inside the stream (`concatMap`), and set `async: true` next to `name`'
  }
  if (Array.isArray(returned))
    return 'run returned an array: return a stream, as in `of(...orders)` or `merge(...streams)` of rxjs'
  if (typeof returned === 'function') return 'run returned a function: call it and return its stream'
  return `run returned ${isObject(returned) ? 'an object' : `a ${typeof returned}`}, not a stream: return an RxJS Observable`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Adds the line of user code to the error of a strategy that requested unavailable data at its start, if the line is
 * known.
 */
export function atUserPlace(error: InputError): InputError {
  const place = userPlaceIn(error.stack)
  return place === undefined ? error : error.followedBy(` (${place})`)
}

/** Why an intent or a record of a strategy is refused outside its turn. */
export function outOfTurn({ name, async: isAsync }: Strategy, what: string): string {
  if (isAsync === true)
    return `${what} came too late after its event: the strategy awaited something other than promises, such as a timer or I/O`
  return `${what} was emitted outside an event, after an await or in a promise: emit it while the event is handled, or set \`async: true\` in the definition of '${name}'`
}
