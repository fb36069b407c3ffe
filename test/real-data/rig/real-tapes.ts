/**
 * The recorded trades of ../shared/data, as far as they are believed.
 *
 * A print that is believed late counts from the moment at which it is, as in a replay. Known limit: the shares come
 * without sides and conditions, so for them the filter decides, and the tick rule later gives a side.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../../src/domain/errors.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { PRINT_STATUS } from '../../../src/tape/outlier-filter.ts'
import { PrintFilter } from '../../../src/tape/print-filter.ts'
import { SIDE_BUY, SIDE_UNKNOWN } from '../../../src/tape/tape.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { tradeBlocks } from '../../tape/rig/trade-blocks.ts'

const TAPES = fileURLToPath(new URL('../../../../shared/data/tapes/', import.meta.url))

export const areTapesThere = existsSync(TAPES)

export interface RealTape {
  readonly name: string
  readonly file: string
  /** Of one order: 0.001 BTC, 0.02 ETH, 100 shares. */
  readonly lots: number
  /** Between two market orders of a side: a market that trades little takes long to forget one. */
  readonly takesEveryMs: number
}

export const REAL_TAPES: readonly RealTape[] = [
  {
    name: 'BTC',
    file: `${TAPES}binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz`,
    lots: 100,
    takesEveryMs: 5_000,
  },
  {
    name: 'ETH',
    file: `${TAPES}binance_spot_ethusdt_trades_20240808T2354-20240809T0005.csv.gz`,
    lots: 200,
    takesEveryMs: 5_000,
  },
  { name: 'IBM', file: `${TAPES}normalised_ibm_20131008_trades.csv.gz`, lots: 100, takesEveryMs: 60_000 },
  { name: 'SPY', file: `${TAPES}normalised_spy_20131008_trades.csv.gz`, lots: 100, takesEveryMs: 60_000 },
]

export function realTape(name: string): RealTape {
  const tape = REAL_TAPES.find((each) => each.name === name)
  invariant(tape !== undefined, `no tape of ${name}`)
  return tape
}

/** Oldest first, in ticks and lots. */
export async function believedTrades({ file }: RealTape): Promise<readonly RecordedRow[]> {
  const inspected = await inspectTape({ file, symbol: 'BTC_USD' })
  const judge = new PrintFilter('auto', 1)
  const rows: RecordedRow[] = []
  for await (const { length, ...block } of tradeBlocks(openTape(inspected, inspected.info))) {
    for (let row = 0; row < length; row += 1) {
      const [time = 0, price = 0, qty = 0] = [block.time[row], block.price[row], block.qty[row]]
      const side = block.side[row] ?? SIDE_UNKNOWN
      const verdict = judge.check(time, price, qty, side, undefined)
      if (verdict === PRINT_STATUS.quarantined) continue
      const held = verdict === PRINT_STATUS.confirmed ? judge.takeConfirmed() : []
      for (const print of [...held, { price, qty, side }]) rows.push(rowOf(time, print))
    }
  }
  return rows
}

function rowOf(time: number, { price, qty, side }: { price: number; qty: number; side: number }): RecordedRow {
  if (side === SIDE_UNKNOWN) return [time, price, qty]
  return [time, price, qty, side === SIDE_BUY ? 'buy' : 'sell']
}
