import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CandleEstimates } from '../../src/simulation/candles/candle-estimates.ts'
import { edgeSpread } from '../../src/simulation/candles/edge-spread.ts'
import { playCandles } from '../simulation/candles/rig/play-candles.ts'
import {
  naiveCandles,
  naiveEdge,
  type NaiveCandle,
  type NaiveFill,
  type NaiveOptions,
  type NaiveRequest,
} from '../simulation/candles/rig/naive-candles.ts'

const DATA = '../shared/data'
const isThere = existsSync(DATA)

interface Vector {
  readonly options: NaiveOptions
  readonly candles: readonly NaiveCandle[]
  readonly requests: readonly NaiveRequest[]
  readonly fills: readonly NaiveFill[]
  readonly estimatesBefore: readonly ({ half: number; R: number; V: number; jump: number } | null)[]
}

const vector = (name: string): Vector => JSON.parse(readFileSync(`${DATA}/vectors/${name}`, 'utf8')) as Vector

/** The first rows of a file of candles, in hundredths. */
function candlesOf(name: string, rows: number): readonly NaiveCandle[] {
  const [, ...lines] = readFileSync(`${DATA}/candles/${name}`, 'utf8').trim().split('\n')
  return lines.slice(0, rows).map((line) => {
    const [time = '', ...cells] = line.split(',')
    const [open = 0, high = 0, low = 0, close = 0] = cells.slice(0, 4).map((cell) => Math.round(Number(cell) * 100))
    const iso = time.includes(' ') ? `${time.replace(' ', 'T')}Z` : `${time}T00:00:00Z`
    return { time: Date.parse(iso), open, high, low, close, volume: Number(cells[4]) }
  })
}

/** Lots by request, time, price and kind: the vectors do not say how a sum was made up. */
function sums(fills: readonly NaiveFill[]): ReadonlyMap<string, number> {
  const lots = new Map<string, number>()
  for (const fill of fills) {
    const key =
      'refused' in fill ? `${fill.id} ${fill.refused}` : `${fill.id} t=${fill.time} at ${fill.price} ${fill.how}`
    lots.set(key, (lots.get(key) ?? 0) + ('refused' in fill ? 1 : fill.qty))
  }
  return lots
}

describe.skipIf(!isThere)('recorded candles, held against vectors', () => {
  const goog = isThere ? candlesOf('backtestingpy_GOOG.csv', 150) : []
  const plays = [
    ['the exchange', playCandles],
    ['the naive one', naiveCandles],
  ] as const

  it.each(plays)('%s fills the requests that were worked by hand as reckoned', (_, play) => {
    const { candles, requests, options, fills } = vector('candles-by-hand.json')
    expect(sums(play(candles, requests, options))).toEqual(sums(fills))
  })

  it.each(
    plays.flatMap(([name, play]) =>
      ['candles-goog.json', 'candles-goog-stops.json'].map((file) => [name, file, play] as const),
    ),
  )('%s agrees with %s in every row', (_, file, play) => {
    const { requests, options, fills } = vector(file)
    expect(sums(play(goog, requests, options))).toEqual(sums(fills))
  })

  it('reckons spread, range, volume and jump before each candle as by hand', () => {
    const { candles, options, estimatesBefore } = vector('candles-by-hand.json')
    const estimates = new CandleEstimates(options.interval, options.spread)
    const reckoned = candles.map((candle) => {
      const { figures } = estimates
      if (candle.volume > 0) estimates.learn(candle)
      return figures === undefined
        ? null
        : { half: figures.halfSpread, R: figures.range, V: figures.volume, jump: figures.jump }
    })
    expect(reckoned).toMatchObject(
      estimatesBefore.map((each) => each && { half: each.half, R: each.R, V: each.V, jump: each.jump }),
    )
  })

  it('finds the spread of Bitstamp, and how sure it is, to nine digits', () => {
    const whole = candlesOf('basana_bitstamp_btcusd_min_2020_01_01.csv', Infinity).filter(({ volume }) => volume > 0)
    const [, ...rows] = readFileSync(`${DATA}/vectors/edge-bitstamp.csv`, 'utf8').trim().split('\n')
    expect(rows).toHaveLength(7)
    for (const row of rows) {
      const [after = 0, spread = 0, t = 0] = row.split(',').map(Number)
      // The file has 1395 candles with volume: the last row is of those from 1300 on.
      const known = whole.slice(Math.max(0, after - 100), after)
      for (const found of [edgeSpread(known), naive(naiveEdge(known))]) {
        expect(found?.ticks).toBeCloseTo(spread, 8)
        expect(found?.t).toBeCloseTo(t, 8)
      }
    }
  })
})

const naive = (edge: ReturnType<typeof naiveEdge>) => edge && { ticks: edge.spread, t: edge.t }
