/**
 * Random sessions with a recorded book, tight on purpose: a handful of prices and lots around a middle that moves,
 * levels that come and go there, several things a millisecond, orders of two accounts close to it and to each other.
 */
import fc from 'fast-check'
import type { Side } from '../../../../src/domain/order.ts'
import type { MadeLevel } from '../../../tape/rig/depth-of.ts'
import type { FrameStep, QuoteStep, Session, SessionSettings, Step } from './depth-session.ts'

const ACCOUNTS = ['A', 'B'] as const
const STALE_AFTER_MS = 30

/** Ticks from the middle, outward; and lots. */
type NearLevel = readonly [offset: number, qty: number]

/** What goes of an order: where it is by its side's level, how long it was there. */
interface NearFall {
  readonly side: 'bid' | 'ask'
  readonly offset: number
  readonly lots: number
  readonly age: number
  readonly isTraded: boolean
}

/** Where an order is: so far from the middle, or at the price of the limit order that was placed so many before. */
type Place = { readonly offset: number } | { readonly back: number }

type Move = { readonly wait: number } & (
  | {
      readonly do: 'frame'
      readonly shift: number
      readonly kind: 'changes' | 'snapshot' | 'gap' | 'gap-snapshot'
      readonly bids: readonly NearLevel[]
      readonly asks: readonly NearLevel[]
      /** Undefined where no orders are reported. */
      readonly falls: readonly NearFall[] | undefined
    }
  | { readonly do: 'quote'; readonly shift: number; readonly bid: NearLevel; readonly ask: NearLevel }
  | { readonly do: 'trade'; readonly offset: number; readonly qty: number; readonly side: 'buy' | 'sell' }
  | { readonly do: 'limit'; readonly at: Place; readonly qty: number; readonly side: Side; readonly account: string }
  | { readonly do: 'market'; readonly qty: number; readonly side: Side; readonly account: string }
  | { readonly do: 'cancel'; readonly back: number }
)
type MoveOf<Kind extends Move['do']> = Extract<Move, { readonly do: Kind }>

const wait = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(0, 0, 1, 2) },
  { weight: 1, arbitrary: fc.constantFrom(STALE_AFTER_MS, STALE_AFTER_MS + 1, 300, 25_000) },
)
const shift = fc.constantFrom(0, 0, 0, 0, 1, -1, 2, -2)
const lots = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 60 }) },
)
const side = fc.constantFrom<Side>('BUY', 'SELL')
const account = fc.constantFrom(...ACCOUNTS)
const offset = fc.constantFrom(0, 0, 1, 1, 2, 3, 5, -1)

const levels = (hasGone: boolean): fc.Arbitrary<readonly NearLevel[]> => {
  const qty = hasGone ? fc.oneof({ weight: 4, arbitrary: lots }, { weight: 1, arbitrary: fc.constant(0) }) : lots
  return fc
    .uniqueArray(fc.tuple(offset, qty), { maxLength: 4, selector: ([at]) => at })
    .map((made) => made.sort((a, b) => a[0] - b[0]))
}

const fall: fc.Arbitrary<NearFall> = fc.record({
  side: fc.constantFrom('bid', 'ask'),
  offset,
  lots: fc.integer({ min: 1, max: 6 }),
  age: fc.constantFrom(0, 0, 1, 2, 3, 5, 9),
  isTraded: fc.boolean(),
})

const frameOf = (kinds: readonly MoveOf<'frame'>['kind'][], reportsOrders = false): fc.Arbitrary<Move> =>
  fc.constantFrom(...kinds).chain((kind) => {
    const side = levels(!kind.endsWith('snapshot'))
    return fc.record({
      do: fc.constant('frame' as const),
      wait,
      shift,
      kind: fc.constant(kind),
      bids: side,
      asks: side,
      falls: reportsOrders ? fc.array(fall, { maxLength: 5 }) : fc.constant(undefined),
    })
  })

const touch = fc.tuple(
  fc.constantFrom(0, 0, 0, 1, 2),
  fc.oneof({ weight: 9, arbitrary: lots }, { weight: 1, arbitrary: fc.constant(0) }),
)
const quote: fc.Arbitrary<Move> = fc.record({ do: fc.constant('quote' as const), wait, shift, bid: touch, ask: touch })

const others: readonly fc.WeightedArbitrary<Move>[] = [
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('trade' as const),
      wait,
      offset: fc.integer({ min: -3, max: 3 }),
      qty: lots,
      side: fc.constantFrom('buy', 'sell'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      wait,
      at: fc.oneof(fc.record({ offset: fc.integer({ min: -4, max: 4 }) }), fc.record({ back: fc.nat(2) })),
      qty: lots,
      side,
      account,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('market' as const), wait, qty: lots, side, account }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), wait, back: fc.nat(3) }) },
]

/**
 * What reports the book: all of its changes, the same order by order, snapshots of its best levels, quotes, or changes
 * and quotes.
 */
const REPORTED: readonly (readonly fc.WeightedArbitrary<Move>[])[] = [
  [{ weight: 10, arbitrary: frameOf(['changes', 'changes', 'changes', 'changes', 'snapshot', 'gap', 'gap-snapshot']) }],
  [{ weight: 10, arbitrary: frameOf(['changes', 'changes', 'changes', 'snapshot', 'gap', 'gap-snapshot'], true) }],
  [{ weight: 10, arbitrary: frameOf(['snapshot', 'snapshot', 'snapshot', 'gap-snapshot']) }],
  [{ weight: 10, arbitrary: quote }],
  [
    { weight: 6, arbitrary: frameOf(['changes', 'changes', 'snapshot', 'gap']) },
    { weight: 5, arbitrary: quote },
  ],
]

const settings: fc.Arbitrary<SessionSettings> = fc.record({
  power: fc.constantFrom(Infinity, Infinity, 1, 3),
  clip: fc.constantFrom(1, 4, 40),
  step: fc.constantFrom(1, 4, 6),
  staleAfterMs: fc.constantFrom(600_000, 600_000, STALE_AFTER_MS),
})

export const randomDepthSession: fc.Arbitrary<Session> = fc
  .record({
    settings,
    middle: fc.constantFrom(100, 100, 6),
    moves: fc
      .constantFrom(...REPORTED)
      .chain((reported) => fc.array(fc.oneof(...reported, ...others), { maxLength: 45, size: 'max' })),
  })
  .map(({ settings, middle, moves }) => ({ settings, steps: new Steps(middle).of(moves) }))

const RANKS = { trade: 0, frame: 1, quote: 2, place: 3, cancel: 3 } as const

/** Turns moves into steps. */
class Steps {
  #time = 0
  #middle: number
  readonly #placed: { readonly order: string; readonly price: number; readonly side: Side }[] = []
  readonly #ordersByAccount = new Map<string, number>()

  constructor(middle: number) {
    this.#middle = middle
  }

  /** They begin with a snapshot. */
  of(moves: readonly Move[]): readonly Step[] {
    const first: Step = {
      do: 'frame',
      time: 0,
      isSnapshot: true,
      bids: [[this.#middle - 1, 5]],
      asks: [[this.#middle + 1, 5]],
    }
    const steps = moves.map((move) => this.#stepOf(move))
    return [first, ...steps].sort((a, b) => a.time - b.time || RANKS[a.do] - RANKS[b.do])
  }

  #stepOf(move: Move): Step {
    this.#time += move.wait
    if (move.do === 'frame') return this.#frame(move)
    if (move.do === 'quote') return this.#quote(move)
    if (move.do === 'trade') {
      const { offset, qty, side } = move
      return { do: 'trade', time: this.#time, price: this.#near(offset), qty, side }
    }
    if (move.do === 'cancel') {
      const order = this.#placed.at(-1 - move.back)?.order ?? 'A99'
      return { do: 'cancel', time: this.#time, order }
    }
    return this.#place(move)
  }

  #near(offset: number): number {
    return Math.max(1, this.#middle + offset)
  }

  #frame({ shift, kind, bids, asks, falls }: MoveOf<'frame'>): FrameStep {
    this.#middle = Math.max(2, this.#middle + shift)
    const isSnapshot = kind.endsWith('snapshot')
    const frame = {
      bids: distinct(bids.map(([offset, qty]) => [this.#near(-1 - offset), qty])),
      asks: distinct(asks.map(([offset, qty]) => [this.#near(1 + offset), qty])),
    }
    const isEmpty = bids.length + asks.length === 0
    const flags = { isSnapshot, hasGap: kind.startsWith('gap') }
    return {
      do: 'frame',
      time: this.#time,
      ...flags,
      ...frame,
      asks: isEmpty ? [[1, 0]] : frame.asks,
      falls: this.#falls(falls),
    }
  }

  #falls(falls: readonly NearFall[] | undefined): FrameStep['falls'] {
    return falls?.map(({ side, offset, lots, age, isTraded }) => {
      const price = this.#near(side === 'bid' ? -1 - offset : 1 + offset)
      return { side, price, lots, since: Math.max(0, this.#time - age), isTraded }
    })
  }

  #quote({ shift, bid: [bid, bidQty], ask: [ask, askQty] }: MoveOf<'quote'>): QuoteStep {
    this.#middle = Math.max(2, this.#middle + shift)
    return {
      do: 'quote',
      time: this.#time,
      bid: bidQty === 0 ? 0 : this.#near(-1 + bid),
      bidQty,
      ask: askQty === 0 ? 0 : this.#near(1 - ask),
      askQty,
    }
  }

  #place(move: MoveOf<'limit'> | MoveOf<'market'>): Step {
    const { side, qty, account } = move
    const number = (this.#ordersByAccount.get(account) ?? 0) + 1
    this.#ordersByAccount.set(account, number)
    const order = `${account}${number}`
    const known = move.do === 'limit' && 'back' in move.at ? this.#placed.at(-1 - move.at.back) : undefined
    const price =
      move.do === 'market' ? undefined : (known?.price ?? this.#near('offset' in move.at ? move.at.offset : 0))
    if (price !== undefined) this.#placed.push({ order, price, side })
    return { do: 'place', time: this.#time, order, side: known?.side ?? side, price, qty }
  }
}

/** Prices below 1 have become one. */
const distinct = (levels: readonly MadeLevel[]): readonly MadeLevel[] =>
  levels.filter(([price], at) => levels.findIndex((level) => level[0] === price) === at)
