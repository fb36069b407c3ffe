/**
 * Columns of a row that tells several levels: `bids[0].price`, `bid_px_00`, `ask_price_3`, `bid1_price`, with their
 * quantities.
 */
import type { CsvColumns } from './csv-columns.ts'

/** Columns of a level, from 0. */
export interface LevelColumns {
  readonly price: number
  readonly qty: number
}

export interface WideLevels {
  /** Best first; as many as the header has of that side. */
  readonly bids: readonly LevelColumns[]
  readonly asks: readonly LevelColumns[]
}

/** The side, the number of the level and what it is, in any order after the side. */
const NUMBERED = /^(bid|ask)s?[_.[]?(?:(\d+)[\]_.]*([a-z]+)|([a-z]+)[_.[]?(\d+)\]?)$/
const PRICES = new Set(['price', 'px', 'p'])
const QUANTITIES = new Set(['qty', 'size', 'sz', 'amount', 'quantity', 'volume', 'vol', 'q', 'v'])

/** Undefined for a header that does not tell a price and a quantity for each level of both sides. */
export function wideLevels({ names }: CsvColumns): WideLevels | undefined {
  const prices = new Map<string, number>()
  const quantities = new Map<string, number>()
  for (const [column, name] of names.entries()) {
    const [, side = '', before, wordAfter, word = wordAfter ?? '', after] = NUMBERED.exec(name) ?? []
    const key = `${side}${Number(before ?? after)}`
    if (PRICES.has(word)) prices.set(key, column)
    else if (QUANTITIES.has(word)) quantities.set(key, column)
  }
  const side = (of: string): readonly LevelColumns[] => {
    const levels: LevelColumns[] = []
    // Some count from 0, some from 1.
    for (let at = prices.has(`${of}0`) ? 0 : 1; prices.has(`${of}${at}`); at += 1) {
      const [price, qty] = [prices.get(`${of}${at}`), quantities.get(`${of}${at}`)]
      if (price !== undefined && qty !== undefined) levels.push({ price, qty })
    }
    return levels
  }
  const [bids, asks] = [side('bid'), side('ask')]
  const isWhole = bids.length + asks.length === prices.size && bids.length > 0 && asks.length > 0
  return isWhole ? { bids, asks } : undefined
}
