/**
 * Ways into a backtest for whoever tests a strategy. Without them a run is as ever.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'

export interface RunHooks {
  /** An adapter to stand between the session and its exchange. */
  readonly adapterOf?: ((adapter: ExchangeAdapter) => ExchangeAdapter) | undefined
  /** Does a stretch of the run in which the strategy has its turn; what it throws ends the run. */
  readonly within?: ((stretch: () => void) => void) | undefined
}
