/**
 * A market that is served in this process for a benchmark, with one user whose key may do everything as often as it
 * likes.
 */
import { createExchange } from '../src/exchange/create-exchange.ts'
import { SCOPES } from '../src/server/service/api-key.ts'
import { systemSecrets } from '../src/server/service/secrets.ts'
import { serve, type RunningServer } from '../src/server/serve.ts'
import { openServiceState } from '../src/server/state/service-state.ts'
import { UserRegistry } from '../src/server/service/user-registry.ts'
import { EventQueue } from '../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../src/simulation/simulated-markets.ts'

const MARKETS = ['BTC_USD', 'ETH_USD'].map((symbol) => ({
  id: symbol,
  name: symbol,
  symbol,
  baseAsset: symbol.slice(0, 3),
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 5,
  makerFeeBps: '5',
  takerFeeBps: '10',
  selfTrade: 'allow' as const,
}))
const CONFIG = {
  markets: MARKETS,
  quoteAsset: 'USD',
  history: { orders: 5_000, fills: 5_000, trades: 1_000, candles: 5_000 },
}
const LIMITS = { general: 1e9, mutations: 1e9, windowSeconds: 60 }

export interface ServedMarket {
  readonly server: RunningServer
  readonly simulated: SimulatedMarkets
  readonly key: string
  close(): Promise<void>
}

/** @param file  of the state; undefined for memory alone */
export async function serveMarket(file: string | undefined): Promise<ServedMarket> {
  const onError = (error: unknown): void => {
    throw error
  }
  const state = file === undefined ? undefined : openServiceState(file, CONFIG, systemSecrets, onError)
  const users = state?.users ?? new UserRegistry(systemSecrets, () => undefined)
  const now = Date.now()
  const simulated = new SimulatedMarkets(
    state?.exchange ?? createExchange(CONFIG),
    new EventQueue(now),
    () => new IdealLiquidity(),
    new Set(MARKETS.map(({ symbol }) => symbol)),
  )
  const user = users.addUser('bench@example.com', true)
  simulated.execute({ type: 'credit', time: now, account: user.id, asset: 'USD', amount: 10n ** 30n })
  const durable = (): Promise<void> | undefined => state?.durable()
  const server = await serve(simulated, { users, limits: LIMITS, durable, onError })
  const { text: key } = users.addKey(user, SCOPES)
  const close = async (): Promise<void> => {
    await server.close()
    state?.close()
  }
  return { server, simulated, key, close }
}

/** Seconds that opening the state of a file takes, as after a restart. */
export function restartSeconds(file: string): number {
  const start = performance.now()
  const state = openServiceState(file, CONFIG, systemSecrets, (error) => {
    throw error
  })
  const seconds = (performance.now() - start) / 1000
  state.close()
  return seconds
}
