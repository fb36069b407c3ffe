/** The markets of a run that are recorded as candles, and the rules of fills in them. */
import { lengthText } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { LongWaits } from '../../simulation/candles/candle-market.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { CandleTerms } from '../../simulation/candles/candle-terms.ts'
import { followsBook, isLiquidityName, type LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import { placeOf } from '../settings/run-terms.ts'
import type { LiquidityChoice } from './liquidity-choice.ts'

/** The combined tapes of a market that is recorded as candles. */
export type CandleTape = Pick<CandleTerms, 'intervalMs' | 'isAligned' | 'closesAtNext' | 'zone'>

/**
 * Candle tapes by symbol, without markets of trades.
 * @throws {InputError} for tapes of one market with different kinds, or with candles of different lengths or zones
 */
export function candleTapesOf(inspected: readonly InspectedTape[]): ReadonlyMap<string, CandleTape> {
  const tapes = new Map<string, CandleTape>()
  for (const { info, source } of inspected) {
    const alike = inspected.filter((each) => each.info.symbol === info.symbol)
    const others = alike.map((each) => each.info)
    for (const other of others) checkLikeness(info, other)
    if (info.intervalMs === undefined) continue
    for (const other of alike) checkZones(info, source.zone, other)
    tapes.set(info.symbol, {
      intervalMs: info.intervalMs,
      isAligned: others.every(({ isAligned }) => isAligned === true),
      closesAtNext: others.some(({ closesAtNext }) => closesAtNext === true),
      zone: source.zone,
    })
  }
  return tapes
}

function checkLikeness(info: TapeInfo, other: TapeInfo): void {
  if (info.kind !== other.kind) {
    throw new InputError(
      setting('tapes'),
      `${info.symbol} has ${info.kind} in ${info.file} and ${other.kind} in ${other.file}: use one kind per market`,
    )
  }
  if (info.intervalMs !== other.intervalMs) {
    throw new InputError(
      setting('tapes'),
      `${info.symbol} has candles of ${lengthText(info.intervalMs ?? 0)} in ${info.file} and of ${lengthText(other.intervalMs ?? 0)} in ${other.file}`,
    )
  }
}

/** All tapes of a market must have days of the same zone. */
function checkZones({ symbol, file }: TapeInfo, zone = 'UTC', { info, source }: InspectedTape): void {
  const other = source.zone ?? 'UTC'
  if (zone === other) return
  throw new InputError(
    setting('tapes'),
    `${symbol} has the zone ${zone} in ${file} and ${other} in ${info.file}: use the same zone for both`,
  )
}

/** @throws {InputError} for a custom liquidity model, which supports trades only */
export function checkModelForCandles({ reference }: LiquidityChoice, tapes: ReadonlyMap<string, CandleTape>): void {
  const [symbol] = tapes.keys()
  if (symbol === undefined || isLiquidityName(reference)) return
  throw new InputError(
    placeOf('liquidity'),
    `a custom liquidity model needs trades, but ${symbol} was recorded as candles`,
  )
}

/** Remarks about the reliability of fills on candles. */
export interface CandleRemarks {
  /** Orders filled at a spread of one tick, because none was given and none could be estimated. */
  readonly isSpreadGuessed: boolean
  readonly longWaits: LongWaits
}

/** Remarks by symbol. */
export const candleRemarks = (
  candleTapes: ReadonlyMap<string, CandleTape>,
  simulated: SimulatedMarkets,
): ReadonlyMap<string, CandleRemarks> =>
  new Map(
    [...candleTapes.keys()].flatMap((symbol) => {
      const { candles } = simulated.market(symbol)
      if (candles === undefined) return []
      return [[symbol, { isSpreadGuessed: candles.orders.estimates.isSpreadGuessed, longWaits: candles.longWaits }]]
    }),
  )

/** Rule of fills in a candle under a model. */
export const candleFills = ({ reference }: LiquidityChoice): CandleTerms['fills'] =>
  isLiquidityName(reference) && !followsBook(reference) ? reference : 'tape'

interface MarketsAndModel {
  readonly candleTapes: ReadonlyMap<string, CandleTape>
  readonly liquiditySetups: ReadonlyMap<string, LiquiditySetup>
  readonly liquidity: LiquidityChoice
}

/** Rules of each market that is recorded as candles, by symbol. */
export const candleTermsOf = ({
  candleTapes,
  liquiditySetups,
  liquidity,
}: MarketsAndModel): ReadonlyMap<string, CandleTerms> =>
  new Map(
    [...candleTapes].map(([symbol, tape]) => {
      return [symbol, { ...tape, spread: liquiditySetups.get(symbol)?.spread, fills: candleFills(liquidity) }]
    }),
  )
