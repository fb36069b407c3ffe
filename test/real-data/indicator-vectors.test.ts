/**
 * The indicators and their definitions against values of TA-Lib on real candles.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as papertape from '../../src/index.ts'
import type { Indicator } from '../../src/strategy/indicators/indicator.ts'
import type { CandleNumbers } from '../../src/strategy/indicators/input.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const VECTORS = join(DATA, 'vectors/indicators-goog.json')
const isPresent = existsSync(VECTORS)

interface Vectors {
  readonly candles: string
  readonly rows: number
  readonly indicators: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>
}

/**
 * With the parameters that stand in the vectors, and its fields by the names that they have there; '' is the value
 * itself.
 */
const OURS: Readonly<Record<string, readonly [Indicator<CandleNumbers, unknown>, Readonly<Record<string, string>>]>> = {
  SMA: [papertape.sma(20), { sma: '' }],
  EMA: [papertape.ema(20), { ema: '' }],
  WMA: [papertape.wma(20), { wma: '' }],
  DEMA: [papertape.dema(20), { dema: '' }],
  TEMA: [papertape.tema(20), { tema: '' }],
  RSI: [papertape.rsi(14), { rsi: '' }],
  MACD: [papertape.macd(), { macd: 'macd', signal: 'signal', hist: 'histogram' }],
  BBANDS: [papertape.bollinger(20, 2), { upper: 'upper', middle: 'middle', lower: 'lower' }],
  TRANGE: [papertape.trueRange(), { tr: '' }],
  ATR: [papertape.atr(14), { atr: '' }],
  ADX: [papertape.adx(14), { adx: 'adx', plusDI: 'plusDi', minusDI: 'minusDi' }],
  CCI: [papertape.cci(20), { cci: '' }],
  STOCH: [papertape.stochastic(), { slowk: 'k', slowd: 'd' }],
  WILLR: [papertape.williamsR(14), { willr: '' }],
  MFI: [papertape.mfi(14), { mfi: '' }],
  OBV: [papertape.obv(), { obv: '' }],
  ROC: [papertape.roc(10), { roc: '' }],
  MOM: [papertape.momentum(10), { mom: '' }],
  TRIX: [papertape.trix(15), { trix: '' }],
  KAMA: [papertape.kama(10), { kama: '' }],
  PSAR: [papertape.parabolicSar(), { psar: '' }],
  AROON: [papertape.aroon(14), { down: 'down', up: 'up' }],
  STDDEV: [papertape.deviation(20), { stddev: '' }],
  LINREG: [papertape.linearRegression(14), { linreg: 'value', slope: 'slope' }],
  VWAP: [papertape.vwap({ anchor: 'none' }), { cumulative: '' }],
  DONCHIAN: [papertape.donchian(20), { upper: 'upper', middle: 'middle', lower: 'lower' }],
  KELTNER: [papertape.keltner(20, { atr: 10, k: 2 }), { upper: 'upper', middle: 'middle', lower: 'lower' }],
  SUPERTREND: [papertape.superTrend(10, 3), { line: 'line', direction: 'direction' }],
}

const SERIES = Object.entries(OURS).flatMap(([name, [indicator, fields]]) =>
  Object.entries(fields).map(([series, field]) => ({ name, series, field, indicator })),
)

const read = (): Vectors => JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors

function candlesOf({ candles, rows }: Vectors): readonly CandleNumbers[] {
  const lines = readFileSync(join(DATA, 'candles', candles), 'utf8')
    .trim()
    .split('\n')
  return lines.slice(1, rows + 1).map((line) => {
    const [date = '', open, high, low, close, volume] = line.split(',')
    const numbers = { openNumber: Number(open), highNumber: Number(high), lowNumber: Number(low) }
    return { time: Date.parse(date), ...numbers, closeNumber: Number(close), volumeNumber: Number(volume) }
  })
}

describe.skipIf(!isPresent)('values of TA-Lib on GOOG (skipped without ../shared/data)', () => {
  it('are of 42 series', () => {
    expect(SERIES).toHaveLength(42)
    expect(Object.keys(OURS).toSorted()).toEqual(Object.keys(read().indicators).toSorted())
  })

  it.each(SERIES)('$name $series to 1e-9, from the same row on', ({ name, series, field, indicator }) => {
    const vectors = read()
    const expected = vectors.indicators[name]?.[series] ?? []
    const run = indicator.start()
    candlesOf(vectors).forEach((candle, row) => {
      const value = run.next(candle)
      const number = field === '' ? value : new Map<string, unknown>(Object.entries(value ?? {})).get(field)
      const other = expected[row]
      // The two lines beside the index have values before it; ours are reported together with it.
      if (number === undefined && name === 'ADX' && row < indicator.warmup) return
      if (typeof number !== 'number' || typeof other !== 'number') expect([row, number ?? null]).toEqual([row, other])
      else expect(Math.abs(number - other), `row ${row}`).toBeLessThanOrEqual(1e-9 * Math.max(1e-3, Math.abs(other)))
    })
  })
})
