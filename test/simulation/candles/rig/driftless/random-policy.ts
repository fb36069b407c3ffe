/**
 * Policies by chance: a signal, an order for it, a way out, a size, and when to give up waiting.
 *
 * Drawn from the corners where rules of fills leak: at the close and the extremes of the last candle, a tick to either
 * side of them, sizes from one lot to half of the volume, both sides at once, exits by target, by stop, by time and by
 * the opposite signal.
 */
import type { Side } from '../../../../../src/domain/order.ts'
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'
import { Chance } from '../../../../exchange/rig/chance.ts'
import type { Act, Policy, Seen } from './policy.ts'

/** 1 to buy, -1 to sell, 0 for neither. */
type Direction = number
type Signal = (candles: readonly RecordedCandle[]) => Direction
/** Where an order is placed from: a price of the last candle, for a side. */
type Anchor = (candle: RecordedCandle, side: Side) => number

interface Figures {
  /** Means of the last candles, in ticks and lots. */
  readonly range: number
  readonly volume: number
}

interface Genes {
  readonly signal: Signal
  readonly entry: 'market' | 'limit' | 'stop'
  readonly exit: 'time' | 'signal' | 'target' | 'bracket'
  readonly bothSides: boolean
  readonly anchor: Anchor
  /** From the anchor to where it is less likely to be filled: in ticks, and in ranges. */
  readonly ticks: number
  readonly ranges: number
  /** Of the volume of a candle; at least one lot. */
  readonly size: number
  /** Candles until an order is cancelled, and until a position is closed. */
  readonly patience: number
  readonly holding: number
  /** Entries that may be held at once. */
  readonly most: number
}

const RECENT = 10
/** More keys than a policy has orders at the end of one candle. */
const KEYS_A_CANDLE = 8

const SIGNALS: readonly ((chance: Chance) => Signal)[] = [
  (chance) => {
    const back = chance.pick([1, 2, 3, 5, 10, 30])
    return (candles) => Math.sign((candles.at(-1)?.close ?? 0) - (candles.at(-1 - back)?.close ?? Number.NaN)) || 0
  },
  () => (candles) => ofLast(candles, ({ open, close }) => Math.sign(close - open)),
  /** The close near an extreme. */
  () => (candles) =>
    ofLast(candles, ({ high, low, close }) => {
      if (high === low) return 0
      const part = (close - low) / (high - low)
      return part > 0.8 ? 1 : part < 0.2 ? -1 : 0
    }),
  /** A long tail. */
  () => (candles) =>
    ofLast(candles, ({ open, high, low, close }) =>
      Math.sign(Math.min(open, close) - low - (high - Math.max(open, close))),
    ),
  /** A jump from close to open, or a hole. */
  () => (candles) => ofLast(candles, ({ open }) => Math.sign(open - (candles.at(-2)?.close ?? open))),
  /** A range beyond the usual, in the direction of its body. */
  () => (candles) =>
    ofLast(candles, ({ open, close, high, low }) =>
      high - low > 1.5 * meanOf(candles, rangeOf) ? Math.sign(close - open) : 0,
    ),
  /** A volume beyond the usual. */
  () => (candles) =>
    ofLast(candles, ({ open, close, volume }) =>
      volume > 1.3 * meanOf(candles, (each) => each.volume) ? Math.sign(close - open) : 0,
    ),
  () => () => 1,
  (chance) => () => chance.pick([-1, 0, 0, 1]),
]

const ANCHORS: readonly Anchor[] = [
  ({ close }) => close,
  ({ open }) => open,
  ({ high, low }) => Math.round((high + low) / 2),
  ({ high, low }, side) => (side === 'BUY' ? low : high),
  ({ high, low }, side) => (side === 'BUY' ? high : low),
]

const rangeOf = ({ high, low }: RecordedCandle): number => high - low

function ofLast(candles: readonly RecordedCandle[], direction: (candle: RecordedCandle) => Direction): Direction {
  const last = candles.at(-1)
  return last === undefined ? 0 : direction(last)
}

const meanOf = (candles: readonly RecordedCandle[], figure: (candle: RecordedCandle) => number): number => {
  const recent = candles.slice(-RECENT)
  return recent.reduce((sum, candle) => sum + figure(candle), 0) / recent.length
}

/** @param canStop  whether it may place stop orders */
export function randomPolicy(seed: number, canStop: boolean): Policy {
  return new RandomPolicy(genesOf(new Chance(seed), canStop), canStop)
}

function genesOf(chance: Chance, canStop: boolean): Genes {
  const signal = chance.pick(SIGNALS)(chance)
  const turn = chance.pick([1, -1])
  return {
    signal: (candles) => turn * signal(candles),
    entry: chance.pick([canStop ? 'stop' : 'limit', 'limit', 'market']),
    exit: chance.pick([canStop ? 'bracket' : 'target', 'target', 'time', 'signal']),
    bothSides: chance.oneIn(3),
    anchor: chance.pick(ANCHORS),
    ticks: chance.pick([-2, -1, 0, 0, 1, 1, 2, 3]),
    ranges: chance.pick([-0.2, 0, 0, 0, 0.05, 0.1, 0.25, 0.5, 1]),
    size: chance.pick([0, 0.001, 0.01, 0.05, 0.2, 0.5]),
    patience: chance.pick([1, 1, 1, 2, 5, 20]),
    holding: chance.pick([1, 1, 2, 5, 20]),
    most: chance.pick([1, 1, 3, 10]),
  }
}

class RandomPolicy implements Policy {
  readonly canStop: boolean
  readonly #genes: Genes
  /** Index of the last candle, and of that at whose end a position was first seen. */
  #index = -1
  #heldSince = 0
  #keys = 0

  constructor(genes: Genes, canStop: boolean) {
    this.canStop = canStop
    this.#genes = genes
  }

  onCandle(seen: Seen): readonly Act[] {
    const { candles, position } = seen
    const last = candles.at(-1)
    this.#index += 1
    this.#keys = 0
    if (position === 0) this.#heldSince = this.#index
    if (last === undefined || this.#index < RECENT) return []
    const figures = { range: meanOf(candles, rangeOf), volume: meanOf(candles, ({ volume }) => volume) }
    const qty = Math.max(1, Math.floor(figures.volume * this.#genes.size))
    const direction = this.#genes.signal(candles)
    return [
      ...this.#cancels(seen),
      ...this.#exits(seen, last, figures, direction),
      ...this.#entries(position, last, figures, direction, qty),
    ]
  }

  #cancels({ waiting }: Seen): readonly Act[] {
    const { patience } = this.#genes
    const isOld = (key: number): boolean => this.#index - Math.floor(key / KEYS_A_CANDLE) >= patience
    return waiting.filter(({ key }) => isOld(key)).map(({ key }) => ({ type: 'cancel', key }))
  }

  #entries(
    position: number,
    last: RecordedCandle,
    figures: Figures,
    direction: Direction,
    qty: number,
  ): readonly Act[] {
    const { bothSides, most } = this.#genes
    if (direction === 0) return []
    const sides: readonly Side[] = bothSides ? ['BUY', 'SELL'] : [direction > 0 ? 'BUY' : 'SELL']
    return sides.flatMap((side) => {
      const isFull = (side === 'BUY' ? position : -position) >= most * qty
      return isFull ? [] : [this.#entry(side, last, figures, qty)]
    })
  }

  #entry(side: Side, last: RecordedCandle, figures: Figures, qty: number): Act {
    const { entry, anchor } = this.#genes
    const away = this.#away(figures)
    if (entry === 'market') return { type: 'market', side, qty }
    // A limit waits on its own side of the anchor, a stop on the other.
    const worse = (entry === 'limit') === (side === 'BUY') ? -away : away
    return { type: entry, key: this.#key(), side, price: anchor(last, side) + worse, qty }
  }

  #exits({ position }: Seen, last: RecordedCandle, figures: Figures, direction: Direction): readonly Act[] {
    const { exit, holding, patience } = this.#genes
    if (position === 0) return []
    const side = position > 0 ? 'SELL' : 'BUY'
    const qty = Math.abs(position)
    const held = this.#index - this.#heldSince
    const isAgainst = exit === 'signal' && direction * position < 0
    if (isAgainst || (exit === 'time' && held >= holding) || held > 20 * holding) return [{ type: 'market', side, qty }]
    if ((exit !== 'target' && exit !== 'bracket') || (held - 1) % patience !== 0) return []
    return this.#wayOut(side, last, figures, qty)
  }

  /** A target ahead, and for a bracket a stop behind. */
  #wayOut(side: Side, { close }: RecordedCandle, figures: Figures, qty: number): readonly Act[] {
    const away = Math.max(1, Math.abs(this.#away(figures))) * (side === 'SELL' ? 1 : -1)
    const limit = { type: 'limit', key: this.#key(), side, price: close + away, qty } as const
    if (this.#genes.exit === 'target') return [limit]
    return [limit, { type: 'stop', key: this.#key(), side, price: close - away, qty, excludes: limit.key }]
  }

  #away({ range }: Figures): number {
    const { ticks, ranges } = this.#genes
    return ticks + Math.round(ranges * range)
  }

  #key(): number {
    this.#keys += 1
    return this.#index * KEYS_A_CANDLE + this.#keys
  }
}
