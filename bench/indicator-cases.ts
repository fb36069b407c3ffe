/**
 * Loops over one walk of candles for each indicator: ours, and those of indicatorts (whole arrays) and trading-signals
 * (one by one) that mean the same.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import * as papertape from '../src/index.ts'

/** A loop over all inputs; what it gives is there so that no engine leaves it out. */
type Loop = () => number

type Batch = Readonly<Record<string, (...columns: readonly unknown[]) => unknown>>
interface Streamed {
  readonly add: (input: unknown) => unknown
}
type Streaming = Readonly<Record<string, new (...args: readonly unknown[]) => Streamed>>

export interface Peers {
  readonly batch: Batch
  readonly streaming: Streaming
}

const INPUTS = 50_000
/** The first two warm up and are not counted. */
const ROUNDS = 9
/** A loop that takes longer than this for an input has one round alone: it would take minutes. */
const SLOW_NS = 2_000

const generator = xoroshiro128plus(11)
const draw = (least: number, most: number): number => uniformInt(generator, least, most)

interface Candle extends papertape.CandleNumbers {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

function candle(time: number, open: number): Candle {
  const close = Math.max(10, open + draw(-600, 600) / 100)
  const [high, low, volume] = [
    Math.max(open, close) + draw(0, 150) / 100,
    Math.min(open, close) - draw(0, 150) / 100,
    draw(1, 99_999) / 8,
  ]
  const numbers = { openNumber: open, highNumber: high, lowNumber: low, closeNumber: close, volumeNumber: volume }
  return { time, open, high, low, close, volume, ...numbers }
}

const candles: Candle[] = []
for (let row = 0; row < INPUTS; row += 1) candles.push(candle(row * 60_000, candles.at(-1)?.close ?? 20_000))
const [highs, lows, closes, volumes] = [
  candles.map(({ high }) => high),
  candles.map(({ low }) => low),
  candles.map(({ close }) => close),
  candles.map(({ volume }) => volume),
]

const fed =
  <Input>(make: () => papertape.Indicator<Input, unknown>, inputs: readonly Input[]): Loop =>
  () => {
    const run = make().start()
    let given = 0
    for (const input of inputs) if (run.next(input) !== undefined) given += 1
    return given
  }

const added =
  (make: () => Streamed, inputs: readonly unknown[]): Loop =>
  () => {
    const run = make()
    let given = 0
    for (const input of inputs) if (run.add(input) !== null) given += 1
    return given
  }

/** Ours, theirs as a whole array, theirs one by one; undefined where a peer has none that means the same. */
type Case = (peers: Peers | undefined) => readonly (Loop | undefined)[]

type BatchOf = (batch: Batch) => unknown
type StreamOf = (streaming: Streaming) => Streamed

const caseOf =
  (ours: Loop, inputs: readonly unknown[], whole: BatchOf | undefined, single: StreamOf | undefined): Case =>
  (peers) => [
    ours,
    peers === undefined || whole === undefined ? undefined : () => (whole(peers.batch) === undefined ? 0 : 1),
    peers === undefined || single === undefined ? undefined : added(() => single(peers.streaming), inputs),
  ]

const ofValues = (make: () => papertape.Indicator<number, unknown>, whole?: BatchOf, single?: StreamOf): Case =>
  caseOf(fed(make, closes), closes, whole, single)
const ofCandles = (make: () => papertape.Indicator<Candle, unknown>, whole?: BatchOf, single?: StreamOf): Case =>
  caseOf(fed(make, candles), candles, whole, single)

const made = (streaming: Streaming, name: string, ...args: readonly unknown[]): Streamed => {
  const Made = streaming[name]
  if (Made === undefined) throw new Error(`trading-signals has no ${name}`)
  return new Made(...args)
}
const asked = (batch: Batch, name: string, ...args: readonly unknown[]): unknown => {
  const ask = batch[name]
  if (ask === undefined) throw new Error(`indicatorts has no ${name}`)
  return ask(...args)
}

const period = { period: 20 }

/** A loop each by the name of ours. */
export const CASES: Readonly<Record<string, Case>> = {
  sma: ofValues(
    () => papertape.sma(20),
    (b) => asked(b, 'sma', closes, period),
    (s) => made(s, 'SMA', 20),
  ),
  wma: ofValues(
    () => papertape.wma(20),
    undefined,
    (s) => made(s, 'WMA', 20),
  ),
  ema: ofValues(
    () => papertape.ema(20),
    (b) => asked(b, 'ema', closes, period),
    (s) => made(s, 'EMA', 20),
  ),
  dema: ofValues(
    () => papertape.dema(20),
    (b) => asked(b, 'dema', closes, period),
    (s) => made(s, 'DEMA', 20),
  ),
  tema: ofValues(
    () => papertape.tema(20),
    (b) => asked(b, 'tema', closes, period),
    (s) => made(s, 'TEMA', 20),
  ),
  hma: ofValues(
    () => papertape.hma(20),
    undefined,
    (s) => made(s, 'HMA', 20),
  ),
  kama: ofValues(
    () => papertape.kama(10),
    undefined,
    (s) => made(s, 'KAMA', { erInterval: 10, fastInterval: 2, slowInterval: 30 }),
  ),
  rsi: ofValues(
    () => papertape.rsi(14),
    (b) => asked(b, 'rsi', closes, { period: 14 }),
    (s) => made(s, 'RSI', 14),
  ),
  macd: ofValues(
    () => papertape.macd(),
    (b) => asked(b, 'macd', closes),
    (s) => made(s, 'MACD', made(s, 'EMA', 12), made(s, 'EMA', 26), made(s, 'EMA', 9)),
  ),
  roc: ofValues(
    () => papertape.roc(10),
    (b) => asked(b, 'roc', closes, { period: 10 }),
    (s) => made(s, 'ROC', 10),
  ),
  momentum: ofValues(
    () => papertape.momentum(10),
    undefined,
    (s) => made(s, 'MOM', 10),
  ),
  trix: ofValues(
    () => papertape.trix(15),
    (b) => asked(b, 'trix', closes, { period: 15 }),
    (s) => made(s, 'TRIX', 15),
  ),
  deviation: ofValues(
    () => papertape.deviation(20),
    (b) => asked(b, 'movingStandardDeviation', closes, period),
  ),
  bollinger: ofValues(
    () => papertape.bollinger(20, 2),
    (b) => asked(b, 'bollingerBands', closes, period),
    (s) => made(s, 'BollingerBands', 20, 2),
  ),
  zScore: ofValues(() => papertape.zScore(20)),
  highest: ofValues(
    () => papertape.highest(20),
    (b) => asked(b, 'mmax', closes, period),
  ),
  lowest: ofValues(
    () => papertape.lowest(20),
    (b) => asked(b, 'mmin', closes, period),
  ),
  linearRegression: ofValues(
    () => papertape.linearRegression(14),
    undefined,
    (s) => made(s, 'LinearRegression', 14),
  ),
  donchian: ofCandles(
    () => papertape.donchian(20),
    undefined,
    (s) => made(s, 'DonchianChannels', 20),
  ),
  trueRange: ofCandles(
    () => papertape.trueRange(),
    (b) => asked(b, 'tr', highs, lows, closes),
    (s) => made(s, 'TR'),
  ),
  atr: ofCandles(
    () => papertape.atr(14),
    (b) => asked(b, 'atr', highs, lows, closes, { period: 14 }),
    (s) => made(s, 'ATR', 14),
  ),
  keltner: ofCandles(
    () => papertape.keltner(20, { atr: 20, k: 2 }),
    (b) => asked(b, 'kc', highs, lows, closes, period),
    (s) => made(s, 'KeltnerChannels', { atrInterval: 20, emaInterval: 20, multiplier: 2 }),
  ),
  superTrend: ofCandles(
    () => papertape.superTrend(10, 3),
    undefined,
    (s) => made(s, 'SuperTrend', { interval: 10, multiplier: 3 }),
  ),
  stochastic: ofCandles(
    () => papertape.stochastic(),
    (b) => asked(b, 'stoch', highs, lows, closes, { kPeriod: 14, dPeriod: 3 }),
    (s) => made(s, 'StochasticOscillator', { kPeriod: 14, kSlowingPeriod: 3, dPeriod: 3 }),
  ),
  williamsR: ofCandles(
    () => papertape.williamsR(14),
    (b) => asked(b, 'willr', highs, lows, closes, { period: 14 }),
    (s) => made(s, 'WilliamsR', 14),
  ),
  cci: ofCandles(
    () => papertape.cci(20),
    (b) => asked(b, 'cci', highs, lows, closes, period),
    (s) => made(s, 'CCI', 20),
  ),
  adx: ofCandles(
    () => papertape.adx(14),
    undefined,
    (s) => made(s, 'ADX', 14),
  ),
  aroon: ofCandles(
    () => papertape.aroon(14),
    (b) => asked(b, 'aroon', highs, lows, { period: 14 }),
    (s) => made(s, 'Aroon', 14),
  ),
  parabolicSar: ofCandles(
    () => papertape.parabolicSar(),
    (b) => asked(b, 'psar', highs, lows, closes),
    (s) => made(s, 'PSAR', { accelerationStep: 0.02, accelerationMax: 0.2 }),
  ),
  obv: ofCandles(
    () => papertape.obv(),
    (b) => asked(b, 'obv', closes, volumes),
    (s) => made(s, 'OBV', 5),
  ),
  mfi: ofCandles(
    () => papertape.mfi(14),
    (b) => asked(b, 'mfi', highs, lows, closes, volumes, { period: 14 }),
    (s) => made(s, 'MFI', 14),
  ),
  vwap: ofCandles(
    () => papertape.vwap({ anchor: 'none' }),
    undefined,
    (s) => made(s, 'VWAP'),
  ),
}

/** One of ours with a window of that length. */
export function lengthCase(name: string, length: number): Loop {
  const { sma, wma, ema, deviation, linearRegression, highest, kama, stochastic, mfi, cci } = papertape
  const values = { sma, wma, ema, deviation, linearRegression, highest, kama }
  const ofCandle = { mfi, cci, stochastic: (k: number) => stochastic({ k }) }
  for (const [each, make] of Object.entries(values)) if (each === name) return fed(() => make(length), closes)
  for (const [each, make] of Object.entries(ofCandle)) if (each === name) return fed(() => make(length), candles)
  throw new Error(`no indicator ${name}`)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

function nanoseconds(loop: Loop): number {
  const before = process.cpuUsage()
  if (loop() === 0) throw new Error('an indicator gave nothing')
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1_000) / INPUTS
}

/**
 * Nanoseconds of the processor an input: the loops in turn, the median of the rounds; NaN for a loop that is not there.
 */
export function measured(loops: readonly (Loop | undefined)[]): readonly number[] {
  const rounds: number[][] = loops.map((loop) => (loop === undefined ? [] : [nanoseconds(loop)]))
  for (let round = 1; round < ROUNDS; round += 1) {
    loops.forEach((loop, index) => {
      const times = rounds[index] ?? []
      if (loop !== undefined && (times[0] ?? 0) < SLOW_NS) times.push(nanoseconds(loop))
    })
  }
  return rounds.map((times) => median(times.length < ROUNDS ? times : times.slice(2)))
}
