/**
 * Books of the strategies of a live process, opened at its start if one of them states its capital, and the limits of
 * all of them together.
 */
import type { ExchangeAdapter } from '../adapter/exchange-adapter.ts'
import { invariant } from '../domain/errors.ts'
import type { LiveSessionOptions } from '../runtime/live/live-session.ts'
import { textOfAmounts } from '../runtime/live/live-capital.ts'
import { unlocked } from '../runtime/live/live-wallet.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import { WalletRisk } from '../runtime/session/risk/wallet-risk.ts'
import type { RiskLimits } from '../runtime/settings/risk-limits.ts'
import type { ParamValues } from '../runtime/strategies/params.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { OwnBalances } from '../strategy/own-order.ts'
import type { OwnedStrategy } from './live-strategies.ts'

export interface BooksOptions {
  readonly warn: (text: string) => void
  /** Receives a message about the book of a strategy. */
  readonly log: (owner: string, text: string) => void
  /** Gives each strategy an equal part of the account if none states a capital. */
  readonly needsBooks: boolean
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
  { warn, log, needsBooks }: BooksOptions,
): boolean {
  if (!needsBooks && owned.every(({ capital }) => capital === undefined)) {
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

interface WalletOptions {
  /** Undefined for none. */
  readonly limits: RiskLimits | undefined
  /** That of any strategy; undefined if there is none. */
  readonly adapter: ExchangeAdapter | undefined
  readonly quoteAsset: string
  /** Whether each strategy has a book of its own. */
  readonly hasBooks: boolean
}

/**
 * Limits of all strategies of an account together: of its books and reserve, or of the balances that all of them see.
 */
export function walletRiskOf(
  account: Pick<TradingAccount, 'capital' | 'riskStoreOf'>,
  { limits, adapter, quoteAsset, hasBooks }: WalletOptions,
): WalletRisk | undefined {
  if (limits === undefined || adapter === undefined) return undefined
  const books = hasBooks ? account.capital : undefined
  const balances = (): OwnBalances => (books === undefined ? adapter.balances() : unlocked(books.total().expected))
  const store = account.riskStoreOf?.(undefined)
  return new WalletRisk({ limits, quoteAsset, adapter, balances, isOneAccount: books === undefined, store })
}

/** Warns of strategies that do not run, and still have orders. */
export function warnOfAbsent(
  { absentOwners, conditionalOwners }: TradingAccount,
  owned: readonly OwnedStrategy[],
  warn: (text: string) => void,
): void {
  for (const owner of absentOwners) warn(`'${owner}' is not running but has open orders; they are left alone`)
  for (const absent of conditionalOwners?.() ?? []) {
    if (owned.some(({ owner }) => owner === absent)) continue
    warn(`'${absent}' is not running but has conditional orders; no price triggers them until it runs`)
  }
}

/** Stores of what a session continues. */
export const storesOf = (
  account: TradingAccount,
  owner: string,
): Pick<LiveSessionOptions, 'waits' | 'riskStore' | 'strategyState'> => ({
  waits: account.waitsOf?.(owner),
  riskStore: account.riskStoreOf?.(owner),
  strategyState: account.strategyStateOf?.(owner),
})
