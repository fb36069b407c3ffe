/**
 * Plays a recorded book through a simulated market: with nothing of ours in it, and with two quotes that are placed
 * again ten times a second.
 */
import { createExchange } from '../src/exchange/create-exchange.ts'
import { CROWD } from '../src/domain/command.ts'
import { EventQueue, EVENT_KIND } from '../src/simulation/event-queue.ts'
import { RecordedDepth } from '../src/simulation/depth/recorded-depth.ts'
import { liquidity } from '../src/simulation/liquidity/liquidity-models.ts'
import { Replay } from '../src/simulation/replay/replay.ts'
import { channelsOf } from '../src/simulation/replay/tape-channel.ts'
import { SimulatedMarkets } from '../src/simulation/simulated-markets.ts'
import type { DepthTape } from '../src/tape/book-tape.ts'
import type { DepthBlock } from '../src/tape/depth-block.ts'
import { mergeTapes } from '../src/tape/merge.ts'
import type { PlayedBlock, Tape, TapeBlock } from '../src/tape/tape.ts'

const SYMBOL = 'BASE_USD'
const ACCOUNT = 'ours'
/** Milliseconds between two rounds of our quotes. */
const QUOTE_EVERY_MS = 100
const QUOTE_LOTS = 10

export interface PlayedMarket {
  readonly depth: readonly DepthBlock[]
  readonly trades: readonly TapeBlock[]
}

/** @returns what our quotes came to: orders that were placed, and those of them that traded */
export async function playMarket(
  { depth, trades }: PlayedMarket,
  isQuoting: boolean,
): Promise<{ orders: number; fills: number }> {
  const first = Math.min(...[depth, trades].map((blocks) => blocks[0]?.time[0] ?? Infinity))
  const last = Math.max(...[depth, trades].map((blocks) => blocks.at(-1)?.time.at(-1) ?? 0))
  const market = {
    ...{ id: SYMBOL, name: SYMBOL, symbol: SYMBOL, baseAsset: 'BASE', quoteAsset: 'USD' },
    ...{ pricePrecision: 2, qtyPrecision: 4, makerFeeBps: '0', takerFeeBps: '0', selfTrade: 'allow' as const },
  }
  const history = { orders: 10_000, fills: 0, trades: 0, candles: 3 }
  const exchange = createExchange({ markets: [market], quoteAsset: 'USD', history })
  const queue = new EventQueue(first)
  const recorded = new RecordedDepth({ hasLevels: true, hasQuotes: false })
  const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }
  const modelOf = () => liquidity('book').create({ symbol: SYMBOL, spread: undefined, terms, depth: recorded })
  const simulated = new SimulatedMarkets(exchange, queue, modelOf, new Set([SYMBOL]), new Map(), new Map([[SYMBOL, recorded]])) // prettier-ignore
  for (const asset of ['BASE', 'USD']) {
    simulated.execute({ type: 'credit', time: first, account: ACCOUNT, asset, amount: 10n ** 30n })
  }
  const reported = { orders: 0, fills: 0 }
  simulated.onEvents((events) => {
    for (const event of events) {
      if (event.type === 'traded' && event.maker.userId === ACCOUNT && event.taker.userId === CROWD) reported.fills += 1
    }
  })
  let open: number[] = []
  const quote = (): void => {
    const time = queue.now()
    // One that was filled is refused.
    for (const orderId of open) simulated.execute({ type: 'cancel', time, account: ACCOUNT, orderId })
    open = []
    const { bestBid, bestAsk } = recorded.book
    for (const [side, price] of [
      ['BUY', bestBid],
      ['SELL', bestAsk],
    ] as const) {
      // prettier-ignore
      if (price === undefined) continue
      reported.orders += 1
      const request = { symbol: SYMBOL, side, type: 'LIMIT', price, qty: QUOTE_LOTS } as const
      const [event] = simulated.execute({ type: 'place', time, account: ACCOUNT, request })
      if (event?.type === 'order-accepted') open.push(event.order.id)
    }
    if (time + QUOTE_EVERY_MS <= last) queue.schedule(time + QUOTE_EVERY_MS, EVENT_KIND.timer, quote)
  }
  if (isQuoting) queue.schedule(first + QUOTE_EVERY_MS, EVENT_KIND.timer, quote)
  const tape = tapeOf('trades', trades, last) as Tape
  const book = tapeOf('depth', depth, last) as DepthTape
  const watcher = {
    ...{ stopped: () => false, enter: nothing, leave: nothing, wantsTurn: () => false, turn: () => Promise.resolve() },
    ...{ onGap: nothing, onProgress: nothing },
  }
  const channels = channelsOf([{ tape, longestSilenceMs: Infinity }], [book])
  await new Replay(simulated, channels, watcher).play(mergeTapes<PlayedBlock>([tape, book]), last)
  return reported
}

const nothing = (): void => undefined

function tapeOf(kind: 'trades' | 'depth', blocks: readonly (DepthBlock | TapeBlock)[], to: number): unknown {
  return {
    info: { symbol: SYMBOL, kind, file: kind, from: 0, to },
    blocks: async function* () {
      yield* await Promise.resolve(blocks)
    },
  }
}
