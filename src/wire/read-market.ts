/** Reads the markets that a service lists (section 4, GET /markets). */
import { InputError, type ExchangeError } from '../domain/errors.ts'
import { assetsOfSymbol, MAX_PRECISION, type Market } from '../domain/market.ts'
import { Fields, readRows, throwUnreadable, type OnUnreadable } from './read-fields.ts'

/** Market of a symbol; undefined when there is none. */
export type MarketOf = (symbol: string) => Market | undefined

/** @throws {ExchangeError} SCHEMA_FAULT, also when none is of its form; one that is listed twice is not */
export function readMarkets(answer: unknown, onUnreadable: OnUnreadable = throwUnreadable): readonly Market[] {
  const symbols = new Set<string>()
  const read = (item: unknown, path: string): Market => {
    const market = readMarket(item, path)
    if (symbols.has(market.symbol)) throw new Fields(item, path).fault('symbol', 'each market once')
    symbols.add(market.symbol)
    return market
  }
  const faults: (readonly [unknown, ExchangeError])[] = []
  const markets = readRows(new Fields(answer, '').value('data'), 'data', read, (...fault) => void faults.push(fault))
  const [first] = faults
  if (first !== undefined && markets.length === 0) throw first[1]
  for (const fault of faults) onUnreadable(...fault)
  return markets
}

function readMarket(item: unknown, path: string): Market {
  const fields = new Fields(item, path)
  return {
    id: fields.text('id'),
    name: fields.text('name'),
    symbol: readSymbol(fields),
    baseAsset: fields.text('baseAsset'),
    quoteAsset: fields.text('quoteAsset'),
    pricePrecision: fields.integer('pricePrecision', 0, MAX_PRECISION),
    qtyPrecision: fields.integer('qtyPrecision', 0, MAX_PRECISION),
  }
}

/** It becomes part of paths and of names of files, so its characters are checked. */
function readSymbol(fields: Fields): string {
  const symbol = fields.text('symbol')
  try {
    assetsOfSymbol('symbol', symbol)
  } catch (error) {
    if (error instanceof InputError) throw fields.fault('symbol', 'the form BASE_QUOTE')
    throw error
  }
  return symbol
}

/** Market of an item of a list; it has to be listed. */
export function readMarketOf(fields: Fields, marketOf: MarketOf): Market {
  const market = marketOf(fields.text('symbol'))
  if (market === undefined) throw fields.fault('symbol', 'the symbol of a listed market')
  return market
}

/** Checks that an item of a response for one market is of that market. */
export function checkSymbol(fields: Fields, { symbol }: Market): void {
  if (fields.value('symbol') !== symbol) throw fields.fault('symbol', `'${symbol}'`)
}
