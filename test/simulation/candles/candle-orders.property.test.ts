/**
 * Orders on recorded candles: the exchange against the rules written once more as plainly as they read.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCandles, naiveEstimates, type NaiveFill } from './rig/naive-candles.ts'
import { naiveIdeal } from './rig/naive-ideal.ts'
import { playCandles } from './rig/play-candles.ts'
import { candleScripts, type CandleScript } from './rig/random-candles.ts'
import { runs } from '../../property/property.ts'

/** Lots by request, time, price and kind. */
function sums(fills: readonly NaiveFill[]): ReadonlyMap<string, number> {
  const lots = new Map<string, number>()
  for (const fill of fills) {
    const key =
      'refused' in fill
        ? `${fill.id} ${fill.refused} t=${fill.time}`
        : `${fill.id} t=${fill.time} at ${fill.price} ${fill.how}`
    lots.set(key, (lots.get(key) ?? 0) + ('refused' in fill ? 1 : fill.qty))
  }
  return new Map([...lots].sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe('orders on recorded candles', () => {
  it.each([
    ['tape', 1],
    ['through', 2],
    ['touch', 0],
  ] as const)('are filled under %s as the rules say, lot for lot', (fills, strictness) => {
    const reached = new Map(CORNERS.map((corner) => [corner, 0]))
    fc.assert(
      fc.property(candleScripts(), ({ candles, requests, options }) => {
        const script = { candles, requests, options: { ...options, strictness } }
        const expected = naiveCandles(candles, requests, script.options)
        expect(sums(playCandles(candles, requests, script.options, fills))).toEqual(sums(expected))
        for (const corner of cornersOf(script, expected)) reached.set(corner, (reached.get(corner) ?? 0) + 1)
      }),
      { numRuns: runs(400) },
    )
    for (const [corner, times] of reached) expect(times, corner).toBeGreaterThan(0)
  })

  it('are filled under ideal at the open and where they are touched, whole', () => {
    const reached = { open: 0, body: 0, stop: 0, refused: 0 }
    fc.assert(
      fc.property(candleScripts(), ({ candles, requests, options }) => {
        const plain = requests.filter((request) => 'cancel' in request || request.type !== 'STOP')
        const expected = naiveIdeal(candles, plain, options)
        expect(sums(playCandles(candles, plain, options, 'ideal'))).toEqual(sums(expected))
        for (const fill of expected) reached['refused' in fill ? 'refused' : (fill.how as 'open')] += 1
      }),
      { numRuns: runs(200) },
    )
    expect(reached).toMatchObject({ open: expect.any(Number), body: expect.any(Number) })
    expect(Math.min(reached.open, reached.body, reached.refused)).toBeGreaterThan(0)
  })
})

const CORNERS = [
  'filled in a body',
  'two orders of a side share a body',
  'taken at an open',
  'a stop inside a candle',
  'a stop at an open',
  'a limit that the open has passed after a hole',
  'a limit that the open of a day has passed',
  'refused before the first candle is over',
  'refused at the end',
  'a spread learnt',
  'a spread of a tick for want of a better',
  'a stop is ended by its target',
  'a flat candle fills',
  'a price near 2^53 / 1000',
  'the ladder ends before the order',
]

function cornersOf({ candles, requests, options }: CandleScript, fills: readonly NaiveFill[]): readonly string[] {
  const orders = new Map(requests.flatMap((each) => ('id' in each ? [[each.id, each] as const] : [])))
  const whole = candles.filter(({ volume }) => volume > 0)
  const opensAt = new Map(whole.map((candle, index) => [candle.time, { candle, before: whole[index - 1] }]))
  const endsAt = new Map(whole.map((candle) => [candle.time + options.interval, candle]))
  const corners: string[] = []
  for (const fill of fills) {
    const order = orders.get(fill.id)
    if ('refused' in fill) {
      corners.push(fill.time === null ? 'refused at the end' : 'refused before the first candle is over')
      continue
    }
    const { how, time } = fill
    const arrived = (order?.at ?? 0) + (options.latency >= options.interval ? options.latency : 0)
    const opened = opensAt.get(time)
    if (how === 'body') {
      corners.push('filled in a body')
      const others = fills.filter((each) => !('refused' in each) && each.how === 'body' && each.time === time)
      if (others.some(({ id }) => id !== fill.id && orders.get(id)?.side === order?.side)) {
        corners.push('two orders of a side share a body')
      }
      const ended = endsAt.get(time)
      if (ended?.high === ended?.low) corners.push('a flat candle fills')
    }
    if (how === 'stop') corners.push('a stop inside a candle')
    if (how !== 'open' || opened === undefined) continue
    corners.push('taken at an open')
    if (order?.type === 'STOP') corners.push('a stop at an open')
    const isOld = opened.before !== undefined && arrived <= opened.before.time
    if (order?.type === 'LIMIT' && isOld) {
      const isHole = (opened.before?.time ?? 0) + options.interval < time
      corners.push(
        isHole ? 'a limit that the open has passed after a hole' : 'a limit that the open of a day has passed',
      )
    }
    if (fill.price > 1e12) corners.push('a price near 2^53 / 1000')
    if (order?.type === 'MARKET' && lotsOf(fills, fill.id) < order.qty) corners.push('the ladder ends before the order')
    const estimates = naiveEstimates(
      candles.filter((candle) => candle.time < time),
      options,
    )
    if (estimates?.believed === true) corners.push('a spread learnt')
    if (estimates?.believed === false && options.spread === undefined) {
      corners.push('a spread of a tick for want of a better')
    }
  }
  for (const { id, oco } of orders.values()) {
    if (oco !== undefined && lotsOf(fills, oco) > 0 && lotsOf(fills, id) === 0)
      corners.push('a stop is ended by its target')
  }
  return corners
}

const lotsOf = (fills: readonly NaiveFill[], id: number): number =>
  fills.reduce((sum, fill) => (fill.id === id && !('refused' in fill) ? sum + fill.qty : sum), 0)
