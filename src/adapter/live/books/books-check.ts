/** Compares an account with the books of its strategies, and reports what moved it without a fill of theirs. */
import type { Decimal } from '../../../domain/decimal.ts'
import type { OwnBalances } from '../../../strategy/own-order.ts'
import type { LiveOrderManager } from '../orders/live-order-manager.ts'
import type { StrategyBooks } from './strategy-books.ts'

export interface BooksCheckParts {
  readonly books: StrategyBooks
  readonly manager: Pick<LiveOrderManager, 'intents' | 'own' | 'underWay'>
  /** Reads fills and balances again. */
  readonly readAgain: () => void
  readonly onWarning: (text: string) => void
}

export const differenceText = (asset: string, more: Decimal): string =>
  `the account has ${more.abs().toFixed()} ${asset} ${more.gt(0) ? 'more' : 'less'} than the books of its strategies and the reserve`

export class BooksCheck {
  readonly #parts: BooksCheckParts
  #isOn = false
  /** Differences of the last read, as text. */
  #last = ''
  #warned = ''

  constructor(parts: BooksCheckParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOn = true
  }

  /** Call after every read of the balances. */
  look(balances: OwnBalances): void {
    const { books, readAgain, onWarning } = this.#parts
    if (!this.#isOn || this.#isUnderWay) return
    const lines = [...books.difference(balances)].map(([asset, more]) => differenceText(asset, more))
    const text = lines.join('; ')
    const isConfirmed = text === this.#last
    this.#last = text
    if (text === '') this.#warned = ''
    if (text === '' || text === this.#warned) return
    // Balances may include a fill that was not read before them: a second read decides.
    if (!isConfirmed) readAgain()
    else {
      this.#warned = text
      onWarning(`${text}: a deposit, a withdrawal, an order by hand, or other fees than --maker-fee and --taker-fee`)
    }
  }

  /** Whether a fill may be missing in the books. */
  get #isUnderWay(): boolean {
    const { manager } = this.#parts
    const { own, intents, underWay } = manager
    return underWay > 0 || own.isMissingFills || own.isEnding || intents.inState('UNKNOWN', 'AMBIGUOUS').length > 0
  }
}
