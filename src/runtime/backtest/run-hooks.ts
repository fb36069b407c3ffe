/** Hooks into a run for tests of a strategy and for warm-ups. Without hooks a run is unchanged. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'

export interface RunHooks {
  /** Wraps the adapter between the session and its exchange. */
  readonly adapterOf?: ((adapter: ExchangeAdapter) => ExchangeAdapter) | undefined
  /** True while that adapter replays history. */
  readonly isWarming?: (() => boolean) | undefined
  /** False if the markets of the run are not drawn; default: true. */
  readonly isDrawn?: boolean | undefined
  /** Runs a part of the run in which the strategy has its turn; an exception ends the run. */
  readonly within?: ((stretch: () => void) => void) | undefined
}
