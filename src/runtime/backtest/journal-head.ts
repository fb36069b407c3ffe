/** The first line of a backtest's journal, which describes the run. */
import type { DepthKinds } from '../../simulation/depth/recorded-depth.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { JournalHead } from '../journal/journal-frame.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

/** @param simulated  of the run, before it begins */
export const journalHead = (
  { loaded, liquidity, settings, creditTexts, ...others }: PreparedBacktest,
  simulated: SimulatedMarkets,
): JournalHead => ({
  ...others,
  strategy: loaded.strategy.name,
  candleMs: new Map([...others.candleTapes].map(([symbol, { intervalMs }]) => [symbol, intervalMs])),
  books: recordedDepths(simulated),
  series: new Map(
    (others.followedSeries ?? others.inspectedSeries.map(({ info }) => info)).map(({ name, sha256 }) => [name, sha256]),
  ),
  liquidity: liquidity.sha256 ?? liquidity.reference,
  terms: settings,
  credits: creditTexts,
})

/** Recorded depth by symbol, for markets whose fills follow a recorded book; other models ignore it. */
const recordedDepths = (simulated: SimulatedMarkets): ReadonlyMap<string, DepthKinds> =>
  new Map(
    simulated.exchange.markets.flatMap(({ symbol }) => {
      const { recordedBook } = simulated.market(symbol).crowd.model
      return recordedBook === undefined ? [] : [[symbol, recordedBook.depth] as const]
    }),
  )
