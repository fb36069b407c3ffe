/**
 * A service with a state file and nothing that trades by itself, made to be killed: `node --import ./bench/loader.mjs
 * scripts/crash.mjs --serve FILE`.
 *
 * Prints its base URL once it listens. It writes snapshots all the time, beside the file and now and then into it, so
 * that it is killed in the middle of that as well.
 */
import { systemSecrets } from '../../../src/server/service/secrets.ts'
import { serve } from '../../../src/server/serve.ts'
import { openServiceState } from '../../../src/server/state/service-state.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { market } from '../../exchange/rig/configs.ts'

/** Of a service that could not go on. */
export const EXIT_CODE = 70

const CHECKPOINT_MS = 500
const CHECKPOINT_ENTRIES = 20
const LIMITS = { general: 1e9, mutations: 1e9, windowSeconds: 60 }
export const CONFIG = {
  markets: [market('BTC_USD', { makerFeeBps: '1', takerFeeBps: '2.5' })],
  quoteAsset: 'USD',
  history: { orders: 1e7, fills: 1e7, trades: 1_000, candles: 1_000 },
}

export async function serveState(file: string): Promise<void> {
  const stop = (error: unknown): never => {
    console.error(error)
    process.exit(EXIT_CODE)
  }
  const state = openServiceState(file, CONFIG, systemSecrets, stop, CHECKPOINT_ENTRIES)
  const queue = new EventQueue(Math.max(Date.now(), state.time))
  const simulated = new SimulatedMarkets(state.exchange, queue, () => new IdealLiquidity())
  setInterval(() => {
    state.checkpoint()
  }, CHECKPOINT_MS)
  const server = await serve(simulated, {
    users: state.users,
    durable: () => state.durable(),
    limits: LIMITS,
    onError: stop,
  })
  console.log(server.baseUrl)
}
