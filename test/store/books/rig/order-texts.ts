/**
 * A market that reports each order, written as others write it, with what of it has to be read.
 */
import fc from 'fast-check'

type Side = 'bid' | 'ask'

interface Resting {
  readonly id: number
  readonly side: Side
  readonly price: number
  lots: number
  since: number
}

/** What went of one order, in whole prices and lots. */
export interface WentOf {
  readonly time: number
  readonly side: Side
  readonly price: number
  readonly since: number
  readonly lots: number
  readonly isTraded: boolean
  readonly isSeenToCome: boolean
}

export interface OrderTexts {
  /** Behind the header. */
  readonly databento: readonly string[]
  readonly lobster: { readonly messages: readonly string[]; readonly books: readonly string[] }
  readonly went: readonly WentOf[]
}

/** Milliseconds of the first record: ten in the morning in New York. */
export const T = Date.parse('2012-06-21T14:00:00Z')
const MIDNIGHT = Date.parse('2012-06-21T04:00:00Z')
const LEVELS = 10
export const LOBSTER_NAMES = [`AAPL_2012-06-21_34200000_57600000_message_${LEVELS}.csv`, `AAPL_2012-06-21_34200000_57600000_orderbook_${LEVELS}.csv`] // prettier-ignore
export const DATABENTO_HEADER = 'ts_recv,ts_event,action,side,price,size,order_id,flags,symbol'

interface Move {
  readonly wait: number
  readonly kind: 'add' | 'cancel' | 'reduce' | 'trade'
  readonly side: Side
  readonly level: number
  readonly lots: number
  readonly pick: number
}

const move: fc.Arbitrary<Move> = fc.record({
  wait: fc.constantFrom(0, 0, 1, 3),
  kind: fc.constantFrom('add', 'add', 'cancel', 'reduce', 'trade'),
  side: fc.constantFrom('bid', 'ask'),
  level: fc.nat({ max: 3 }),
  lots: fc.integer({ min: 1, max: 5 }),
  pick: fc.nat({ max: 30 }),
})

export const orderTexts: fc.Arbitrary<OrderTexts> = fc
  .array(move, { minLength: 3, maxLength: 40, size: 'max' })
  .map((moves) => new Writer().write(moves))

class Writer {
  #orders: Resting[] = []
  #time = T
  #next = 3
  readonly #databento: string[] = []
  readonly #messages: string[] = []
  readonly #books: string[] = []
  readonly #went: WentOf[] = []

  write(moves: readonly Move[]): OrderTexts {
    this.#orders = [
      { id: 1, side: 'bid', price: 99, lots: 4, since: T },
      { id: 2, side: 'ask', price: 101, lots: 4, since: T },
    ]
    this.#row('R', 'bid', 0, 0, 0, 32)
    for (const { id, side, price, lots } of this.#orders)
      this.#row('A', side, price, lots, id, 32 + (id === 2 ? 128 : 0))
    // What was there before the first message is reported by no message.
    this.#message(1, { id: 3, side: 'bid', price: 90, lots: 1, since: T }, 1)
    this.#orders.push({ id: 3, side: 'bid', price: 90, lots: 1, since: T })
    this.#row('A', 'bid', 90, 1, 3)
    this.#book()
    for (const each of moves) {
      this.#time += each.wait
      this.#do(each)
    }
    return { databento: this.#databento, lobster: { messages: this.#messages, books: this.#books }, went: this.#went }
  }

  #do({ kind, side, level, lots, pick }: Move): void {
    if (kind === 'add') {
      const price = side === 'bid' ? 99 - level : 101 + level
      this.#next += 1
      const order = { id: this.#next, side, price, lots, since: this.#time }
      this.#orders.push(order)
      this.#row('A', side, price, lots, order.id)
      this.#message(1, order, lots)
      this.#book()
      return
    }
    const there = this.#orders.filter((order) => order.side === side)
    const best = side === 'bid' ? Math.max(...there.map(({ price }) => price)) : Math.min(...there.map(({ price }) => price)) // prettier-ignore
    const order = kind === 'trade' ? there.find(({ price }) => price === best) : there[pick % Math.max(1, there.length)]
    if (order === undefined) return
    const gone = kind === 'cancel' ? order.lots : Math.min(lots, order.lots)
    const isTraded = kind === 'trade'
    if (isTraded) {
      this.#row('T', side === 'bid' ? 'ask' : 'bid', order.price, gone, 0, 0)
      this.#row('F', side, order.price, gone, order.id, 0)
    }
    // A part that goes is reported in one way or the other.
    if (gone < order.lots && pick % 2 === 0) this.#row('M', side, order.price, order.lots - gone, order.id)
    else this.#row('C', side, order.price, gone, order.id)
    this.#message(isTraded ? 4 : gone === order.lots ? 3 : 2, order, gone)
    const { price, since } = order
    this.#went.push({ time: this.#time, side, price, since, lots: gone, isTraded, isSeenToCome: order.id > 2 })
    order.lots -= gone
    if (order.lots === 0) this.#orders.splice(this.#orders.indexOf(order), 1)
    this.#book()
  }

  #row(action: string, side: Side, price: number, size: number, id: number, flags = 128): void {
    const nano = `${this.#time}000000`
    this.#databento.push(`${nano},${nano},${action},${action === 'R' ? 'N' : side === 'bid' ? 'B' : 'A'},${price}000000000,${size},${id},${flags},ES`) // prettier-ignore
  }

  #message(type: number, { id, side, price }: Resting, size: number): void {
    const ms = this.#time - MIDNIGHT
    const seconds = `${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, '0')}`
    this.#messages.push(`${seconds},${type},${id},${size},${price * 10_000},${side === 'bid' ? 1 : -1}`)
  }

  #book(): void {
    const levels = (side: Side): readonly (readonly [number, number])[] => {
      const prices = [...new Set(this.#orders.filter((order) => order.side === side).map(({ price }) => price))]
      const sorted = prices.sort((a, b) => (side === 'bid' ? b - a : a - b))
      return sorted.map((price) => [price, this.#lotsAt(side, price)])
    }
    const [bids, asks] = [levels('bid'), levels('ask')]
    const cells = Array.from({ length: LEVELS }, (_, at) => {
      const [ask, askLots] = asks[at] ?? [999_999.9999, 0]
      const [bid, bidLots] = bids[at] ?? [-999_999.9999, 0]
      return [Math.round(ask * 10_000), askLots, Math.round(bid * 10_000), bidLots].join(',')
    })
    this.#books.push(cells.join(','))
  }

  #lotsAt(side: Side, price: number): number {
    const there = this.#orders.filter((order) => order.side === side && order.price === price)
    return there.reduce((sum, order) => sum + order.lots, 0)
  }
}
