/**
 * Random scripts: markets and the steps that are played in them. How likely each kind of step and each account is, is
 * drawn again for each script, so that some scripts are made of what most of them hardly have.
 */
import { CROWD, type UncountedMatches } from '../../../src/domain/command.ts'
import type { OrderType, Side } from '../../../src/domain/order.ts'
import type { ExchangeConfig, RowPart } from '../../../src/exchange/exchange.ts'
import { Chance } from './chance.ts'
import { MAX_QTY, randomHistory, randomMarkets, USERS } from './random-market.ts'
import type { RandomMarket } from './random-market.ts'

interface RandomOffer {
  /** One of the ladder's prices, counted from 1. */
  readonly price: number
  readonly qty: number
}

export interface RandomOrder {
  readonly account: string
  /** Index into the markets, modulo their number. */
  readonly market: number
  readonly side: Side
  readonly type: OrderType
  /** 0, or one of the ladder's prices, counted from 1. */
  readonly price: number
  readonly qty: number
  readonly matches: 'counted' | UncountedMatches
  /** To it alone. */
  readonly offers: readonly RandomOffer[]
}

/** Of which asset of a market, and of whom. */
interface Holding {
  readonly account: string
  readonly market: number
  readonly of: 'base' | 'quote' | 'unknown'
}

interface RandomPrint {
  readonly market: number
  readonly side: Side
  readonly price: number
  readonly qty: number
}

export type Step =
  | ({ readonly do: 'place' } & RandomOrder)
  /** First makes `available` what the order needs, and `over` units more or less. */
  | ({ readonly do: 'fund-and-place'; readonly over: -1 | 0 | 1 } & RandomOrder)
  /**
   * A market buy of `qty` more than its account can pay: it has what the first `makers` that it meets ask, and `over`
   * units more or less.
   */
  | ({ readonly do: 'fund-in-part'; readonly over: -1 | 0 | 1; readonly makers: number } & RandomOrder)
  | { readonly do: 'cancel'; readonly account: string; readonly pick: number }
  | { readonly do: 'cancel-own'; readonly account: string; readonly pick: number }
  /** The worth of `qty` at `price` of the market, in its quote asset, or the `qty` itself in its base asset. */
  | ({
      readonly do: 'credit'
      readonly price: number
      readonly qty: number
      readonly over: number
      readonly isDebit: boolean
    } & Holding)
  /** Makes `available` 2^`power`, and `over` units more or less. */
  | ({ readonly do: 'credit-to-power'; readonly power: number; readonly over: number } & Holding)
  | ({ readonly do: 'print' | 'list' } & RandomPrint)
  | ({ readonly do: 'enter'; readonly part: RowPart } & RandomPrint)
  /** Offers to everyone whom they would meet on `side`, and to up to `others` behind those. */
  | {
      readonly do: 'take'
      readonly market: number
      readonly side: Side
      readonly offers: readonly RandomOffer[]
      readonly others: number
      /** Who takes first: 0 for the order of the book, else a seed. */
      readonly shuffle: number
      readonly matches: 'counted' | UncountedMatches
    }
  /** An order of the crowd shrinks by `qty`, or as far as it can; by all of it but one lot where that is 0. */
  | { readonly do: 'reduce'; readonly pick: number; readonly qty: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** Recorded rows at any of the prices, so many milliseconds apart. */
  | {
      readonly do: 'burst'
      readonly market: number
      readonly rows: number
      readonly ms: number
      readonly seed: number
    }

export interface RandomScript {
  readonly seed: number
  readonly config: ExchangeConfig
  readonly markets: readonly RandomMarket[]
  /** Everyone who may take part: the users, and the crowd. */
  readonly accounts: readonly string[]
  readonly steps: readonly Step[]
}

const times = <const T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value)

/** Churning ones cancel most orders again, deep ones have a market of many prices, crowded ones many users. */
type Shape = 'tight' | 'churning' | 'deep' | 'crowded'

const SHAPES: readonly Shape[] = [...times<Shape>(46, 'tight'), 'churning', ...times<Shape>(3, 'deep'), 'crowded']
const STEPS = { tight: [20, 140], churning: [200, 400], deep: [60, 160], crowded: [100, 200] } as const

const MANY_USERS = Array.from({ length: 40 }, (_, index) => `user${index}`)

const HOUR = 3_600_000
const WAITS = [0, 1, 999, 60_000, 300_000, HOUR, 24 * HOUR - 1, 24 * HOUR, 25 * HOUR] as const

const PLACES = [...times(6, 'bid'), ...times(6, 'ask'), ...times(8, 'anywhere'), 'zero'] as const
const PLACES_IN_DEEP_BOOKS = [...times(12, 'bid'), ...times(12, 'ask'), 'anywhere'] as const

const MATCHES = ['counted', 'listed', 'ours-listed'] as const
const PARTS: readonly RowPart[] = ['whole', 'volume', 'all-but-volume']

/** How often a kind of step comes, in proportion, before chance has its say. */
const WEIGHTS = {
  limit: 24,
  market: 4,
  'funded-limit': 2,
  'funded-market': 1,
  offered: 2,
  'funded-offered': 2,
  cancel: 2,
  'cancel-own': 3,
  credit: 4,
  'credit-to-power': 1,
  print: 2,
  list: 1,
  enter: 2,
  wait: 3,
  take: 3,
  reduce: 4,
} as const
type Kind = keyof typeof WEIGHTS
const KINDS = Object.keys(WEIGHTS) as Kind[]

export const randomScript = (seed: number): RandomScript => new ScriptWriter(seed).write()

class ScriptWriter {
  readonly #seed: number
  readonly #chance: Chance
  readonly #shape: Shape
  readonly #markets: readonly RandomMarket[]
  readonly #users: readonly string[]
  /** Everyone, each as often as that one is to act. */
  readonly #accounts: readonly string[]
  readonly #actors: readonly string[]
  readonly #kinds: readonly Kind[]
  /** What becomes of matches, as often as it shall; in most scripts all of them count. */
  readonly #matches: readonly RandomOrder['matches'][]
  /** The most expensive price that all markets have. */
  readonly #prices: number

  constructor(seed: number) {
    this.#seed = seed
    this.#chance = new Chance(seed)
    this.#shape = this.#chance.pick(SHAPES)
    this.#markets = randomMarkets(this.#chance, this.#shape === 'deep')
    this.#prices = Math.min(...this.#markets.map(({ ladder }) => ladder.length))
    this.#users = this.#shape === 'crowded' ? MANY_USERS : USERS
    this.#accounts = [...this.#users, CROWD]
    const actors = this.#chance.list(this.#chance.between(2, 8), () => this.#chance.pick(this.#accounts))
    this.#actors = this.#shape === 'crowded' ? this.#accounts : actors
    this.#kinds = this.#drawKinds()
    this.#matches = this.#chance.oneIn(3) ? MATCHES : ['counted']
  }

  write(): RandomScript {
    const quoteAsset = this.#chance.pick(['USD', 'USD', 'BTC'])
    const config = {
      markets: this.#markets.map((each) => each.config),
      quoteAsset,
      history: randomHistory(this.#chance),
    }
    const [least, most] = STEPS[this.#shape]
    const opening = this.#chance.list(this.#chance.between(4, 20) * (this.#shape === 'crowded' ? 4 : 1), () =>
      this.#openingCredit(),
    )
    const steps = this.#chance.list(this.#chance.between(least, most), () => this.#step(this.#chance.pick(this.#kinds)))
    return {
      seed: this.#seed,
      config,
      markets: this.#markets,
      accounts: this.#accounts,
      steps: [...opening, ...this.#openingBook(), ...steps],
    }
  }

  /** Each kind as often as it shall come. */
  #drawKinds(): readonly Kind[] {
    const cancels = this.#shape === 'churning' ? 6 : 1
    return KINDS.flatMap((kind) => {
      const factor = kind === 'limit' ? this.#chance.pick([1, 1, 2]) : this.#chance.pick([0, 1, 1, 1, 3])
      return times(WEIGHTS[kind] * factor * (kind === 'cancel-own' ? cancels : 1), kind)
    })
  }

  #step(kind: Kind): Step {
    switch (kind) {
      case 'limit':
        return { do: 'place', ...this.#order('LIMIT', this.#account()) }
      case 'market':
        return { do: 'place', ...this.#order('MARKET', this.#account()) }
      case 'funded-limit':
        return { do: 'fund-and-place', over: this.#over(), ...this.#order('LIMIT', this.#user()) }
      case 'funded-market':
        return { do: 'fund-and-place', over: this.#over(), ...this.#order('MARKET', this.#user()) }
      case 'offered':
        return { do: 'place', ...this.#offered(this.#account()) }
      case 'funded-offered':
        return { do: 'fund-and-place', over: this.#over(), ...this.#offered(this.#user()) }
      case 'cancel':
      case 'cancel-own':
        return { do: kind, account: this.#account(), pick: this.#chance.below(100) }
      case 'credit':
        return this.#credit()
      case 'credit-to-power':
        return this.#creditToPower()
      case 'print':
      case 'list':
        return { do: kind, ...this.#print() }
      case 'enter':
        return { do: kind, part: this.#chance.pick(PARTS), ...this.#print() }
      case 'wait':
        return { do: 'wait', ms: this.#chance.pick(WAITS) }
      case 'take':
        return this.#take()
      case 'reduce':
        return { do: 'reduce', pick: this.#chance.below(100), qty: this.#chance.oneIn(5) ? 0 : this.#qty() }
    }
  }

  #order(type: OrderType, account: string): RandomOrder {
    const qty = this.#chance.oneIn(20) ? 0 : this.#chance.oneIn(6) ? this.#chance.between(10, MAX_QTY) : this.#qty()
    const matches = this.#chance.pick(this.#matches)
    return { account, market: this.#market(), type, qty, matches, offers: [], ...this.#sideAndPrice() }
  }

  #offered(account: string): RandomOrder {
    const order = this.#order(this.#chance.pick(['LIMIT', 'MARKET']), account)
    return { ...order, offers: this.#offers() }
  }

  #offers(): readonly RandomOffer[] {
    return this.#chance.list(this.#chance.between(1, 5), () => {
      const qty = this.#chance.oneIn(4) ? this.#chance.between(10, MAX_QTY) : this.#qty()
      return { price: this.#price(), qty }
    })
  }

  #print(): RandomPrint {
    return { market: this.#market(), side: this.#side(), price: this.#price(), qty: this.#qty() }
  }

  /** Bids below the middle and asks above it make a book with queues; prices anywhere walk through it. */
  #sideAndPrice(): { side: Side; price: number } {
    const middle = Math.floor(this.#prices / 2)
    const reach = this.#shape === 'deep' ? middle : 3
    switch (this.#chance.pick(this.#shape === 'deep' ? PLACES_IN_DEEP_BOOKS : PLACES)) {
      case 'bid':
        return { side: 'BUY', price: middle + 1 - this.#chance.between(1, reach) }
      case 'ask':
        return { side: 'SELL', price: middle + this.#chance.between(1, reach) }
      case 'anywhere':
        return { side: this.#side(), price: this.#price() }
      case 'zero':
        return { side: this.#side(), price: 0 }
    }
  }

  #holding(account: string): Holding {
    const of = this.#chance.oneIn(20) ? 'unknown' : this.#chance.pick(['base', 'quote'])
    return { account, market: this.#market(), of }
  }

  #credit(): Extract<Step, { do: 'credit' }> {
    const holding = this.#holding(this.#chance.oneIn(8) ? this.#chance.pick(this.#accounts) : this.#account())
    const [price, qty] = [this.#price(), this.#chance.below(MAX_QTY + 1)]
    return { do: 'credit', price, qty, over: this.#over(), isDebit: this.#chance.oneIn(4), ...holding }
  }

  #creditToPower(): Step {
    const [power, over] = [this.#chance.pick([52, 53, 104]), this.#chance.between(-2, 2)]
    return { do: 'credit-to-power', power, over, ...this.#holding(this.#user()) }
  }

  #take(): Step {
    const [market, side, others] = [this.#market(), this.#side(), this.#chance.below(3)]
    const shuffle = this.#chance.oneIn(2) ? 0 : this.#chance.below(2 ** 32)
    const matches = this.#chance.pick(this.#matches)
    return { do: 'take', market, side, offers: this.#offers(), others, shuffle, matches }
  }

  /** So that there is something to trade from the first order on; a deep book takes more of it. */
  #openingCredit(): Step {
    const factor = this.#shape === 'deep' ? 1_000 : 1
    const step = this.#credit()
    const of = this.#chance.pick(['base', 'quote'])
    return { ...step, qty: step.qty * factor, account: this.#user(), of, isDebit: false }
  }

  /** Levels to begin with, where there are to be many; the crowd needs no money for them. */
  #openingBook(): readonly Step[] {
    if (this.#shape !== 'deep') return []
    const middle = Math.floor(this.#prices / 2)
    return this.#chance.list(this.#chance.between(60, 140), () => {
      const side = this.#side()
      const price = side === 'BUY' ? this.#chance.between(1, middle) : this.#chance.between(middle + 1, this.#prices)
      const qty = this.#qty()
      const order = { account: CROWD, market: 0, type: 'LIMIT', side, price, qty, matches: 'counted' } as const
      return { do: 'place', ...order, offers: [] }
    })
  }

  #account(): string {
    return this.#chance.pick(this.#actors)
  }

  #user(): string {
    return this.#chance.pick(this.#users)
  }

  #market(): number {
    return this.#chance.below(6)
  }

  #side(): Side {
    return this.#chance.pick(['BUY', 'SELL'])
  }

  #price(): number {
    return this.#chance.between(1, this.#prices)
  }

  #qty(): number {
    return this.#chance.between(1, 9)
  }

  #over(): -1 | 0 | 1 {
    return this.#chance.pick([-1, 0, 1])
  }
}
