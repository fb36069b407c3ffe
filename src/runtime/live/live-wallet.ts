/** The books of the strategies of a live account, between which capital moves. */
import { Decimal, decimalOf, unitsOf, ZERO } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { ledgerScales } from '../../domain/market.ts'
import { valueScaleOf } from '../../domain/pricing.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { Amounts } from '../../adapter/live/books/strategy-book.ts'
import type { RebalancedBook, RebalancedWallet } from '../backtest/rebalancing.ts'
import { valuedHoldings } from '../session/valued-holdings.ts'
import type { AccountBooks } from './trading-account.ts'

export interface LiveWalletOptions {
  readonly books: AccountBooks
  /** The strategies in their order. */
  readonly members: readonly (Pick<RebalancedBook, 'look' | 'isActive'> & { readonly owner: string })[]
  readonly queue: EventQueue
  readonly markets: readonly MarketView[]
  readonly quoteAsset: string
  readonly lastPrice: (symbol: string) => Decimal | undefined
  readonly onWarning: (text: string) => void
}

export function liveWallet(options: LiveWalletOptions): RebalancedWallet {
  const { books, members, queue, markets, quoteAsset: asset, lastPrice, onWarning } = options
  const scales = ledgerScales(markets)
  const [scale, ledgerScale] = [valueScaleOf(asset, scales, markets), scales.get(asset) ?? 0]
  const equityOf = (owner: string): bigint | undefined => {
    const balances = (): OwnBalances => unlocked(books.held(owner))
    const { equity, unpriced } = valuedHoldings({ balances, lastPrice, markets }, asset)
    return unpriced.length > 0 ? undefined : unitsDown(equity, scale)
  }
  return {
    queue,
    books: members.map(({ owner, look, isActive }) => ({
      name: owner,
      look,
      isActive,
      equity: () => equityOf(owner),
      free: () => unitsDown(Decimal.max(ZERO, books.free(owner).get(asset) ?? ZERO), ledgerScale),
    })),
    scale,
    ledgerScale,
    history: books.transfers.history,
    execute: (amounts, history) => {
      const decimals = new Map([...amounts].map(([owner, units]) => [owner, decimalOf(units, ledgerScale)]))
      try {
        books.move({ asset, amounts: decimals, history })
        return true
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        onWarning(`no capital moved between the strategies: ${error.message}`)
        return false
      }
    },
    onMissed: (text) => {
      books.transfers.onMissed(text)
    },
  }
}

/** Amounts as balances that no order locks. */
export const unlocked = (amounts: Amounts): OwnBalances =>
  new Map([...amounts].map(([asset, available]) => [asset, { available, locked: ZERO }]))

const unitsDown = (amount: Decimal, scale: number): bigint =>
  unitsOf(amount.toDecimalPlaces(scale, Decimal.ROUND_FLOOR), scale)
