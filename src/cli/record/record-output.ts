/**
 * A recording as lines for people, and as lines of JSON.
 */
import { isoTime } from '../../domain/time.ts'
import type { RecordStatus } from '../../run/record.ts'
import type { RecordingState } from '../../runtime/recording/recordings.ts'
import { readableCount } from '../../report/readable.ts'

export const statusJson = (type: 'status' | 'end', status: RecordStatus): string =>
  `${JSON.stringify({ type, ...status })}\n`

/** On one line. */
export function statusLine({ time, connection, reconnects, markets }: RecordStatus): string {
  const each = markets.map(
    ({ symbol, trades, gaps, lastPrice }) =>
      `${symbol} ${readableCount(trades, 'trade')}, ${readableCount(gaps, 'gap')}${lastPrice === undefined ? '' : `, last ${lastPrice}`}`,
  )
  const again = reconnects === 0 ? '' : `, ${readableCount(reconnects, 'reconnect')}`
  return [isoTime(time), `${connection}${again}`, ...each].join('  ')
}

/** A line a market. */
export const endLines = ({ markets }: RecordStatus): string => markets.map((market) => `${endLine(market)}\n`).join('')

function endLine({ symbol, file, trades, gaps, moved }: RecordingState): string {
  const times = moved === 0 ? '' : `, ${readableCount(moved, 'time')} moved to the time of the previous trade`
  return `${symbol}  ${readableCount(trades, 'trade')} recorded, ${readableCount(gaps, 'gap')} marked${times}: ${file}`
}
