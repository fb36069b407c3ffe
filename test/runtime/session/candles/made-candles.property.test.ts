/**
 * Candles that a session makes: of any length, filled, and of several markets, against the trades of the tapes.
 */
import fc from 'fast-check'
import { ignoreElements, merge, tap, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { lengthMsOf, openTimeOf, type CandleLength } from '../../../../src/domain/candle-length.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import type { MarketCandle } from '../../../../src/strategy/market-data.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../../rig/run-strategy.ts'
import { runs } from '../../../property/property.ts'

const BTC = 'BTC_USD'
const ETH = 'ETH_USD'
const LENGTHS = ['7s', '10s', '45s', '1m', '3m', '90m'] as const satisfies readonly CandleLength[]

/** Trades, close together and with holes, some at the very end of an interval. */
const trades = (): fc.Arbitrary<readonly RecordedRow[]> =>
  fc
    .array(
      fc.record({
        wait: fc.constantFrom(0, 0, 1, 999, 1_000, 1_001, 7_000, 10_000, 60_000, 400_000),
        price: fc.integer({ min: 90, max: 110 }),
        qty: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 40, size: 'max' },
    )
    .map((draws) => {
      let time = 600_000
      return draws.map(({ wait, price, qty }): RecordedRow => {
        time += wait
        return [time, price, qty]
      })
    })

type Reported = readonly [at: number, time: number, text: string]

const textOf = (candle: MarketCandle | undefined): string => {
  if (candle === undefined) return '-'
  const { open, high, low, close, volume } = candle
  return [open, high, low, close, volume].map((value) => value.toFixed()).join(' ')
}

/** The candle of an interval, as text. */
function naive(rows: readonly RecordedRow[], time: number, lengthMs: number, isFilled: boolean): string {
  const inside = rows.filter((row) => openTimeOf(row[0], lengthMs) === time)
  const before = rows.filter((row) => row[0] < time).at(-1)
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) {
    return isFilled && before !== undefined ? `${`${before[1]} `.repeat(4)}0` : '-'
  }
  const prices = inside.map(([, price]) => price)
  const volume = inside.reduce((sum, [, , qty]) => sum + qty, 0)
  return [first[1], Math.max(...prices), Math.min(...prices), last[1], volume].join(' ')
}

/** What is reported up to `end`, at each boundary behind the first trade. */
function naiveRows(
  tapes: readonly (readonly RecordedRow[])[],
  lengthMs: number,
  isFilled: boolean,
  { end, feedMs }: { readonly end: number; readonly feedMs: number },
): readonly Reported[] {
  const first = Math.min(...tapes.map((rows) => rows[0]?.[0] ?? Infinity))
  const reported: Reported[] = []
  for (let time = openTimeOf(first, lengthMs); time + lengthMs + feedMs <= end; time += lengthMs) {
    const texts = tapes.map((rows) => naive(rows, time, lengthMs, isFilled))
    if (texts.some((text) => text !== '-')) reported.push([time + lengthMs + feedMs, time, texts.join(', ')])
  }
  return reported
}

const noted = (context: StrategyContext<unknown>, notes: Reported[], interval: CandleLength, isFilled: boolean) => {
  const empty = isFilled ? 'fill' : 'omit'
  return {
    single: (): Observable<never> =>
      context.candles(BTC, interval, { empty }).pipe(
        tap((candle) => void notes.push([context.now(), candle.time, textOf(candle)])),
        ignoreElements(),
      ),
    aligned: (): Observable<never> =>
      context.candles([BTC, ETH], interval, { empty }).pipe(
        tap(({ time, candles: [btc, eth], missing }) => {
          expect(missing).toEqual([...(btc ? [] : [BTC]), ...(eth ? [] : [ETH])])
          for (const candle of [btc, eth]) if (candle !== undefined) expect(candle.time).toBe(time)
          notes.push([context.now(), time, `${textOf(btc)}, ${textOf(eth)}`])
        }),
        ignoreElements(),
      ),
  }
}

interface Played {
  readonly single: readonly Reported[]
  readonly aligned: readonly Reported[]
}

async function play(
  btc: readonly RecordedRow[],
  eth: readonly RecordedRow[],
  { interval, isFilled, feedMs, end }: { interval: CandleLength; isFilled: boolean; feedMs: number; end: number },
): Promise<Played> {
  const reported = { single: [] as Reported[], aligned: [] as Reported[] }
  const { result } = await runStrategy(
    {
      run: (context) =>
        merge(
          noted(context, reported.single, interval, isFilled).single(),
          noted(context, reported.aligned, interval, isFilled).aligned(),
        ),
    },
    {
      tapes: [memoryTape(btc, { symbol: BTC }), memoryTape(eth, { symbol: ETH })],
      settings: { feedLatencyMs: feedMs, to: end },
    },
  )
  expect(result.failure).toBeUndefined()
  return reported
}

describe('made candles', () => {
  it('are the fold of their trades, one a boundary, reported there, whatever comes later', async () => {
    const reached = { filled: 0, missing: 0 }
    await fc.assert(
      fc.asyncProperty(
        trades(),
        trades(),
        fc.constantFrom(...LENGTHS),
        fc.boolean(),
        fc.constantFrom(0, 1, 30, 15_000),
        fc.nat(40),
        async (btc, eth, interval, isFilled, feedMs, cut) => {
          const lengthMs = lengthMsOf(interval)
          const last = Math.max(btc.at(-1)?.[0] ?? 0, eth.at(-1)?.[0] ?? 0)
          const end = last + 2 * lengthMs + feedMs
          const reported = await play(btc, eth, { interval, isFilled, feedMs, end })
          expect(reported.single).toEqual(naiveRows([btc], lengthMs, isFilled, { end, feedMs }))
          expect(reported.aligned).toEqual(naiveRows([btc, eth], lengthMs, isFilled, { end, feedMs }))
          // Cut at some row: what was reported before is the same.
          const until = btc[Math.min(cut, btc.length - 1)]?.[0] ?? 0
          const cutBtc = btc.filter(([time]) => time <= until)
          const cutEth = eth.filter(([time]) => time <= until)
          if (cutEth.length > 0) {
            const shorter = await play(cutBtc, cutEth, { interval, isFilled, feedMs, end: until })
            const upTo = ({ single, aligned }: Played): Played => ({
              single: single.filter(([at]) => at <= until),
              aligned: aligned.filter(([at]) => at <= until),
            })
            expect(shorter).toEqual(upTo(reported))
          }
          reached.filled += Number(reported.single.some(([, , text]) => text.endsWith(' 0')))
          reached.missing += Number(reported.aligned.some(([, , text]) => text.includes('-')))
        },
      ),
      { numRuns: runs(60) },
    )
    expect(Object.values(reached).every((count) => count > 0)).toBe(true)
  })
})
