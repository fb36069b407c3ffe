/** The markets of recorded tapes: the precisions that their files need, and the rules that their exchange applies. */
import type { Place } from '../../domain/errors.ts'
import { assetsOfSymbol, type MarketConfig, type MarketFees } from '../../domain/market.ts'
import type { TapeInfo } from '../../tape/tape.ts'

/**
 * One market per symbol, in the order of the tapes, with precisions that fit all of its tapes and books.
 * @param where  the setting that names the tapes
 * @throws {InputError} there, for a symbol that is not of the form BASE_QUOTE
 */
export function recordedMarkets(
  where: Place,
  inspected: readonly { readonly info: Pick<TapeInfo, 'symbol' | 'pricePrecision' | 'qtyPrecision'> }[],
  { makerFeeBps, takerFeeBps }: MarketFees,
): readonly MarketConfig[] {
  const symbols = [...new Set(inspected.map(({ info }) => info.symbol))]
  return symbols.map((symbol) => {
    const infos = inspected.map(({ info }) => info).filter((info) => info.symbol === symbol)
    return {
      id: symbol,
      name: symbol,
      symbol,
      ...assetsOfSymbol(where, symbol),
      pricePrecision: Math.max(...infos.map((info) => info.pricePrecision)),
      qtyPrecision: Math.max(...infos.map((info) => info.qtyPrecision)),
      makerFeeBps,
      takerFeeBps,
      selfTrade: 'allow',
    }
  })
}
