/**
 * Plays a session in a simulated market: recorded trades from a tape, orders that wait in the event queue for their
 * time.
 *
 * All orders are sent before the first trade is played, so whatever order their steps happen in is the replay's doing.
 */
import { tradeBlocks } from '../../../tape/rig/trade-blocks.ts'
import { CROWD } from '../../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../../src/domain/exchange-event.ts'
import type { Order } from '../../../../src/domain/order.ts'
import { EVENT_KIND } from '../../../../src/simulation/event-queue.ts'
import type { Tape, TapeBlock } from '../../../../src/tape/tape.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { BTC, MarketStage } from '../../rig/market-stage.ts'
import { memoryTape } from '../../rig/memory-tape.ts'
import { modelOf, quoteOf, staleAfterMs } from './models-under-test.ts'
import {
  accountOf,
  CROWD_NAME,
  isTrade,
  merged,
  mergedQueue,
  sameMatch,
  type BookView,
  type CancelStep,
  type Match,
  type Outcome,
  type PlaceStep,
  type See,
  type Session,
  type SessionSettings,
  type Step,
  type TradeStep,
} from './session.ts'

/** More than any session spends. */
const RICH = [
  { asset: 'USD', amount: 10n ** 15n },
  { asset: 'BTC', amount: 10n ** 12n },
]

export async function simulatedPlay({ settings, steps }: Session, see: See): Promise<void> {
  const table = new PlayedSession(settings, see)
  const trades = steps.filter(isTrade)
  for (const step of steps) if (!isTrade(step)) table.send(step)
  await table.play(trades, Math.max(0, ...steps.map(({ time }) => time)))
}

class PlayedSession {
  readonly #settings: SessionSettings
  readonly #see: See
  readonly #stage: MarketStage
  readonly #nameById = new Map<number, string>()
  readonly #idByName = new Map<string, number>()
  readonly #funded = new Set<string>()
  /** What happens just now, and what was answered to it. */
  #step: Step | undefined
  #answer: readonly ExchangeEvent[] = []

  constructor(settings: SessionSettings, see: See) {
    this.#settings = settings
    this.#see = see
    this.#stage = new MarketStage({
      markets: [market(BTC, { selfTrade: settings.selfTrade })],
      model: () => modelOf(settings),
    })
  }

  /** Puts an order or a cancel into the event queue. */
  send(step: PlaceStep | CancelStep): void {
    this.#fund(accountOf(step.order))
    this.#stage.queue.schedule(step.time, EVENT_KIND.message, () => {
      this.#step = step
      this.#answer = this.#execute(step)
    })
  }

  async play(trades: readonly TradeStep[], end: number): Promise<void> {
    const waiting = [...trades]
    this.#forgetEvents()
    await this.#stage.play(tapesOf(trades), {
      end,
      silenceMs: staleAfterMs(this.#settings),
      listener: {
        onRecorded: () => {
          this.#step = waiting.shift()
        },
        // Asked after every trade and every order.
        wantsTurn: () => {
          this.#show()
          return false
        },
      },
    })
  }

  // ---- orders

  #fund(account: string): void {
    if (this.#funded.has(account)) return
    this.#funded.add(account)
    const given = this.#settings.credits.filter((credit) => credit.account === account)
    for (const { asset, amount } of given.length === 0 ? RICH : given) this.#stage.credit(account, asset, amount)
  }

  #execute(step: PlaceStep | CancelStep): readonly ExchangeEvent[] {
    const account = accountOf(step.order)
    if (step.do === 'cancel') {
      return this.#stage.execute({ type: 'cancel', account, orderId: this.#idByName.get(step.order) ?? 0 })
    }
    const events =
      step.price === undefined
        ? this.#stage.market(account, step.side, step.qty)
        : this.#stage.limit(account, step.side, step.price, step.qty)
    const accepted = events.find((event) => event.type === 'order-accepted' && event.order.userId === account)
    if (accepted?.type === 'order-accepted') {
      this.#nameById.set(accepted.order.id, step.order)
      this.#idByName.set(step.order, accepted.order.id)
    }
    return events
  }

  // ---- what happened

  #show(): void {
    const step = this.#step
    if (step === undefined) return
    const outcome = { matches: this.#matches(), prints: this.#prints(), fate: this.#fate(step) }
    this.#step = undefined
    this.#answer = []
    this.#forgetEvents()
    this.#see(step, outcome, this.#view())
  }

  #forgetEvents(): void {
    this.#stage.events.length = 0
    this.#stage.trades.length = 0
  }

  #name(order: Order): string {
    return order.userId === CROWD ? CROWD_NAME : (this.#nameById.get(order.id) ?? `order ${order.id}`)
  }

  #matches(): readonly Match[] {
    const matches = this.#stage.events.flatMap((event) => {
      if (event.type !== 'traded') return []
      const { price, qty } = event.trade
      return [{ maker: this.#name(event.maker), taker: this.#name(event.taker), price, qty }]
    })
    const isOurs = ({ maker, taker }: Match): boolean => maker !== CROWD_NAME || taker !== CROWD_NAME
    return merged(matches.filter(isOurs), sameMatch)
  }

  #prints(): Outcome['prints'] {
    const prints = this.#stage.trades.filter(({ buyerId, sellerId }) => buyerId === CROWD && sellerId === CROWD)
    return merged(
      prints.map(({ price, qty }) => ({ price, qty })),
      (a, b) => a.price === b.price,
    )
  }

  #fate(step: Step): string {
    if (step.do === 'trade') return ''
    const last = this.#answer.at(-1)
    const id = this.#idByName.get(step.order)
    if (last?.type === 'order-refused' || last?.type === 'cancel-refused') return `is refused ${last.refusal.code}`
    if (step.do === 'cancel')
      return last?.type === 'order-cancelled' && last.order.id === id ? 'is cancelled' : 'is lost'
    const order = this.#stage.exchange.order(accountOf(step.order), id ?? 0)
    if (order === undefined) return 'is lost'
    const rest = order.qty - order.filledQty
    if (order.status === 'CANCELLED') return `lapses ${rest}`
    return rest === 0 ? '' : `rests ${rest}`
  }

  // ---- the books

  #view(): BookView {
    const { exchange, simulated } = this.#stage
    return {
      quote: () => quoteOf(simulated, BTC),
      queue: (price) => mergedQueue(this.#resting(price)),
      levels: (side) => {
        const { bids, asks } = exchange.depth(BTC)
        return (side === 'BUY' ? bids : asks).map((level) => ({ price: level.price, qty: Number(level.qty) }))
      },
    }
  }

  /** Ids go up with time, so at one price they report the priority. */
  #resting(price: number): readonly { order: string; qty: number }[] {
    const accounts = [CROWD, ...this.#funded]
    const orders = accounts.flatMap((account) => this.#stage.exchange.openOrders(account))
    return orders
      .filter((order) => order.price === price)
      .sort((a, b) => a.id - b.id)
      .map((order) => ({ order: this.#name(order), qty: order.qty - order.filledQty }))
  }
}

/** One tape a file. */
function tapesOf(trades: readonly TradeStep[]): readonly Tape[] {
  const files = [...new Set(trades.map(({ file }) => file))]
  return files.map((file) => tapeOf(trades.filter((trade) => trade.file === file)))
}

function tapeOf(trades: readonly TradeStep[]): Tape {
  const rows = trades.map(({ time, price, qty, side }) =>
    side === undefined ? ([time, price, qty] as const) : ([time, price, qty, side] as const),
  )
  const tape = memoryTape(rows)
  const ids = trades.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return ids.length === 0 ? tape : { ...tape, blocks: () => withIds(tape, Float64Array.from(ids)) }
}

async function* withIds(tape: Tape, ids: Float64Array): AsyncGenerator<TapeBlock, void, undefined> {
  for await (const block of tradeBlocks(tape)) yield { ...block, ids }
}
