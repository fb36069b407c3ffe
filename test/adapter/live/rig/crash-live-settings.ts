/**
 * A service and an account for bots that are killed.
 */
import { startEmulator, type Emulator } from '../../../../src/server/emulator/emulator.ts'
import type { EmulatorOptions } from '../../../../src/server/emulator/emulator-options.ts'

const PLENTY = '1000000000000'

export const BOT_CONFIG = {
  quoteAsset: 'USD',
  markets: [{ symbol: 'BTC_USD', pricePrecision: 0, qtyPrecision: 0 }],
  users: [
    {
      email: 'bot@example.com',
      credits: { USD: PLENTY, BTC: PLENTY },
      keys: [{ scopes: ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL'] }],
    },
  ],
  limits: { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 60 },
  agents: false,
} satisfies EmulatorOptions['config']

export interface ServedBots {
  readonly state: string
  readonly port: number
}

/** An emulator in a process of its own, made to be killed. Prints its port, and its key when it is the first. */
export async function serveBots({ state, port }: ServedBots): Promise<Emulator> {
  const fail = (error: unknown): never => {
    console.error(error)
    process.exit(70)
  }
  const emulator = await startEmulator({ config: BOT_CONFIG, state, port, onError: fail, onFailure: fail })
  console.log(JSON.stringify({ port: Number(new URL(emulator.baseUrl).port), key: emulator.users[0]?.keys[0] ?? '' }))
  return emulator
}
