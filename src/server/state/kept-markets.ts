/**
 * A check that a kept state is one of the markets that are asked for: markets are fixed when an exchange is made.
 */
import { InputError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'

interface Markets {
  readonly markets: readonly MarketConfig[]
  readonly quoteAsset: string
}

const FIELDS = [
  'id',
  'name',
  'baseAsset',
  'quoteAsset',
  'pricePrecision',
  'qtyPrecision',
  'makerFeeBps',
  'takerFeeBps',
  'selfTrade',
] as const satisfies readonly (keyof MarketConfig)[]

/** @throws {InputError} naming the file and the first difference; the order of the markets is none */
export function checkMarkets(file: string, kept: Markets, asked: Markets): void {
  const fault = (message: string): InputError => new InputError(file, `${message}; ask for that, or for another file`)
  if (kept.quoteAsset !== asked.quoteAsset) {
    throw fault(`is valued in ${kept.quoteAsset}, asked for is ${asked.quoteAsset}`)
  }
  const symbols = (markets: readonly MarketConfig[]): string =>
    markets
      .map(({ symbol }) => symbol)
      .sort()
      .join(', ')
  if (symbols(kept.markets) !== symbols(asked.markets)) {
    throw fault(`has the markets ${symbols(kept.markets)}, asked for are ${symbols(asked.markets)}`)
  }
  for (const market of kept.markets) {
    const wanted = asked.markets.find(({ symbol }) => symbol === market.symbol)
    for (const field of FIELDS) {
      if (market[field] === wanted?.[field]) continue
      throw fault(`has ${market.symbol} with ${field} '${market[field]}', asked for is '${wanted?.[field] ?? ''}'`)
    }
  }
}
