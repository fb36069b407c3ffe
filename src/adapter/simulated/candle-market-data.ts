/**
 * Market data that a tape of candles does not tell, refused by name when it is asked for.
 */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES, type CandleInterval } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import type { CandleMarket } from '../../simulation/candles/candle-market.ts'

/** @throws {InputError} for a market that was recorded as candles */
export function refuseTradesOfCandles(symbol: string, candles: CandleMarket | undefined): void {
  if (candles === undefined) return
  const has = `its tape has candles of ${nameOf(candles.intervalMs)}, which tell no trades`
  const example = exampleOf(candles)
  const instead = example === undefined ? '' : `; use candles('${symbol}', '${example}')`
  throw new InputError(`trades('${symbol}')`, `${has}${instead}`)
}

/** @throws {InputError} for candles that those of the tape do not make up */
export function refuseInterval(symbol: string, interval: CandleInterval, candles: CandleMarket | undefined): void {
  if (candles === undefined || isMadeUp(interval, candles)) return
  const known = CANDLE_INTERVAL_NAMES.filter((name) => isMadeUp(name, candles))
  const has = `its tape has candles of ${nameOf(candles.intervalMs)}${candles.isAligned ? '' : ', which do not begin on the hour or minute'}`
  const instead = known.length === 0 ? 'none of the intervals can be made of them' : `ask for ${known.join(', ')}`
  throw new InputError(`candles('${symbol}', '${interval}')`, `${has}; ${instead}`)
}

function isMadeUp(interval: CandleInterval, { intervalMs, isAligned }: CandleMarket): boolean {
  const length = ALL_CANDLE_INTERVALS[interval]
  return length === intervalMs || (isAligned && length % intervalMs === 0)
}

const exampleOf = (candles: CandleMarket): CandleInterval | undefined =>
  CANDLE_INTERVAL_NAMES.find((name) => isMadeUp(name, candles))

const nameOf = (intervalMs: number): string =>
  CANDLE_INTERVAL_NAMES.find((name) => ALL_CANDLE_INTERVALS[name] === intervalMs) ?? `${intervalMs} ms`
