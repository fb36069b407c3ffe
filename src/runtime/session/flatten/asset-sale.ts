/**
 * Sells one asset at market, in pieces that the book can absorb.
 *
 * Each piece is sized by the sellable and available quantity, after a read of the account. A piece refused for lack of
 * liquidity is reduced; after a fill the rest follows. Eight consecutive tries without a fill end the sale in that
 * market.
 * Invariant: a piece is sent only once the outcome of the previous one is known.
 */
import { Decimal, ZERO } from '../../../domain/decimal.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnBalance } from '../../../strategy/own-order.ts'
import type { MarketIntent } from '../../../strategy/place-intent.ts'
import type { OrderFollower } from '../followed-orders.ts'
import type { LeftAsset, SoldAsset } from './flat-report.ts'

export interface AssetSaleParts {
  readonly asset: string
  /** Markets in which it can be sold, the preferred one first. */
  readonly markets: readonly MarketView[]
  readonly sellable: () => Decimal
  readonly balance: () => OwnBalance | undefined
  readonly sell: (intent: MarketIntent, follower: OrderFollower) => void
  readonly after: (delayMs: number, action: () => void) => void
  /** Reads the account again. */
  readonly refresh: (action: () => void) => void
  /** False if the sale was stopped. */
  readonly isWanted: () => boolean
  readonly onDone: () => void
}

const FLATTEN_TAG = 'flatten'

const MAX_EMPTY_TRIES = 8
const SMALLER = 4
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4_000
/** Refusals that a smaller piece, more available balance or a later try may avoid. */
const PASSING: ReadonlySet<string> = new Set(['NO_LIQUIDITY', 'ORDER_REJECTED', 'INSUFFICIENT_BALANCE', 'RATE_LIMITED'])
/** Refusals of a piece because of its size. */
const OF_SIZE: ReadonlySet<string> = new Set(['NO_LIQUIDITY', 'ORDER_REJECTED'])

export class AssetSale {
  readonly asset: string
  readonly #parts: AssetSaleParts
  readonly #soldBySymbol = new Map<string, Decimal>()
  #market = 0
  /** Maximum size of a piece; undefined for everything. */
  #piece: Decimal | undefined
  #emptyTries = 0
  /** Piece with an outstanding outcome. */
  #underWay: Decimal | undefined
  #isDone = false
  #why = ''

  constructor(parts: AssetSaleParts) {
    this.#parts = parts
    this.asset = parts.asset
  }

  get isDone(): boolean {
    return this.#isDone
  }

  get sold(): readonly SoldAsset[] {
    return [...this.#soldBySymbol].map(([symbol, qty]) => ({ asset: this.asset, symbol, qty: qty.toFixed() }))
  }

  /** @param why  reason of a stop; empty if it ended by itself */
  left(why: string): readonly LeftAsset[] {
    const { available, locked } = this.#parts.balance() ?? { available: ZERO, locked: ZERO }
    const whole = this.#parts.sellable().plus(this.#underWay ?? ZERO)
    const qty = Decimal.min(whole, available.plus(locked))
    if (this.#underWay !== undefined) {
      const undecided = 'the last sell has no answer yet; see papertape live orders'
      return [{ asset: this.asset, qty: qty.toFixed(), why: undecided }]
    }
    if (!qty.gt(0)) return []
    return [{ asset: this.asset, qty: qty.toFixed(), why: [why, this.#why].filter((text) => text !== '').join('; ') }]
  }

  /** Sends the next piece, or ends the sale. */
  next(): void {
    const { markets, sellable, balance, sell, isWanted } = this.#parts
    const market = markets[this.#market]
    if (this.#isDone || !isWanted()) return
    if (market === undefined) {
      this.#end()
      return
    }
    const { available, locked } = balance() ?? { available: ZERO, locked: ZERO }
    const whole = sellable()
    const qty = market.floorQty(Decimal.min(whole, available))
    if (!qty.gt(0)) {
      this.#onNothing(market, whole, locked)
      return
    }
    const piece = this.#piece === undefined ? qty : Decimal.min(qty, this.#piece)
    this.#underWay = piece
    sell(
      { type: 'market', symbol: market.symbol, side: 'SELL', qty: piece, tag: FLATTEN_TAG },
      this.#follower(market, piece),
    )
  }

  /** Balance locked by an order may become available. */
  #onNothing(market: MarketView, whole: Decimal, locked: Decimal): void {
    if (locked.gt(0) && market.floorQty(whole).gt(0)) {
      this.#tryAgain(`${locked.toFixed()} ${this.asset} is locked by another open order of the account`)
      return
    }
    if (whole.gt(0)) this.#why = `less than the smallest quantity of ${market.symbol}, ${market.lotSize.toFixed()}`
    this.#end()
  }

  /** Acts on the end of the order, not on its answer, which may be older than the fills. */
  #follower(market: MarketView, piece: Decimal): OrderFollower {
    return {
      isWanted: this.#parts.isWanted,
      process: (event) => {
        if (event.type !== 'ended' && event.type !== 'refused') return
        this.#underWay = undefined
        if (event.type === 'refused') this.#onRefused(market, piece, event.refusal)
        else if (event.order.filledQty.gt(0)) this.#onFilled(market, piece, event.order.filledQty)
        else this.#tryAgain(`${market.symbol} has no bids`)
      },
    }
  }

  #onFilled({ symbol }: MarketView, piece: Decimal, filledQty: Decimal): void {
    this.#soldBySymbol.set(symbol, (this.#soldBySymbol.get(symbol) ?? ZERO).plus(filledQty))
    this.#emptyTries = 0
    this.#why = ''
    if (this.#piece !== undefined && filledQty.eq(piece)) this.#piece = this.#piece.times(SMALLER)
    // The rest of a piece exceeded the book, which needs time to refill.
    this.#pause(filledQty.eq(piece) ? 0 : FIRST_PAUSE_MS)
  }

  /** @param refusal  undefined for a sell that is assumed absent */
  #onRefused(market: MarketView, piece: Decimal, refusal: Refusal | undefined): void {
    if (refusal === undefined) {
      this.#tryAgain('a sell without an answer was not executed')
      return
    }
    const why = `${refusal.code}: ${refusal.message}`
    if (!PASSING.has(refusal.code)) {
      this.#why = why
      this.#end()
      return
    }
    if (OF_SIZE.has(refusal.code)) this.#piece = Decimal.max(market.lotSize, market.floorQty(piece.div(SMALLER)))
    this.#tryAgain(why)
  }

  /** Schedules a retry after a try without a sale. */
  #tryAgain(why: string): void {
    this.#why = why
    this.#emptyTries += 1
    if (this.#emptyTries < MAX_EMPTY_TRIES) {
      this.#pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#emptyTries - 1)))
      return
    }
    this.#emptyTries = 0
    this.#piece = undefined
    this.#market += 1
    if (this.#market < this.#parts.markets.length) this.#pause(0)
    else this.#end()
  }

  #pause(delayMs: number): void {
    const { after, refresh } = this.#parts
    after(delayMs, () => {
      refresh(() => {
        this.next()
      })
    })
  }

  #end(): void {
    this.#isDone = true
    this.#parts.onDone()
  }
}
