/**
 * Plays a session in a simulated market with the model `book`: recorded trades, frames and quotes from tapes, orders
 * that wait in the event queue for their time.
 */
import { CROWD } from '../../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../../src/domain/exchange-event.ts'
import type { Order } from '../../../../src/domain/order.ts'
import { RecordedDepth } from '../../../../src/simulation/depth/recorded-depth.ts'
import { EVENT_KIND } from '../../../../src/simulation/event-queue.ts'
import { BookLiquidity } from '../../../../src/simulation/liquidity/book.ts'
import type { LiquidityModel } from '../../../../src/simulation/liquidity/liquidity-model.ts'
import type { MarketEstimates } from '../../../../src/simulation/liquidity/market-estimates.ts'
import { PacedReplay } from '../../../../src/simulation/replay/paced-replay.ts'
import type { BookTape } from '../../../../src/tape/book-tape.ts'
import type { Tape } from '../../../../src/tape/tape.ts'
import { BTC, MarketStage } from '../../rig/market-stage.ts'
import { memoryDepth, memoryQuotes } from '../../rig/memory-book.ts'
import { memoryTape } from '../../rig/memory-tape.ts'
import {
  accountOf,
  CROWD_NAME,
  isRecorded,
  isTrade,
  mergedMatches,
  SPREAD,
  type FrameStep,
  type Match,
  type OrderStep,
  type QuoteStep,
  type RecordedStep,
  type Resting,
  type Session,
  type SessionSettings,
  type Step,
  type Turn,
} from './depth-session.ts'

/** More than any session spends. */
const RICH = [
  { asset: 'USD', amount: 10n ** 40n },
  { asset: 'BTC', amount: 10n ** 40n },
]

const endOf = (steps: readonly Step[]): number => Math.max(0, ...steps.map(({ time }) => time))

/** Plays frame by frame, and reports of each step. */
export async function bookPlay(session: Session): Promise<readonly Turn[]> {
  const played = new PlayedBook(session)
  const { turns } = await played.play(true)
  return turns
}

/** Estimates that learn nothing, so that a twin need not. */
class FixedEstimates implements MarketEstimates {
  readonly spread = SPREAD
  readonly averageTrade: number
  readonly step: number

  constructor({ clip, step }: SessionSettings) {
    this.averageTrade = clip
    this.step = step
  }

  readonly learn = (): void => undefined
  readonly gap = (): void => undefined
}

const tapesOf = (steps: readonly Step[], blockRows = Infinity): readonly Tape[] => {
  const trades = steps.filter(isTrade)
  if (trades.length === 0) return []
  return [
    memoryTape(
      trades.map(({ time, price, qty, side }) => [time, price, qty, side] as const),
      { blockRows },
    ),
  ]
}

function booksOf(steps: readonly Step[], blockLength = Infinity): readonly BookTape[] {
  const frames = steps.filter((step): step is FrameStep => step.do === 'frame')
  const quotes = steps.filter((step): step is QuoteStep => step.do === 'quote')
  return [
    ...(frames.length > 0 ? [memoryDepth(frames, { blockLength })] : []),
    ...(quotes.length > 0 ? [memoryQuotes(quotes, { blockLength })] : []),
  ]
}

/** A stage with its session's orders in the queue. */
export class PlayedBook {
  readonly stage: MarketStage
  readonly depth = new RecordedDepth({ hasLevels: true, hasQuotes: true })
  readonly turns: Turn[] = []
  readonly #steps: readonly Step[]
  readonly #idByName = new Map<string, number>()
  readonly #nameById = new Map<number, string>()
  readonly #accounts: readonly string[]
  #step: Step | undefined
  #answer: readonly ExchangeEvent[] = []

  /** @param model  default: `book` */
  constructor({ settings, steps }: Session, model?: () => LiquidityModel) {
    const { staleAfterMs, power } = settings
    const terms = { queueSize: 1, levelSize: 1, staleAfterMs }
    this.#steps = steps
    this.stage = new MarketStage({
      model: model ?? (() => new BookLiquidity(new FixedEstimates(settings), terms, this.depth, power)),
      depths: new Map([[BTC, this.depth]]),
    })
    const orders = steps.filter((step) => !isRecorded(step))
    this.#accounts = [...new Set(orders.map(({ order }) => accountOf(order)))].sort()
    for (const account of this.#accounts)
      for (const { asset, amount } of RICH) this.stage.credit(account, asset, amount)
    for (const step of orders) this.#send(step)
  }

  /** @param isWatched  somebody hears of each frame and quote, and every step becomes a turn */
  async play(isWatched: boolean, blockLength = Infinity, isWithBooks = true): Promise<this> {
    const waiting = this.#steps.filter(isRecorded)
    const next = (kind: RecordedStep['do']): void => {
      this.#step = waiting.splice(
        waiting.findIndex((step) => step.do === kind),
        1,
      )[0]
    }
    if (isWatched) {
      const { stage } = this
      stage.simulated.listen(BTC, {
        onTrade: () => undefined,
        onDepth: () => {
          next('frame')
        },
        onQuote: () => {
          next('quote')
        },
      })
    }
    this.stage.events.length = 0
    const books = isWithBooks ? booksOf(this.#steps, blockLength) : []
    await this.stage.play(tapesOf(this.#steps, blockLength), {
      books,
      end: endOf(this.#steps),
      listener: {
        onRecorded: () => {
          if (isWatched) next('trade')
        },
        // Asked after every row and every order.
        wantsTurn: () => {
          if (isWatched) this.#show()
          return false
        },
      },
    })
    return this
  }

  /**
   * Out of the event queue, as a service plays it.
   *
   * @param recordedBy  milliseconds by which the recording has other times
   */
  async playPaced(blockLength: number, recordedBy = 0): Promise<this> {
    const recorded = this.#steps.filter(isRecorded).map((step) => laterBy(step, recordedBy))
    const { queue, simulated } = this.stage
    this.stage.events.length = 0
    const replay = new PacedReplay(simulated, {
      tapes: tapesOf(recorded, blockLength).map((tape) => ({ tape, longestSilenceMs: Infinity, filterMode: 'all' })),
      books: booksOf(recorded, blockLength),
      shiftMs: -recordedBy,
      onError: (error) => {
        throw error
      },
    })
    await replay.begin()
    for (const end = endOf(this.#steps); queue.nextTime <= end;) {
      queue.runNext()
      while (replay.awaited() !== undefined) await replay.awaited()
    }
    await replay.close()
    return this
  }

  /** Matches of ours since the last step that was shown, merged. */
  get matches(): readonly Match[] {
    return this.#matchesOf(this.stage.events)
  }

  get resting(): readonly Resting[] {
    const { exchange } = this.stage
    const ofCrowd = exchange.openOrders(CROWD)
    const ours = this.#accounts.flatMap((account) => exchange.openOrders(account)).sort((a, b) => a.id - b.id)
    return ours.map((order) => {
      const before = ofCrowd.filter(
        ({ id, side, price }) => id < order.id && side === order.side && price === order.price,
      )
      return {
        order: this.#name(order),
        side: order.side,
        price: order.price ?? 0,
        qty: openLots(order),
        ahead: before.reduce((sum, each) => sum + openLots(each), 0),
      }
    })
  }

  #send(step: OrderStep): void {
    this.stage.queue.schedule(step.time, EVENT_KIND.message, () => {
      this.#step = step
      this.#answer = this.#execute(step)
    })
  }

  #execute(step: OrderStep): readonly ExchangeEvent[] {
    const account = accountOf(step.order)
    if (step.do === 'cancel') {
      return this.stage.execute({ type: 'cancel', account, orderId: this.#idByName.get(step.order) ?? 0 })
    }
    const events =
      step.price === undefined
        ? this.stage.market(account, step.side, step.qty)
        : this.stage.limit(account, step.side, step.price, step.qty)
    const accepted = events.find((event) => event.type === 'order-accepted' && event.order.userId === account)
    if (accepted?.type === 'order-accepted') {
      this.#nameById.set(accepted.order.id, step.order)
      this.#idByName.set(step.order, accepted.order.id)
    }
    return events
  }

  #show(): void {
    const step = this.#step
    if (step === undefined) return
    this.turns.push({ step, matches: this.matches, fate: this.#fate(step), resting: this.resting })
    this.#step = undefined
    this.#answer = []
    this.stage.events.length = 0
  }

  #name(order: Order): string {
    return order.userId === CROWD ? CROWD_NAME : (this.#nameById.get(order.id) ?? `order ${order.id}`)
  }

  #matchesOf(events: readonly ExchangeEvent[]): readonly Match[] {
    const matches = events.flatMap((event): readonly Match[] => {
      if (event.type !== 'traded') return []
      const { price, qty } = event.trade
      return [{ maker: this.#name(event.maker), taker: this.#name(event.taker), price, qty }]
    })
    return mergedMatches(matches.filter(({ maker, taker }) => maker !== CROWD_NAME || taker !== CROWD_NAME))
  }

  #fate(step: Step): string {
    if (isRecorded(step)) return ''
    const last = this.#answer.at(-1)
    if (last?.type === 'order-refused' || last?.type === 'cancel-refused') return `is refused ${last.refusal.code}`
    if (step.do === 'cancel') return last?.type === 'order-cancelled' ? 'is cancelled' : 'is lost'
    const order = this.stage.exchange.order(accountOf(step.order), this.#idByName.get(step.order) ?? 0)
    if (order === undefined) return 'is lost'
    if (order.status === 'CANCELLED') return `lapses ${openLots(order)}`
    return openLots(order) === 0 ? '' : `rests ${openLots(order)}`
  }
}

/** The same at another time. */
function laterBy(step: RecordedStep, ms: number): RecordedStep {
  const time = step.time + ms
  if (step.do !== 'frame') return { ...step, time }
  return { ...step, time, falls: step.falls?.map((fall) => ({ ...fall, since: fall.since + ms })) }
}

const openLots = ({ qty, filledQty }: Order): number => qty - filledQty
