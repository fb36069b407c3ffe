/** The seam for programs that are built on an emulator, such as the arena. */
import type { MarketConfig } from '../../domain/market.ts'
import type { ExchangeConfig } from '../../exchange/exchange.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { ServedRoutes } from '../served-routes.ts'
import type { Secrets } from '../service/secrets.ts'
import type { ServiceState } from '../state/service-state.ts'

export interface EmulatorExtension {
  /** Routes instead of those of the emulator. */
  readonly routes: ServedRoutes
  /** The rule of all markets, whatever their source. */
  readonly selfTrade: MarketConfig['selfTrade']
  /**
   * Keeps the state, instead of memory or a state file.
   *
   * @param onFailure  called once if a write fails
   * @throws {InputError} for an unusable file
   */
  openState(fresh: ExchangeConfig, secrets: Secrets, onFailure: (error: unknown) => void): ServiceState
  /** Takes part in the world, before anything happens in it at its present. */
  enter(simulated: SimulatedMarkets): void
}
