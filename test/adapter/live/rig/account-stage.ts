/**
 * A live account on a fake clock before a faulty service, in a process that can be killed and started again on the same
 * disk.
 */
import type { AccountUpdate, EarlierCandles } from '../../../../src/adapter/exchange-adapter.ts'
import type { BookStore } from '../../../../src/adapter/live/books/strategy-books.ts'
import { LiveAccount } from '../../../../src/adapter/live/live-account.ts'
import type { LiveExchange, LiveFeed } from '../../../../src/adapter/live/live-exchange.ts'
import type { MutationGate } from '../../../../src/adapter/live/rest/mutation-queue.ts'
import type { MarketFees } from '../../../../src/domain/market.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import type { EarlierFills, ReportedFill } from '../../../../src/adapter/live/orders/reported-fills.ts'
import type { OwnFill } from '../../../../src/strategy/own-order.ts'
import { HotStream } from '../../../../src/strategy/hot-stream.ts'
import { market } from '../../../exchange/rig/configs.ts'
import type { FakeLiveTime } from './fake-live-time.ts'
import type { FaultyService } from './faulty-service.ts'
import type { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'
import { MortalTime } from './mortal-time.ts'

export const SYMBOL = 'BTC_USD'
export const MARKETS = [market(SYMBOL, { pricePrecision: 0, qtyPrecision: 0 }), market('ETH_USD')]

const OPEN_GATE: MutationGate = {
  submit: ({ send }) => {
    send()
  },
}

class QuietFeed implements LiveFeed {
  readonly state = 'connected'
  readonly state$ = new HotStream<'connected'>()
  readonly trades = (): HotStream<never> => new HotStream()
  readonly tickers = (): HotStream<never> => new HotStream()
  readonly candles = (): HotStream<never> => new HotStream()
  readonly gaps = (): HotStream<never> => new HotStream()
  readonly afterCandles = (): void => undefined
  readonly earlierCandles = (): EarlierCandles => ({ since: 0, candles: [] })
  readonly loadCandles = (): Promise<void> => Promise.resolve()
  readonly recentTrades = (): readonly never[] => []
  readonly lastPrice = (): undefined => undefined
  readonly watch = (): undefined => undefined
  readonly start = (): Promise<void> => Promise.resolve()
}

export interface AccountStageOptions {
  readonly time: FakeLiveTime
  readonly service: FaultyService
  readonly store: MemoryIntentStore
  readonly session: string
  readonly owners?: readonly string[]
  /** Default: one that has always a place. */
  readonly gate?: MutationGate
  readonly isUnique?: boolean
  /** Fills in the files of all sessions, this one's among them. */
  readonly files?: OwnFill[]
  /** No one listens before `attach`, as a session does that begins after its account. */
  readonly attachesLater?: boolean
  /** Default: none are kept. */
  readonly bookStore?: BookStore
  /** Default: none. */
  readonly fees?: MarketFees
}

/** Fills as files have them, read back. */
function filedFills(files: readonly OwnFill[]): EarlierFills {
  const byOrder = new Map<string, ReportedFill[]>()
  for (const { tradeId, orderId, price, qty, isInferred = false } of files) {
    const row = { tradeId, price: price.toNumber(), qty: qty.toNumber(), isInferred }
    byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), row])
  }
  return byOrder
}

export class AccountStage {
  readonly account: LiveAccount
  readonly exchanges: readonly LiveExchange[]
  readonly updates: AccountUpdate[] = []
  readonly warnings: string[] = []
  readonly errors: unknown[] = []
  readonly #life: MortalTime
  readonly #files: OwnFill[]
  #references = 0

  constructor(options: AccountStageOptions) {
    const { time, service, store, session, owners = ['a'], gate = OPEN_GATE, isUnique = false, files = [] } = options
    this.#life = new MortalTime(time)
    this.account = new LiveAccount({
      markets: MARKETS,
      calls: service,
      feed: new QuietFeed(),
      time: this.#life,
      store,
      bookStore: options.bookStore,
      session,
      settleMs: 30_000,
      holdMs: 1_000,
      quarantineMs: 86_400_000,
      auditMs: 10_000,
      isUnique,
      gate,
      feesOf: () => options.fees ?? { makerFeeBps: '0', takerFeeBps: '0' },
      earlierFills: () => filedFills(files),
      onWarning: (text) => this.warnings.push(text),
      onError: (error) => this.errors.push(error),
      onClose: () => Promise.resolve(),
    })
    this.exchanges = owners.map((owner) => this.account.exchangeOf(owner, 'wait'))
    this.#files = files
    if (options.attachesLater !== true) this.attach()
  }

  place(request: OrderRequest, reported: string[] = [], index = 0): string[] {
    this.#references += 1
    const reference = this.#references
    this.#life.enter(() => {
      this.exchanges[index]?.place({ request, reference, tag: `tag ${reference}` }, (outcome) => {
        reported.push(outcome.type)
      })
    })
    return reported
  }

  cancel(orderId: string, index = 0): void {
    this.#life.enter(() => {
      this.exchanges[index]?.cancel(orderId, () => undefined)
    })
  }

  /** The sessions begin, and take what came before them. */
  attach(): void {
    this.#listen()
    for (const exchange of this.exchanges) {
      exchange.takeEarlier((updates) => {
        for (const update of updates) if (update.type === 'fill') this.#files.push(update.fill)
      })
    }
  }

  #listen(): void {
    for (const exchange of this.exchanges) {
      exchange.updates$.subscribe((update) => {
        this.updates.push(update)
        if (update.type === 'fill') this.#files.push(update.fill)
      })
    }
  }

  /** Nothing more happens in this process; the disk stays. */
  kill(): void {
    this.#life.kill()
  }
}
