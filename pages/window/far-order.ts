/**
 * The question before an order that would trade far from the best price.
 *
 * Known limit: the window sees the first levels of the book only; what an order would take beyond them is not known.
 */
import type { WindowBook, WindowLevels } from '../../src/server/window/window-frame.ts'
import { grouped } from '../parts/words.ts'
import type { Question } from './confirm.ts'

/** Share of the best price beyond which a price is far. */
const FAR = 0.01

/** An order as the form has it; the service judges whether its fields are valid. */
export interface FormOrder {
  readonly symbol: string
  readonly side: string
  readonly type: string
  readonly price?: string
  readonly qty: string
}

/** @returns undefined for an order that rests, or trades near the best price */
export function farOrderQuestion(order: FormOrder, book: WindowBook | undefined): Question | undefined {
  const { symbol, side, type, price, qty } = order
  if (book?.symbol !== symbol) return undefined
  const isBuy = side === 'BUY'
  const levels = isBuy ? book.asks : book.bids
  const [best] = levels[0] ?? []
  if (best === undefined) return undefined
  const [asset = ''] = symbol.split('_')
  const verb = isBuy ? 'Buy' : 'Sell'
  const [question, action] = [`${verb} ${qty} ${asset} far from the market?`, `${verb} anyway`]
  const away = (at: string): string => `${(distance(at, best, isBuy) * 100).toFixed(1)} %`
  const than = isBuy ? `above the best ask of ${grouped(best)}` : `below the best bid of ${grouped(best)}`
  const worst = worstPrice(levels, qty)
  if (type === 'MARKET') {
    if (worst === undefined) {
      const seen = grouped(levels.at(-1)?.[2] ?? '0')
      const text = `The ${levels.length} best ${isBuy ? 'asks' : 'bids'} hold only ${seen} ${asset}. The rest of a market order trades at worse prices, or is cancelled.`
      return { title: question, text, action }
    }
    if (distance(worst, best, isBuy) < FAR) return undefined
    const text = `The order book has so little to trade with that a part of the order trades at ${grouped(worst)}, ${away(worst)} ${than}.`
    return { title: question, text, action }
  }
  if (price === undefined || !(distance(price, best, isBuy) >= FAR)) return undefined
  const text = `The limit price of ${grouped(price)} is ${away(price)} ${than}. The order trades immediately with everything up to that price.`
  return { title: question, text, action }
}

/** Share of the best price by which a price is worse than it. */
const distance = (price: string, best: string, isBuy: boolean): number =>
  ((Number(price) - Number(best)) / Number(best)) * (isBuy ? 1 : -1)

/** Price of the level at which a quantity is filled; undefined beyond the levels. */
const worstPrice = (levels: WindowLevels, qty: string): string | undefined =>
  levels.find(([, , total]) => Number(total) >= Number(qty))?.[0]
