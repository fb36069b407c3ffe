/** The states of strategies in the state directory of their account. */
import type { LiveState } from '../../store/state/live/live-state.ts'
import { persistedStrategyState, saveStrategyState } from '../../store/state/live/persisted-strategy-state.ts'
import type { StrategyStateStore } from '../session/persistent-state.ts'

export const strategyStateStore = (state: LiveState, owner: string): StrategyStateStore => ({
  place: state.file,
  owner,
  load: () => persistedStrategyState(state, owner),
  save: (value) => {
    saveStrategyState(state, owner, value)
  },
})
