/** The setup of all points of a sweep, its tapes decoded once into memory that threads share. */
import { throwIfAborted } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { InspectedMarkets } from '../../runtime/backtest/inspected-markets.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import { MAX_SHARED_BYTES, shareTape, type SharedTape } from '../../store/tapes/shared-tape.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import type { SweepSetup } from './sweep-thread.ts'

/** @throws {AbortError} when `signal` says so */
export async function sharedSetup(
  settings: BacktestSettings,
  { inspected, inspectedBooks, inspectedSeries }: InspectedMarkets,
  signal?: AbortSignal,
): Promise<SweepSetup> {
  const markets = recordedMarkets(setting('tapes'), [...inspected, ...inspectedBooks], settings)
  const room = { bytes: MAX_SHARED_BYTES }
  const shared: (SharedTape | undefined)[] = []
  for (const tape of inspected) {
    throwIfAborted(signal)
    const market = markets.find(({ symbol }) => symbol === tape.info.symbol)
    shared.push(market && (await shareTape(openTape(tape, market), room)))
  }
  return {
    settings,
    inspected: inspected.map((tape, index) => withoutRows(tape, shared[index])),
    inspectedBooks,
    inspectedSeries,
    shared,
  }
}

/** Shared rows are not stored twice. */
const withoutRows = (tape: InspectedTape, shared: SharedTape | undefined): InspectedTape =>
  shared === undefined ? tape : { ...tape, rows: undefined }
