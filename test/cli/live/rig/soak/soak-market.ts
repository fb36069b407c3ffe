/**
 * The crowd of the soak: a random walk of quotes and trades in two markets, until it is stopped.
 */
import { Chance } from '../../../../exchange/rig/chance.ts'
import { pause } from '../patience.ts'
import type { Venue } from '../venue.ts'

const TICK_MS = 300
/** Quotes are renewed each so many ticks. */
const TICKS_A_QUOTE = 6
/** Of the price, on both sides. */
const QUOTES = [0.0003, 0.0008]
const START = { BTC_USD: { price: 42_000, qty: '0.4' }, ETH_USD: { price: 2500, qty: '4' } } as const
export type SoakSymbol = keyof typeof START
export const SYMBOLS = Object.keys(START) as readonly SoakSymbol[]

export class SoakMarket {
  readonly #venue: Venue
  readonly #chance: Chance
  readonly #prices = new Map<SoakSymbol, number>(SYMBOLS.map((symbol) => [symbol, START[symbol].price]))
  readonly #walks: readonly Promise<void>[]
  #isOver = false

  constructor(venue: Venue, seed: number) {
    this.#venue = venue
    this.#chance = new Chance(seed)
    this.#walks = SYMBOLS.map((symbol) => this.#walk(symbol))
  }

  /** @param share  of the price, such as -0.002 */
  jump(symbol: SoakSymbol, share: number): void {
    this.#prices.set(symbol, this.priceOf(symbol) * (1 + share))
  }

  priceOf(symbol: SoakSymbol): number {
    return this.#prices.get(symbol) ?? START[symbol].price
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#walks)
  }

  async #walk(symbol: SoakSymbol): Promise<void> {
    let quotes: string[] = []
    for (let tick = 0; !this.#isOver; tick += 1) {
      this.jump(symbol, (this.#chance.fraction() - 0.5) * 0.0005)
      if (tick % TICKS_A_QUOTE === 0) {
        // One that was filled cannot be cancelled.
        for (const id of quotes) await this.#venue.crowdCancel(id).catch(() => undefined)
        quotes = await this.#quote(symbol)
      }
      const qty = (this.#chance.between(1, 99) / (symbol === 'BTC_USD' ? 10_000 : 1000)).toFixed(4)
      await this.#venue.trade(this.priceOf(symbol).toFixed(2), qty, symbol)
      await pause(TICK_MS)
    }
  }

  async #quote(symbol: SoakSymbol): Promise<string[]> {
    const { qty } = START[symbol]
    const ids: string[] = []
    for (const share of QUOTES) {
      for (const side of ['BUY', 'SELL'] as const) {
        const price = this.priceOf(symbol) * (1 + (side === 'BUY' ? -share : share))
        ids.push((await this.#venue.crowdOrder({ symbol, side, price: price.toFixed(2), qty })).id)
      }
    }
    return ids
  }
}
