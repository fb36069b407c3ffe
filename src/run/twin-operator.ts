/**
 * Repeats the commands of a session's operator in its twin, at the same times.
 *
 * Known limit: within a millisecond, the operator comes before the trades.
 */
import type { PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { SessionStores, SimulatedRun } from '../runtime/backtest/simulated-run.ts'
import { BY_FLATTEN, isByOperator } from '../runtime/session-state.ts'
import { readParams } from '../runtime/strategies/params.ts'
import type { RunFile } from './run-file.ts'

/** With them the state of a session can be set, and a strategy that starts again continues its own state. */
export function twinStores(owner: string): SessionStores {
  let saved: unknown
  const strategyState = { place: 'twin', owner, load: () => saved, save: (value: unknown) => (saved = value) }
  return { waits: undefined, riskStore: undefined, takeEarlier: undefined, boughtBefore: undefined, strategyState }
}

/** Call before the strategy starts. */
export function repeatOperator(
  { session, stage: { adapter } }: SimulatedRun,
  { loaded: { strategy }, params: configured }: PreparedBacktest,
  { states, paramChanges }: Pick<RunFile, 'states' | 'paramChanges'>,
): void {
  let present = configured
  for (const { time, changed } of paramChanges) {
    adapter.at(time, () => {
      const params = readParams(strategy, { values: { ...present, ...changed }, texts: {}, symbol: '' })
      try {
        session.restart({ params, changed }, () => (present = params))
      } catch (error) {
        // In the session it started: the twin's strategy fails, and its report says so.
        session.fail(error)
      }
    })
  }
  for (const { time, state, why } of states.filter((change) => isByOperator(change.why))) {
    adapter.at(time, () => {
      session.setState(state, why)
      if (why === BY_FLATTEN) session.flatten(why, undefined, () => undefined)
    })
  }
}
