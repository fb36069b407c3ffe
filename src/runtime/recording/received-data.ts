/** Keeps the market data of a session as it arrives, without which its twin cannot be run. */
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { LiveSeries } from '../../adapter/live/live-series.ts'
import type { LiveTime } from '../../adapter/live/live-time.ts'
import type { ReceivedFile, ReceivedRow } from '../../store/runs/received-file.ts'
import type { SeriesRow } from '../../domain/series-row.ts'
import type { MarketTrade } from '../../strategy/market-data.ts'

type Feed = Pick<ExchangeAdapter, 'trades' | 'gaps'>

export type PastTrade = Omit<ReceivedRow, 'arrivedAt'>

export interface ReceivedParts {
  readonly file: ReceivedFile
  /** Undefined for none. */
  readonly feed: Feed | undefined
  readonly symbols: readonly string[]
  readonly time: LiveTime
  /** Trades from before the start, oldest first of each market. */
  readonly past: readonly PastTrade[]
  /** Default: none. */
  readonly series?: readonly LiveSeries[] | undefined
}

/** Interval between two writes. */
const FLUSH_MS = 1_000

export const pastTrade = ({ id, symbol, createdAt, price, qty, isBuyerMaker }: MarketTrade): PastTrade => ({
  symbol,
  createdAt,
  trade: { id, price: price.toFixed(), qty: qty.toFixed(), isBuyerMaker },
})

/** Call before a strategy listens. @returns ends it */
export function keepReceived({ file, feed, symbols, time, past, series = [] }: ReceivedParts): () => void {
  const listening = new Subscription()
  for (const trade of past) file.append({ ...trade, arrivedAt: undefined })
  for (const symbol of symbols) {
    listening.add(
      feed?.gaps(symbol).subscribe(({ from }) => {
        file.append({ arrivedAt: time.now(), symbol, createdAt: from, trade: undefined })
      }),
    )
    listening.add(
      feed?.trades(symbol).subscribe((trade) => {
        file.append({ ...pastTrade(trade), arrivedAt: time.now() })
      }),
    )
  }
  for (const { name, latest, isSeen, arrived$ } of series) {
    const append = ({ timestamp, ...cells }: SeriesRow, when: Pick<ReceivedRow, 'arrivedAt' | 'isSeen'>): void => {
      file.append({ ...when, symbol: name, createdAt: timestamp, trade: undefined, cells })
    }
    if (latest !== undefined) append(latest, { arrivedAt: undefined, isSeen })
    listening.add(
      arrived$.subscribe((row) => {
        append(row, { arrivedAt: time.now() })
      }),
    )
  }
  let timer = time.after(FLUSH_MS, flush)
  function flush(): void {
    file.flush()
    timer = time.after(FLUSH_MS, flush)
  }
  return () => {
    timer.cancel()
    listening.unsubscribe()
    file.close()
  }
}
