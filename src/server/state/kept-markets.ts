/** Checks that a saved state matches the configured markets: new markets may be added, but none changed or removed. */
import { InputError } from '../../domain/errors.ts'
import { ledgerScales, type MarketConfig } from '../../domain/market.ts'

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

/**
 * The order of the markets is no difference.
 *
 * @returns those that are asked for and that the state does not have yet
 * @throws {InputError} naming the file and the first difference
 */
export function addedMarkets(file: string, kept: Markets, asked: Markets): readonly MarketConfig[] {
  const fault = (message: string): InputError =>
    new InputError(file, `${message}: change the config to match it, or use another state file`)
  if (kept.quoteAsset !== asked.quoteAsset) {
    throw fault(`was saved with the quote asset ${kept.quoteAsset}, but the config has ${asked.quoteAsset}`)
  }
  for (const market of kept.markets) {
    const wanted = asked.markets.find(({ symbol }) => symbol === market.symbol)
    if (wanted === undefined) throw fault(`has the market ${market.symbol}, which the config does not list`)
    for (const field of FIELDS) {
      if (market[field] === wanted[field]) continue
      throw fault(`has ${market.symbol} with ${field} '${market[field]}', but the config has '${wanted[field]}'`)
    }
  }
  const symbols = new Set(kept.markets.map(({ symbol }) => symbol))
  const added = asked.markets.filter(({ symbol }) => !symbols.has(symbol))
  checkDigits(file, kept.markets, added)
  return added
}

/** Everything that was charged was rounded to the digits that an asset had. */
function checkDigits(file: string, kept: readonly MarketConfig[], added: readonly MarketConfig[]): void {
  const digits = ledgerScales(kept)
  for (const market of added) {
    for (const [asset, wanted] of ledgerScales([market])) {
      const has = digits.get(asset)
      if (has === undefined || wanted <= has) continue
      const fields = asset === market.baseAsset ? 'qtyPrecision' : 'pricePrecision and qtyPrecision'
      throw new InputError(
        file,
        `cannot add ${market.symbol}: its ${fields} would give ${asset} ${wanted} decimals, and the state has ${has}: use fewer decimals, or another state file`,
      )
    }
  }
}
