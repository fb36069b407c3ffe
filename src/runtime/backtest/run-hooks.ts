/**
 * Ways into a run for whoever tests a strategy, or shows it the past. Without them a run is as ever.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'

export interface RunHooks {
  /** An adapter to stand between the session and its exchange. */
  readonly adapterOf?: ((adapter: ExchangeAdapter) => ExchangeAdapter) | undefined
  /** True while that adapter shows the past. */
  readonly isWarming?: (() => boolean) | undefined
  /** False where nobody draws the markets of the run; default: true. */
  readonly isDrawn?: boolean | undefined
  /** Does a stretch of the run in which the strategy has its turn; what it throws ends the run. */
  readonly within?: ((stretch: () => void) => void) | undefined
}
