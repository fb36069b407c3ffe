/** The new start of a strategy in a running session. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { ParamValues } from '../strategies/params.ts'

/** A new instance of a strategy. */
export interface StrategyRestart {
  readonly params: ParamValues
  /** The parameters that differ from those of the present instance. */
  readonly changed: ParamValues
  /** Its market data; default: that of the session. */
  readonly adapter?: ExchangeAdapter | undefined
}
