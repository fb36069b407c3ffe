/**
 * Long random scripts: thousands of orders that rest and that are finished, thousands of rows of a tape, histories that
 * wrap many times, and levels far away that come and go. One kind of step prevails for some hundred steps, then
 * another.
 *
 * What they meet by being long, the short ones of random-script.ts never reach; what is rare in a state of any size,
 * those find sooner.
 */
import { CROWD } from '../../../src/domain/command.ts'
import { invariant } from '../../../src/domain/errors.ts'
import type { Side } from '../../../src/domain/order.ts'
import { Chance } from './chance.ts'
import { market } from './configs.ts'
import type { RandomMarket } from './random-market.ts'
import type { RandomOrder, RandomScript, Step } from './random-script.ts'

const ACTORS = ['alice', 'bob', 'carol', CROWD] as const
/** Is funded for a single order at a time. */
const FUNDED = 'dave'
/** Has few orders open and many finished. */
const FLEETING = 'erin'
const ACCOUNTS = [...ACTORS, FUNDED, FLEETING] as const

/**
 * Ticks between prices that lie far from the middle: within a page of any index, across several, and beyond all of
 * them.
 */
const FAR_GAPS = [1, 7, 63, 64, 1_021, 8_192, 100_003] as const
const NEAR = 120
const FAR = 1_200

const MAX_QTY = 40
/**
 * Lots of a quantity of 1, with the digits that the second market of the quote asset adds: small, at 2^53, at 2^104 and
 * beyond.
 */
const SIZES = [
  { qtyUnit: 1, digits: 10 },
  { qtyUnit: 90_071_993, digits: 3 },
  { qtyUnit: 1_000_000_007, digits: 6 },
  { qtyUnit: 200_000_000_000, digits: 12 },
] as const

/** How a phase is made: each kind of step as often as it stands here. */
const PHASES = {
  fill: { near: 6, far: 14, cross: 0, market: 0, 'in part': 0, cancel: 1, reduce: 1, refused: 1, come: 5, go: 5 },
  churn: { near: 6, far: 1, cross: 1, market: 1, 'in part': 1, cancel: 7, reduce: 2, refused: 1, come: 5, go: 5 },
  'come-and-go': {
    near: 1,
    far: 6,
    cross: 1,
    market: 0,
    'in part': 0,
    cancel: 6,
    reduce: 1,
    refused: 0,
    come: 3,
    go: 3,
  },
  sweep: { near: 5, far: 1, cross: 6, market: 2, 'in part': 2, cancel: 1, reduce: 2, refused: 2, come: 3, go: 3 },
} as const
type Phase = keyof typeof PHASES
type Kind = keyof (typeof PHASES)[Phase]
const PHASE_NAMES = [
  ...(['fill', 'fill', 'fill', 'come-and-go', 'churn', 'sweep', 'fill', 'churn'] as const),
  ...(['come-and-go', 'sweep', 'churn', 'fill', 'come-and-go'] as const),
]

const PHASE_STEPS = 700
const HOUR = 3_600_000
const BURST_ROWS = 1_100
/**
 * A day of rows that are so many milliseconds apart is a power of two, or one more: the log of trades is cut at its
 * very edge.
 */
const EVEN_BURST = { rows: 9_000, ms: [21_092, 21_094] } as const
/** Within a day: the log of trades grows again after it was cut. */
const DENSE_BURST = { rows: 13_000, ms: 1 } as const

const KEPT_ORDERS = [40, 700, 3, Infinity] as const
const KEPT_FILLS = [300, Infinity, 5] as const
const KEPT_TRADES = [10, 1_000, Infinity] as const
const KEPT_CANDLES = [2, 50, Infinity] as const

/** How often a drive looks at a state of this size. */
export const LONG_LOOKS = { lookEvery: 1_500, restartEvery: 22_500, auditEvery: 64 } as const

export const longScript = (seed: number): RandomScript => new LongScriptWriter(seed).write()

class LongScriptWriter {
  readonly #seed: number
  readonly #chance: Chance
  readonly #markets: readonly RandomMarket[]

  constructor(seed: number) {
    this.#seed = seed
    this.#chance = new Chance(seed)
    const { qtyUnit, digits } = inTurn(SIZES, seed)
    const selfTrade = this.#chance.pick(['allow', 'allow', 'reject'] as const)
    const fees = this.#chance.pick([
      { makerFeeBps: '0', takerFeeBps: '0' },
      { makerFeeBps: '3.3333', takerFeeBps: '7.0001' },
    ])
    this.#markets = [
      { config: market('BTC_USD', { selfTrade }), ladder: this.#ladder(), qtyUnit },
      {
        config: market('ETH_USD', { pricePrecision: digits, qtyPrecision: digits, ...fees }),
        ladder: this.#ladder(),
        qtyUnit,
      },
    ]
  }

  write(): RandomScript {
    const history = {
      orders: inTurn(KEPT_ORDERS, this.#seed),
      fills: inTurn(KEPT_FILLS, this.#seed),
      trades: inTurn(KEPT_TRADES, this.#seed),
      candles: inTurn(KEPT_CANDLES, this.#seed),
    }
    return {
      seed: this.#seed,
      config: { markets: this.#markets.map(({ config }) => config), quoteAsset: 'USD', history },
      markets: this.#markets,
      accounts: ACCOUNTS,
      steps: [...this.#openingCredits(), ...this.#openingRows(), ...this.#phases()],
    }
  }

  /** Rising: far bids, near ones, the middle, near asks, far ones. */
  #ladder(): readonly number[] {
    const gaps = (count: number): number[] => this.#chance.list(count, () => this.#chance.pick(FAR_GAPS))
    let price = 0
    return [...gaps(FAR), ...Array.from({ length: 2 * NEAR }, () => 1), ...gaps(FAR)].map((gap) => (price += gap))
  }

  /** Enough for thousands of orders, and not for all of them. */
  #openingCredits(): readonly Step[] {
    return this.#markets.flatMap((_, index) =>
      [...ACTORS, FLEETING].flatMap((account) =>
        (['base', 'quote'] as const).map((of): Step => {
          const qty = MAX_QTY * this.#chance.between(400, 1_500)
          return { do: 'credit', account, market: index, of, price: FAR, qty, over: 0, isDebit: false }
        }),
      ),
    )
  }

  #openingRows(): readonly Step[] {
    const even = this.#burst(EVEN_BURST.rows, inTurn(EVEN_BURST.ms, this.#seed))
    return [even, { do: 'wait', ms: 25 * HOUR }, this.#burst(DENSE_BURST.rows, DENSE_BURST.ms)]
  }

  #phases(): readonly Step[] {
    return PHASE_NAMES.flatMap((phase) => {
      const kinds = kindsOf(phase)
      const steps = this.#chance.list(PHASE_STEPS, () => this.#step(this.#chance.pick(kinds)))
      const pause = { do: 'wait', ms: this.#chance.pick([0, 1, HOUR, 5 * HOUR, 24 * HOUR]) } as const
      return [...steps, this.#burst(BURST_ROWS, this.#chance.pick([0, 1, 20_000, 60_000])), pause]
    })
  }

  #step(kind: Kind): Step {
    switch (kind) {
      case 'near':
        return { do: 'place', ...this.#resting(this.#chance.between(1, NEAR)) }
      case 'far':
        return { do: 'place', ...this.#resting(NEAR + this.#chance.between(1, FAR)) }
      case 'cross':
        return { do: 'place', ...this.#resting(-this.#chance.between(1, NEAR / 4)), qty: this.#qty() * 4 }
      case 'market':
        return { do: 'place', ...this.#order(this.#chance.pick(ACTORS)), type: 'MARKET' }
      case 'come':
        return { do: 'place', ...this.#resting(this.#chance.between(1, NEAR + FAR)), account: FLEETING }
      case 'go':
        return { do: 'cancel-own', account: FLEETING, pick: this.#chance.below(100) }
      case 'in part':
        return this.#shortOfMoney()
      case 'cancel':
        return { do: 'cancel-own', account: this.#chance.pick(ACTORS), pick: this.#chance.below(10_000) }
      case 'reduce':
        return { do: 'reduce', pick: this.#chance.below(10_000), qty: this.#qty() }
      case 'refused':
        return { do: 'cancel', account: this.#chance.pick(ACTORS), pick: this.#chance.below(20_000) }
    }
  }

  /** At a number of prices behind the middle; below 0, beyond it. */
  #resting(behind: number): RandomOrder {
    const order = this.#order(this.#chance.pick(ACTORS))
    const middle = FAR + NEAR
    return { ...order, price: order.side === 'BUY' ? middle + 1 - behind : middle + behind }
  }

  #order(account: string): RandomOrder {
    const [side, qty] = [this.#side(), this.#qty()]
    // Most in one market, so that its book is wide.
    const market = this.#chance.oneIn(4) ? 1 : 0
    return { account, market, side, type: 'LIMIT', price: 1, qty, matches: 'counted', offers: [] }
  }

  /** In the market without fees: others are not walked in doubles. */
  #shortOfMoney(): Step {
    const order = { ...this.#order(FUNDED), market: 0, side: 'BUY', type: 'MARKET' } as const
    const over = this.#chance.pick([-1, 0, 0, 0, 1])
    return { do: 'fund-in-part', over, makers: this.#chance.between(1, 9), ...order }
  }

  /** In one market, so that its log of trades wraps. */
  #burst(rows: number, ms: number): Step {
    return { do: 'burst', market: this.#seed % 2, rows, ms, seed: this.#chance.below(2 ** 32) }
  }

  #side(): Side {
    return this.#chance.pick(['BUY', 'SELL'])
  }

  #qty(): number {
    return this.#chance.between(1, MAX_QTY)
  }
}

function inTurn<T>(list: readonly T[], turn: number): T {
  const item = list[turn % list.length]
  invariant(item !== undefined, 'the list is empty')
  return item
}

function kindsOf(phase: Phase): readonly Kind[] {
  return Object.entries(PHASES[phase]).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind as Kind))
}
