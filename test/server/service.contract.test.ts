/**
 * The suite of the service against the emulator in this process.
 */
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { seededSecrets } from '../../src/server/service/secrets.ts'
import { serve } from '../../src/server/serve.ts'
import { VirtualClock } from '../../src/simulation/clocks/virtual-clock.ts'
import { EventQueue } from '../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../src/simulation/simulated-markets.ts'
import { describeService } from '../contract/service/service.contract.ts'
import { KEEP_ALL } from '../exchange/rig/configs.ts'

describeService({
  name: 'in process',
  open: async ({ markets, quoteAsset, limits }, start) => {
    const exchange = createExchange({ markets, quoteAsset, history: KEEP_ALL })
    // Nothing is recorded, so that the callers are alone.
    const simulated = new SimulatedMarkets(exchange, new EventQueue(start), () => new IdealLiquidity())
    const server = await serve(simulated, { clock: new VirtualClock(start), secrets: seededSecrets(1), limits })
    return { ...server, adminToken: undefined, close: () => server.close() }
  },
})
