/**
 * Check that the intents of earlier sessions are still read as they were written: they are kept in ticks and lots of their markets.
 */
import { InputError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { persistedMarkets, type PersistedMarket } from '../../store/state/live/persisted-facts.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'

type Precision = Omit<PersistedMarket, 'symbol'>

/**
 * Only intents that are not finished count: nothing is done with the others.
 *
 * @param directory  of the state
 * @param markets    as the service lists them now
 * @throws {InputError} naming the market
 */
export function checkKeptMarkets(directory: string, state: LiveState, markets: readonly Market[]): void {
  const keptBySymbol = new Map(persistedMarkets(state).map((kept) => [kept.symbol, kept]))
  for (const { id, symbol, isFinished } of state.intents()) {
    if (isFinished) continue
    const [was, is] = [keptBySymbol.get(symbol), markets.find((market) => market.symbol === symbol)]
    const fault = is === undefined ? 'is no longer listed' : was === undefined ? undefined : differenceOf(was, is)
    if (fault === undefined) continue
    const way = `run 'papertape live orders mark-absent ${id}' if its outcome is unknown, or pass another --state directory`
    throw new InputError(directory, `market ${symbol} ${fault}, but its intent ${id} is not finished: ${way}`)
  }
}

function differenceOf(was: Precision, is: Precision): string | undefined {
  const isSame = was.pricePrecision === is.pricePrecision && was.qtyPrecision === is.qtyPrecision
  return isSame ? undefined : `had ${precisionText(was)} and now has ${precisionText(is)}`
}

const precisionText = ({ pricePrecision, qtyPrecision }: Precision): string =>
  `pricePrecision ${pricePrecision} and qtyPrecision ${qtyPrecision}`
