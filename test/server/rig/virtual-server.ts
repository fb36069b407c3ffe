/**
 * An emulator with a state and a virtual clock, made to be killed: `node --import ./bench/loader.mjs scripts/crash.mjs
 * --serve-virtual FILE`.
 *
 * Prints its base URL once it listens, and closes in order when it is asked to end.
 */
import { startEmulator } from '../../../src/server/emulator/emulator.ts'
import { EXIT_CODE } from './state-server.ts'

const MARKET = { symbol: 'BTC_USD', pricePrecision: 0, qtyPrecision: 0 }
const LIMITS = { general: 1e9, mutations: 1e9, windowSeconds: 60 }

export async function serveVirtual(file: string): Promise<void> {
  const emulator = await startEmulator({
    state: file,
    virtualClock: true,
    seed: 7,
    config: { agents: false, markets: [MARKET], limits: LIMITS },
    onFailure: (error) => {
      console.error(error)
      process.exit(EXIT_CODE)
    },
  })
  process.once('SIGTERM', () => {
    void emulator.close().then(() => process.exit(0))
  })
  console.log(emulator.baseUrl)
}
