/**
 * Plays a recorded trade into its market, either as a trade or as a quarantined print. Rows from files and from a live
 * stream are treated alike.
 */
import { invariant } from '../../domain/errors.ts'
import { PRINT_STATUS } from '../../tape/outlier-filter.ts'
import type { GapDetector } from '../../tape/gap-detector.ts'
import type { GapMarks } from '../../tape/gap-marks.ts'
import type { PrintFilter } from '../../tape/print-filter.ts'
import { SIDE_SELL } from '../../tape/tape.ts'
import type { TickRule } from '../../tape/tick-rule.ts'
import type { RecordedMarket } from '../recorded-market.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import type { GapListener, RecordedListener, TapeChannel } from './tape-channel.ts'

/** A channel with its market, looked up once. A class, as `OpenRun` is. */
export class OpenChannel implements TapeChannel {
  readonly symbol: string
  readonly file: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
  readonly marks: GapMarks | undefined
  readonly printFilter: PrintFilter
  readonly listener: RecordedListener | undefined
  readonly market: RecordedMarket

  constructor(
    { symbol, file, tickRule, gapDetector, marks, printFilter, listener }: TapeChannel,
    market: RecordedMarket,
  ) {
    this.symbol = symbol
    this.file = file
    this.tickRule = tickRule
    this.gapDetector = gapDetector
    this.marks = marks
    this.printFilter = printFilter
    this.listener = listener
    this.market = market
  }
}

export function openChannel(simulated: SimulatedMarkets, channel: TapeChannel): OpenChannel {
  const market = simulated.market(channel.symbol)
  invariant(market.isRecorded, `${channel.symbol} is not a recorded market`)
  market.crowd.held = channel.printFilter
  return new OpenChannel(channel, market)
}

/**
 * Plays the next trade of a market.
 *
 * @param side        SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL
 * @param isDoubtful  from its trade conditions; undefined if there are none
 */
export function playRow(
  channel: OpenChannel,
  time: number,
  price: number,
  qty: number,
  side: number,
  isDoubtful: boolean | undefined,
): void {
  const verdict = channel.printFilter.check(time, price, qty, side, isDoubtful)
  if (verdict === PRINT_STATUS.quarantined) {
    channel.market.show(time, price, qty, channel.tickRule.peek(price, side) === SIDE_SELL)
    return
  }
  if (verdict === PRINT_STATUS.confirmed) recordHeld(channel, time)
  const isBuyerMaker = channel.tickRule.next(price, side) === SIDE_SELL
  channel.gapDetector.believed(time)
  channel.listener?.onRecorded(time, price, qty, isBuyerMaker)
  channel.market.record(time, price, qty, isBuyerMaker)
}

/** Something is missing before the row that its detector has just seen. @param to  time of that row */
export function playGap(channel: OpenChannel, to: number, onGap: GapListener | undefined): void {
  const { market, symbol, printFilter, gapDetector } = channel
  market.crowd.gap()
  printFilter.gap()
  onGap?.({ symbol, from: gapDetector.timeBefore, to })
}

/** Prints confirmed later happen at the time of their confirmation. */
function recordHeld({ printFilter, tickRule, listener, market }: OpenChannel, time: number): void {
  for (const { price, qty, side } of printFilter.takeConfirmed()) {
    const isBuyerMaker = tickRule.next(price, side) === SIDE_SELL
    listener?.onRecorded(time, price, qty, isBuyerMaker)
    market.recordLate(time, price, qty, isBuyerMaker)
  }
}
