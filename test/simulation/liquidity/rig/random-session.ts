/**
 * Random sessions, tight on purpose: a handful of prices and lots, several trades a millisecond, orders of two accounts
 * close to the last price and to each other, a market that sometimes falls silent. Wide generators find nothing.
 */
import fc from 'fast-check'
import type { Side } from '../../../../src/domain/order.ts'
import { PLAIN, type PlaceStep, type Session, type SessionSettings, type Step } from './session.ts'

const ACCOUNTS = ['A', 'B'] as const
/** Silence is longer than this, in the sessions that are short of it. */
const STALE_AFTER_MS = 20

/**
 * Where a trade or an order is: so far from the last recorded price, or beside the limit order that was placed so many
 * before.
 */
type Place = { readonly offset: number } | { readonly back: number }

type Move = { readonly wait: number } & (
  | {
      readonly do: 'trade'
      readonly at: Place
      readonly qty: number
      readonly side: 'buy' | 'sell'
      /** Where the tape has a gap before it. */
      readonly gap: 'none' | 'jump' | 'file'
    }
  | { readonly do: 'limit'; readonly at: Place; readonly qty: number; readonly side: Side; readonly account: string }
  | { readonly do: 'market'; readonly qty: number; readonly side: Side; readonly account: string }
  | { readonly do: 'cancel'; readonly back: number }
)

const wait = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 0, 0, 1, 2) },
  { weight: 1, arbitrary: fc.constantFrom(STALE_AFTER_MS, STALE_AFTER_MS + 1) },
  // What was taken, and a move of the price, are half gone.
  { weight: 1, arbitrary: fc.constantFrom(300, 25_000) },
)
const lots = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 90 }) },
)
const account = fc.constantFrom(...ACCOUNTS)
const side = fc.constantFrom<Side>('BUY', 'SELL')
const back = fc.nat(3)
const at = (farthest: number): fc.Arbitrary<Place> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ offset: fc.integer({ min: -1, max: 1 }) }) },
    { weight: 2, arbitrary: fc.record({ offset: fc.integer({ min: -farthest, max: farthest }) }) },
    { weight: 3, arbitrary: fc.record({ back }) },
  )
const move = <Kind extends Move['do']>(kind: Kind) => ({ do: fc.constant(kind), wait })

const gap = fc.oneof(
  { weight: 12, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constantFrom('jump' as const, 'file' as const) },
)

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      ...move('trade'),
      at: at(3),
      qty: lots,
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      gap,
    }),
  },
  { weight: 16, arbitrary: fc.record({ ...move('limit'), at: at(4), qty: lots, side, account }) },
  { weight: 4, arbitrary: fc.record({ ...move('market'), qty: lots, side, account }) },
  // More than a ladder holds.
  { weight: 1, arbitrary: fc.record({ ...move('market'), qty: fc.constant(30_000), side, account }) },
  { weight: 4, arbitrary: fc.record({ ...move('cancel'), back: fc.constantFrom(0, 0, 1, 2) }) },
)

const settings: fc.Arbitrary<SessionSettings> = fc
  .record({
    model: fc.oneof(
      { weight: 6, arbitrary: fc.constant('tape' as const) },
      { weight: 1, arbitrary: fc.constantFrom('through' as const, 'touch' as const) },
    ),
    queue: fc.constantFrom(1, 1, 1, 2),
    depth: fc.constantFrom(1, 1, 1, 2),
    staleAfterMs: fc.constantFrom(STALE_AFTER_MS, 600_000),
    spread: fc.constantFrom(undefined, undefined, undefined, undefined, 3),
  })
  .map(({ spread, ...chosen }) => ({
    ...PLAIN,
    ...chosen,
    ...(spread === undefined ? {} : { spread }),
  }))

/** What a tape reports of its trades. */
interface TapeShape {
  /** The price that the first trade is near to. */
  readonly start: number
  readonly hasSides: boolean
  /** From one id to the next; 0 for a tape without ids. */
  readonly idStep: number
}

const shape: fc.Arbitrary<TapeShape> = fc.record({
  start: fc.constantFrom(100, 100, 100, 4),
  hasSides: fc.constantFrom(true, true, false),
  idStep: fc.constantFrom(0, 1, 1, 1, 7),
})

/** A recorded market with orders in it. */
export const randomSession: fc.Arbitrary<Session> = fc
  .record({ settings, shape, moves: fc.array(anyMove, { maxLength: 50, size: 'max' }) })
  .map(({ settings: chosen, shape: tape, moves }) => ({ settings: chosen, steps: stepsOf(moves, tape) }))

/** Trades alone, far apart in price and quantity, and more of them than the spread remembers. */
export const longTape: fc.Arbitrary<Session> = fc
  .array(
    fc.record({
      ...move('trade'),
      at: fc.record({ offset: fc.integer({ min: -3_000, max: 3_000 }) }),
      qty: fc.integer({ min: 1, max: 1_000_000 }),
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      gap: fc.constant('none' as const),
    }),
    { minLength: 200, maxLength: 300 },
  )
  .map((moves) => ({ settings: PLAIN, steps: stepsOf(moves, { start: 1_000_000, hasSides: true, idStep: 0 }) }))

export interface MarketOrders {
  readonly side: Side
  /** Lots of each. */
  readonly parts: readonly number[]
  /** Lots of an order of the other side after them. */
  readonly back: number
}

/** Market orders that are sent at one instant. */
export const randomParts: fc.Arbitrary<MarketOrders> = fc.record({
  side,
  parts: fc.array(fc.oneof({ weight: 6, arbitrary: lots }, { weight: 1, arbitrary: fc.constant(300) }), {
    minLength: 2,
    maxLength: 5,
  }),
  back: lots,
})

function stepsOf(moves: readonly Move[], tape: TapeShape): readonly Step[] {
  const source = new StepSource(tape)
  for (const each of moves) source.add(each)
  return source.steps
}

/** Makes of each move a step, at the time and near the price where the market is by then. */
class StepSource {
  readonly steps: Step[] = []
  readonly #tape: TapeShape
  readonly #limits: PlaceStep[] = []
  #orders = 0
  #lastPrice: number
  #lastId = 0
  #file = 0
  #time = 0

  constructor(tape: TapeShape) {
    this.#tape = tape
    this.#lastPrice = tape.start
  }

  add(move: Move): void {
    this.#time += move.wait
    switch (move.do) {
      case 'trade':
        this.#trade(move)
        return
      case 'limit': {
        const joined = 'back' in move.at ? this.#limits.at(-1 - move.at.back) : undefined
        this.#place(move.account, joined?.side ?? move.side, this.#priceOf(move.at), move.qty)
        return
      }
      case 'market':
        this.#place(move.account, move.side, undefined, move.qty)
        return
      case 'cancel': {
        const order = this.#limits.at(-1 - move.back)?.order
        if (order !== undefined) this.steps.push({ do: 'cancel', time: this.#time, order })
      }
    }
  }

  #priceOf(at: Place): number {
    const offset = 'offset' in at ? at.offset : 0
    const there = 'back' in at ? this.#limits.at(-1 - at.back)?.price : undefined
    return there ?? Math.max(1, this.#lastPrice + offset)
  }

  #trade({ at: place, qty, side: aggressor, gap: before }: Extract<Move, { do: 'trade' }>): void {
    const { hasSides, idStep } = this.#tape
    const last = this.steps.at(-1)
    // What arrives in a millisecond comes after its trades, so this one is in the next.
    if (last !== undefined && last.do !== 'trade' && last.time === this.#time) this.#time += 1
    if (before === 'file') this.#file += 1
    this.#lastId += before === 'jump' ? idStep + 4 : idStep
    this.#lastPrice = this.#priceOf(place)
    this.steps.push({
      do: 'trade',
      time: this.#time,
      price: this.#lastPrice,
      qty,
      side: hasSides ? aggressor : undefined,
      id: idStep === 0 ? undefined : this.#lastId,
      file: this.#file,
    })
  }

  #place(account: string, orderSide: Side, price: number | undefined, qty: number): void {
    this.#orders += 1
    const order = `${account}${this.#orders}`
    const step: PlaceStep = { do: 'place', time: this.#time, order, side: orderSide, price, qty }
    if (price !== undefined) this.#limits.push(step)
    this.steps.push(step)
  }
}
