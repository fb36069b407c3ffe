/** Capital that moves between the strategies of a live process at given times. */
import { InputError, invariant } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { Rebalancing } from '../runtime/backtest/rebalancing.ts'
import type { LiveLoop } from '../runtime/live/live-loop.ts'
import type { LiveRun } from '../runtime/live/live-run.ts'
import type { LiveSession } from '../runtime/live/live-session.ts'
import { liveWallet } from '../runtime/live/live-wallet.ts'
import type { TradingAccount } from '../runtime/live/trading-account.ts'
import type { RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'

interface LiveRebalancing {
  readonly account: TradingAccount
  readonly run: LiveRun
  readonly sessions: readonly LiveSession[]
  readonly loop: LiveLoop
  readonly onWarning: (text: string) => void
}

/** @throws {InputError} if the strategies are valued in different assets */
export function checkRebalanced(terms: RebalanceTerms | undefined, quoteAssets: readonly string[]): void {
  const [first, ...others] = quoteAssets
  const other = others.find((asset) => asset !== first)
  if (terms === undefined || first === undefined || other === undefined) return
  const why = `moves one asset, but the markets of the strategies are in ${first} and ${other}`
  throw new InputError(setting('rebalance'), why)
}

/** Call once the sessions have begun. */
export function rebalanceLive(
  terms: RebalanceTerms | undefined,
  { account, run, sessions, loop, onWarning }: LiveRebalancing,
): void {
  const [first] = sessions
  if (terms === undefined || first === undefined) return
  const { capital: books, markets } = account
  const { adapter, quoteAsset } = first.options
  invariant(books !== undefined, 'each strategy has a book')
  const members = sessions.map((session) => ({
    owner: session.owner,
    look: () => {
      session.look()
    },
    isActive: () => session.state === 'ACTIVE' && run.adjusted().includes(session),
  }))
  const lastPrice = adapter.lastPrice.bind(adapter)
  const wallet = liveWallet({ books, members, queue: loop.queue, markets, quoteAsset, lastPrice, onWarning })
  loop.enter(() => {
    new Rebalancing(terms, wallet).begin(loop.now(), undefined)
  })
}
