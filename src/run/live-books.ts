/** Books of the strategies of a live process: opened at its start if one of them states its capital. */
import { invariant } from '../domain/errors.ts'
import { textOfAmounts } from '../runtime/live/live-capital.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import type { ParamValues } from '../runtime/strategies/params.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { OwnedStrategy } from './live-strategies.ts'

export interface BooksListener {
  readonly warn: (text: string) => void
  /** Receives a message about the book of a strategy. */
  readonly log: (owner: string, text: string) => void
}

/** Asset in which a strategy is valued: that of its market. */
export const quoteAssetOf = (markets: readonly MarketView[], { symbol }: ParamValues): string =>
  (markets.find((each) => each.symbol === symbol) ?? markets[0])?.quoteAsset ?? ''

/**
 * @returns whether each strategy has a book of its own
 * @throws {InputError} for an invalid capital, and for more than is free
 */
export function openBooks(
  { capital: books, markets }: TradingAccount,
  owned: readonly OwnedStrategy[],
  params: readonly ParamValues[],
  { warn, log }: BooksListener,
): boolean {
  if (owned.every(({ capital }) => capital === undefined)) {
    const names = books?.owners.map((owner) => `'${owner}'`).join(', ') ?? ''
    const whole = 'no strategy states a capital, so all share the whole account'
    if (names !== '') warn(`${whole}, with the capital that ${names} had in earlier sessions`)
    return false
  }
  invariant(books !== undefined, 'an account of a service has books')
  const asked = owned.map(({ owner, capital }, index) => {
    return { owner, capital, quoteAsset: quoteAssetOf(markets, params[index] ?? {}) }
  })
  const { warnings, reserve, created } = books.open(asked)
  for (const text of warnings) warn(text)
  const rest = textOfAmounts(reserve) || 'nothing'
  for (const { owner } of owned) {
    const words = created.includes(owner) ? 'its capital is' : 'it continues its book with'
    log(owner, `${words} ${textOfAmounts(books.held(owner)) || 'nothing'}; the reserve has ${rest}`)
  }
  return true
}
