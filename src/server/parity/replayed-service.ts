/** The emulator's service with the markets, tapes and terms of a backtest, and a clock that the caller advances. */
import { believeOf } from '../../runtime/settings/former-terms.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import { createModel } from '../../runtime/backtest/backtest-stage.ts'
import type { PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { creditUsers, makeUsers } from '../emulator/emulator-users.ts'
import { serve } from '../serve.ts'
import { SCOPES } from '../service/api-key.ts'
import { seededSecrets } from '../service/secrets.ts'
import { UserRegistry } from '../service/user-registry.ts'

export interface ReplayedService {
  readonly baseUrl: string
  readonly apiKey: string
  /** User id of the account. */
  readonly userId: string
  /** Unix milliseconds of the next scheduled event; Infinity if there is none. */
  nextTime(): number
  /** Advances the clock, and resolves when everything due has happened. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

/** Long enough for any query between two advances. */
const HISTORY = { orders: 10_000, fills: 10_000, trades: 1_000, candles: 5_000 }
/** Unreachable limits: rate limits are not compared. */
export const NO_LIMITS = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 1 }

/**
 * Starts it one millisecond before the first trade, so that clients can connect before it.
 *
 * @param markets  those of the backtest, possibly with other fees
 * @param onError  receives internal errors
 */
export async function startReplayedService(
  prepared: PreparedBacktest,
  markets: readonly MarketConfig[],
  onError: (error: unknown) => void,
): Promise<ReplayedService> {
  const { quoteAsset, from, credit, settings } = prepared
  const exchange = createExchange({ markets, quoteAsset, history: HISTORY })
  const start = from - 1
  const clock = new VirtualClock(start)
  const recorded = new Set(markets.map(({ symbol }) => symbol))
  const simulated = new SimulatedMarkets(
    exchange,
    new EventQueue(start),
    (symbol) => createModel(prepared, symbol),
    recorded,
  )
  const secrets = seededSecrets(settings.seed)
  const users = new UserRegistry(secrets, () => undefined)
  const account = { email: 'strategy@example.com', verified: true, credits: credit, keys: [{ scopes: [...SCOPES] }] }
  const { users: made, creditsById } = makeUsers([account], users)
  const [user] = made
  creditUsers(creditsById, (command) => simulated.execute(command), start)
  const replay = replayOf(prepared, simulated, onError)
  await replay.begin()
  const { awaited } = replay
  const server = await serve(simulated, { clock, limits: NO_LIMITS, secrets, users, awaited, onError })
  return {
    baseUrl: server.baseUrl,
    apiKey: user?.keys[0] ?? '',
    userId: user?.id ?? '',
    nextTime: () => simulated.queue.nextTime,
    advance: async (ms) => {
      clock.advance(ms)
      await server.service.catchUpFully()
    },
    close: async () => {
      await server.close()
      await replay.close()
    },
  }
}

function replayOf(
  { tapes, liquiditySetups, settings }: PreparedBacktest,
  simulated: SimulatedMarkets,
  onError: (error: unknown) => void,
): PacedReplay {
  const played = tapes.map((tape) => {
    const setup = liquiditySetups.get(tape.info.symbol)
    const longestSilenceMs = setup?.terms.staleAfterMs ?? Number.POSITIVE_INFINITY
    return { tape, longestSilenceMs, believe: believeOf(settings), spread: setup?.spread }
  })
  return new PacedReplay(simulated, { tapes: played, shiftMs: 0, onError })
}
