/**
 * Parameters that an operator changes while a session runs.
 *
 * The strategy starts again with them, as at a restart of the session: a new instance, which has the orders,
 * conditional orders and state of the one before. Invariant: a change is on disk before it applies. It also applies to
 * later sessions, until the user configures another value.
 */
import { isDeepStrictEqual } from 'node:util'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import type { OperatorAnswer } from '../../store/state/live/operator-command.ts'
import { persistedParams, saveParams } from '../../store/state/live/persisted-params.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { changedParams } from '../strategies/changed-params.ts'
import { paramsText, readParams, type ParamValues } from '../strategies/params.ts'

/** A running strategy whose parameters can change. */
export interface AdjustedSession {
  readonly owner: string
  readonly strategy: Strategy
  readonly params: ParamValues
  /** Symbols of the session's markets. */
  readonly symbols: readonly string[]
  /** Starts the strategy again. @param begin  called once it has accepted them @throws what the strategy throws */
  restart(params: ParamValues, changed: ParamValues, begin: () => void): void
}

export interface AskedChange {
  /** Name of the strategy; undefined for the only one. */
  readonly owner: string | undefined
  /** New values as text, by name. */
  readonly values: Readonly<Record<string, string>>
}

/**
 * Call as an event.
 * @param sessions  running ones
 * @throws {InputError} if nothing was changed
 */
export function changeParams(
  { owner, values }: AskedChange,
  sessions: readonly AdjustedSession[],
  { state, now }: { readonly state: LiveState; readonly now: number },
): OperatorAnswer {
  const session = sessionOf(owner, sessions)
  const { params, changed } = changedParams(session.strategy, session.params, values, session.symbols)
  if (Object.keys(changed).length === 0) {
    const asked = Object.fromEntries(Object.keys(values).map((name) => [name, params[name]]))
    return { isDone: true, message: `${session.owner} has ${paramsText(asked)} already` }
  }
  const saved = persistedParams(state, session.owner)
  const present = session.params
  session.restart(params, changed, () => {
    const fresh = Object.entries(changed).map(([name, value]) => {
      const configured = Object.hasOwn(saved, name) ? saved[name]?.configured : present[name]
      return [name, { value, configured, since: now }] as const
    })
    const all = Object.entries({ ...saved, ...Object.fromEntries(fresh) })
    const left = all.filter(([, { value, configured }]) => !isDeepStrictEqual(value, configured ?? null))
    saveParams(state, session.owner, Object.fromEntries(left))
  })
  return { isDone: true, message: `${session.owner} starts again with ${paramsText(changed)}` }
}

function sessionOf(owner: string | undefined, sessions: readonly AdjustedSession[]): AdjustedSession {
  const names = sessions.map((session) => session.owner)
  const [only] = sessions
  if (owner === undefined && only !== undefined && sessions.length === 1) return only
  const found = sessions.find((session) => session.owner === owner)
  if (found !== undefined) return found
  const running = names.length === 0 ? 'none is running' : `running: ${names.join(', ')}`
  throw owner === undefined
    ? new InputError('NAME', `expected the name of a strategy; ${running}`)
    : new InputError('NAME', `no strategy '${owner}' is running; ${running}${nearestNameHint(owner, names)}`)
}

/** Parameters as the user configured them. */
export interface ConfiguredParams {
  readonly owner: string
  readonly strategy: Strategy
  readonly configured: ParamValues
}

/** Adds the changes of earlier sessions, and reports each as a text. */
export type ContinueParams = (configured: ConfiguredParams, onText: (text: string) => void) => ParamValues

/**
 * The parameters of a session with the changes of earlier ones. A change is given up if its parameter is configured
 * otherwise than before, or if the strategy no longer accepts it.
 *
 * @param onText  reports each change
 */
export function continuedParams(
  state: LiveState,
  { owner, strategy, configured }: ConfiguredParams,
  onText: (text: string) => void,
): ParamValues {
  const saved = persistedParams(state, owner)
  if (Object.keys(saved).length === 0) return configured
  const isConfigured = (name: string): boolean => isDeepStrictEqual(saved[name]?.configured, configured[name] ?? null)
  const wanted = Object.keys(saved).filter(isConfigured)
  const values = Object.fromEntries(wanted.map((name) => [name, saved[name]?.value]))
  const params = acceptedParams(strategy, { ...configured, ...values })
  const continued = params === undefined ? [] : wanted
  if (continued.length < Object.keys(saved).length)
    saveParams(state, owner, Object.fromEntries(Object.entries(saved).filter(([name]) => continued.includes(name))))
  for (const [name, { value, since }] of Object.entries(saved)) {
    const change = `${paramsText({ [name]: value })}, which an operator set at ${isoTime(since)}`
    const why = isConfigured(name) ? 'the strategy no longer accepts it' : `${name} is configured otherwise now`
    onText(continued.includes(name) ? `continues with ${change}` : `gives up ${change}, because ${why}`)
  }
  return params ?? configured
}

function acceptedParams(strategy: Strategy, values: ParamValues): ParamValues | undefined {
  try {
    return readParams(strategy, { values, texts: {}, symbol: '' })
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}
