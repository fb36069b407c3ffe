/**
 * A market whose book was recorded, with the lives of one account's orders in it, played step by step.
 */
import { createExchange } from '../../../../src/exchange/create-exchange.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { Journal } from '../../../../src/runtime/journal/journal.ts'
import { RestingOrderTracker } from '../../../../src/runtime/order-tracking/resting-order-tracker.ts'
import type { TrackedRestingOrder } from '../../../../src/runtime/order-tracking/tracked-resting-order.ts'
import { RecordedDepth } from '../../../../src/simulation/depth/recorded-depth.ts'
import { EventQueue } from '../../../../src/simulation/event-queue.ts'
import { liquidity, type BookModelName } from '../../../../src/simulation/liquidity/liquidity-models.ts'
import { SimulatedMarkets } from '../../../../src/simulation/simulated-markets.ts'
import { KEEP_ALL, market } from '../../../exchange/rig/configs.ts'
import type { RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { depthBlockOf, type MadeFrame } from '../../../tape/rig/depth-of.ts'
import { readBack, type JournalLine } from '../../rig/run-strategy.ts'

export const BTC = 'BTC_USD'
export const ME = 'me'

const TERMS = { queueSize: 1, levelSize: 1, staleAfterMs: 600_000 }

export class BookStage {
  readonly simulated: SimulatedMarkets
  readonly tracker: RestingOrderTracker
  readonly #lines: string[] = []

  /** Whole prices and quantities; the account has 10 000 USD and 100 BTC. */
  constructor(model: BookModelName = 'book') {
    const exchange = createExchange({ markets: [market(BTC)], quoteAsset: 'USD', history: KEEP_ALL })
    const depth = new RecordedDepth({ hasLevels: true, hasQuotes: false })
    const create = (symbol: string) => liquidity(model).create({ symbol, spread: undefined, terms: TERMS, depth })
    const depths = new Map([[BTC, depth]])
    this.simulated = new SimulatedMarkets(exchange, new EventQueue(0), create, new Set([BTC]), new Map(), depths)
    this.tracker = new RestingOrderTracker(
      this.simulated,
      { account: ME, ownAccounts: new Set([ME]) },
      new Journal((line) => void this.#lines.push(line)),
    )
    this.simulated.onEvents((events) => {
      this.tracker.onEvents(events)
    })
    for (const [asset, amount] of [
      ['USD', 10_000n],
      ['BTC', 100n],
    ] as const) {
      this.simulated.execute({ type: 'credit', time: 0, account: ME, asset, amount })
    }
  }

  trade([time, price, qty, side]: RecordedRow): void {
    this.tracker.market(BTC).onRecorded(price, qty)
    this.simulated.record(BTC, { time, price, qty, isBuyerMaker: side === 'sell' })
  }

  frame(frame: MadeFrame): void {
    const block = depthBlockOf([frame])
    this.simulated.market(BTC).bookPlayer?.playFrames(block, 0, block.length, frame.time, 0)
  }

  /** @returns the id of the order; undefined for one that was refused */
  place(time: number, request: Omit<Extract<OrderRequest, { type: 'LIMIT' }>, 'symbol' | 'type'>): number | undefined {
    this.simulated.queue.advance(time)
    const events = this.simulated.execute({
      type: 'place',
      time,
      account: ME,
      request: { symbol: BTC, type: 'LIMIT', ...request },
    })
    const [first] = events
    return first?.type === 'order-accepted' ? first.order.id : undefined
  }

  cancel(time: number, orderId: number): void {
    this.simulated.queue.advance(time)
    this.simulated.execute({ type: 'cancel', time, account: ME, orderId })
  }

  /** The life of an order that rests; undefined for any other. */
  life(orderId: number): TrackedRestingOrder | undefined {
    return this.tracker.market(BTC).get(orderId)
  }

  /** What the exchange has ahead of an order of ours that rests. */
  aheadOf(orderId: number): { readonly crowd: bigint; readonly ours: bigint } {
    const { exchange } = this.simulated
    const order = exchange.order(ME, orderId)
    if (order?.price === undefined) throw new Error(`no order ${orderId} rests`)
    const queue = exchange.restingAt(BTC, order.side, order.price)
    const ahead = queue.slice(
      0,
      queue.findIndex((each) => each.orderId === orderId),
    )
    const lots = (isOurs: boolean): bigint =>
      ahead.reduce((sum, { account, qty }) => sum + ((account === ME) === isOurs ? BigInt(qty) : 0n), 0n)
    return { crowd: lots(false), ours: lots(true) }
  }

  /** The lines of the lives so far, read back. */
  get journal(): readonly JournalLine[] {
    return readBack(this.#lines)
  }

  /** The same as they are written. */
  get lines(): readonly string[] {
    return this.#lines
  }
}
