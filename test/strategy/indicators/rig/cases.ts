/**
 * Every indicator with parameters, the first row that it has a value for, and its definition over a whole series.
 */
import { DAY_MS } from '../../../../src/domain/time.ts'
import * as papertape from '../../../../src/index.ts'
import type { Indicator } from '../../../../src/strategy/indicators/indicator.ts'
import type { CandleNumbers } from '../../../../src/strategy/indicators/input.ts'
import * as naive from './naive.ts'

export type Values = readonly (number | null)[]

export interface IndicatorCase {
  readonly name: string
  readonly first: number
  /** As the definition has it: each value as its numbers, in the order of its fields. */
  readonly naive: (candles: readonly CandleNumbers[]) => naive.Series<Values>
  /** The indicator, its value as its numbers. */
  readonly run: (candles: readonly CandleNumbers[]) => naive.Series<Values>
  readonly indicator: Indicator<CandleNumbers, unknown>
}

type AnySeries = naive.Series<number | null | readonly number[]>

const numbersOf = (value: number | null | readonly number[]): Values =>
  typeof value === 'number' || value === null ? [value] : value

/** Fields of a value in the order of the definition's numbers. */
function fieldsOf(value: unknown, fields: readonly string[]): Values {
  if (typeof value === 'number' || value === null) return [value]
  const record = new Map<string, unknown>(Object.entries(value as object))
  return fields.map((field) => Number(record.get(field)))
}

interface Judged {
  readonly first: number
  readonly fields?: readonly string[]
  readonly naive: (candles: readonly CandleNumbers[], closes: readonly number[]) => AnySeries
}

function caseOf(name: string, indicator: Indicator<CandleNumbers, unknown>, judged: Judged): IndicatorCase {
  const { first, fields = [] } = judged
  return {
    name,
    first,
    indicator,
    naive: (candles) =>
      judged.naive(candles, naive.closes(candles)).map((value) => (value === undefined ? undefined : numbersOf(value))),
    run: (candles) => {
      const run = indicator.start()
      return candles.map((candle) => {
        const value = run.next(candle)
        return value === undefined ? undefined : fieldsOf(value, fields)
      })
    },
  }
}

const BANDS = ['upper', 'middle', 'lower']

/** Correlation takes pairs: here of close and volume. */
function correlationOfCandles(n: number): Indicator<CandleNumbers, number | null> {
  const pairs = papertape.correlation(n)
  return papertape.indicator({
    warmup: pairs.warmup,
    start: () => {
      const run = pairs.start()
      return { next: ({ closeNumber, volumeNumber }: CandleNumbers) => run.next([closeNumber, volumeNumber]) }
    },
  })
}

/** All, with the length or lengths given; `n` at least 2. */
export function casesOf(n: number): readonly IndicatorCase[] {
  const { sma, wma, ema, dema, tema, hma, kama, rsi, macd, roc, momentum, trix, deviation, bollinger } = papertape
  const { zScore, highest, lowest, donchian, linearRegression, trueRange, atr, keltner, superTrend } = papertape
  const { stochastic, williamsR, cci, adx, aroon, parabolicSar, obv, mfi, vwap } = papertape
  const root = Math.round(Math.sqrt(n))
  const [slow, signal, smooth, d] = [2 * n, root + 1, root, n]
  return [
    caseOf('sma', sma(n), { first: n - 1, naive: (_, values) => naive.sma(values, n) }),
    caseOf('wma', wma(n), { first: n - 1, naive: (_, values) => naive.wma(values, n) }),
    caseOf('ema', ema(n), { first: n - 1, naive: (_, values) => naive.ema(values, n) }),
    caseOf('dema', dema(n), { first: 2 * n - 2, naive: (_, values) => naive.dema(values, n) }),
    caseOf('tema', tema(n), { first: 3 * n - 3, naive: (_, values) => naive.tema(values, n) }),
    caseOf('hma', hma(n), { first: n + root - 2, naive: (_, values) => naive.hma(values, n) }),
    caseOf('kama', kama(n), { first: n, naive: (_, values) => naive.kama(values, n) }),
    caseOf('rsi', rsi(n), { first: n, naive: (_, values) => naive.rsi(values, n) }),
    caseOf('macd', macd({ fast: n, slow, signal }), {
      first: slow + signal - 2,
      fields: ['macd', 'signal', 'histogram'],
      naive: (_, values) => naive.macd(values, n, slow, signal),
    }),
    caseOf('roc', roc(n), { first: n, naive: (_, values) => naive.roc(values, n) }),
    caseOf('momentum', momentum(n), { first: n, naive: (_, values) => naive.momentum(values, n) }),
    caseOf('trix', trix(n), { first: 3 * n - 2, naive: (_, values) => naive.trix(values, n) }),
    caseOf('deviation', deviation(n), { first: n - 1, naive: (_, values) => naive.deviation(values, n) }),
    caseOf('bollinger', bollinger(n, 1.5), {
      first: n - 1,
      fields: BANDS,
      naive: (_, values) => naive.bollinger(values, n, 1.5),
    }),
    caseOf('zScore', zScore(n), { first: n - 1, naive: (_, values) => naive.zScore(values, n) }),
    caseOf('highest', highest(n), { first: n - 1, naive: (_, values) => naive.highest(values, n) }),
    caseOf('lowest', lowest(n), { first: n - 1, naive: (_, values) => naive.lowest(values, n) }),
    caseOf('donchian', donchian(n), { first: n - 1, fields: BANDS, naive: (all) => naive.donchian(all, n) }),
    caseOf('linearRegression', linearRegression(n), {
      first: n - 1,
      fields: ['value', 'slope'],
      naive: (_, values) => naive.linearRegression(values, n),
    }),
    caseOf('correlation', correlationOfCandles(n), {
      first: n - 1,
      naive: (all, values) =>
        naive.correlation(
          values,
          all.map(({ volumeNumber }) => volumeNumber),
          n,
        ),
    }),
    caseOf('trueRange', trueRange(), { first: 1, naive: (all) => naive.trueRange(all) }),
    caseOf('atr', atr(n), { first: n, naive: (all) => naive.atr(all, n) }),
    caseOf('keltner', keltner(n, { atr: root, k: 2 }), {
      first: Math.max(n - 1, root),
      fields: BANDS,
      naive: (all) => naive.keltner(all, n, root, 2),
    }),
    caseOf('superTrend', superTrend(n, 1.25), {
      first: n,
      fields: ['line', 'direction'],
      naive: (all) => naive.superTrend(all, n, 1.25),
    }),
    caseOf('stochastic', stochastic({ k: n, smooth, d }), {
      first: n + smooth + d - 3,
      fields: ['k', 'd'],
      naive: (all) => naive.stochastic(all, n, smooth, d),
    }),
    caseOf('williamsR', williamsR(n), { first: n - 1, naive: (all) => naive.williamsR(all, n) }),
    caseOf('cci', cci(n), { first: n - 1, naive: (all) => naive.cci(all, n) }),
    caseOf('adx', adx(n), {
      first: 2 * n - 1,
      fields: ['adx', 'plusDi', 'minusDi'],
      naive: (all) => naive.adx(all, n),
    }),
    caseOf('aroon', aroon(n), { first: n, fields: ['up', 'down'], naive: (all) => naive.aroon(all, n) }),
    caseOf('parabolicSar', parabolicSar(), { first: 1, naive: (all) => naive.parabolicSar(all, 0.02, 0.2) }),
    caseOf('obv', obv(), { first: 0, naive: (all) => naive.obv(all) }),
    caseOf('mfi', mfi(n), { first: n, naive: (all) => naive.mfi(all, n) }),
    caseOf('vwap', vwap(), { first: 0, naive: (all) => naive.vwap(all, DAY_MS) }),
  ]
}
