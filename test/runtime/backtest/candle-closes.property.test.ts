/**
 * Candles of any calendar, from a file to a strategy: each once, at its close, in order, alone and beside other
 * markets.
 *
 * Invariant: what is expected is worked out from the calendar, not from the steps in the file.
 */
import fc from 'fast-check'
import { filter, ignoreElements, map, merge, tap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { zoneClock } from '../../../src/domain/zone-clock.ts'
import { defineStrategy, type CandleLength } from '../../../src/index.ts'
import { backtest } from '../../../src/run.ts'
import { runs } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { write } = temporaryFiles()
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Recorded {
  readonly open: number
  readonly close: number
}
interface RecordedMarket {
  readonly length: CandleLength
  readonly candles: readonly Recorded[]
  readonly closes: 'interval' | 'next'
}

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Asia/Kolkata', 'Australia/Sydney'] as const

/** Some of the periods that follow each other, the first two among them so that their length shows. */
const someOf = (candles: readonly Recorded[]): fc.Arbitrary<readonly Recorded[]> =>
  fc
    .array(fc.integer({ min: 0, max: 4 }), { minLength: candles.length, maxLength: candles.length })
    .map((keeps) => candles.filter((_, index) => index < 2 || keeps[index] !== 0))
    .filter((kept) => kept.length * 3 > candles.length * 2)

const adjoining = (opens: readonly number[]): readonly Recorded[] =>
  opens.slice(0, -1).map((open, index) => ({ open, close: opens[index + 1] ?? Number.NaN }))

/** Nothing in the file reports that its last day is longer or shorter. */
const hasUsualEnd = (candles: readonly Recorded[]): boolean =>
  candles.slice(-1).every(({ open, close }) => close - open === DAY)

/** Midnights of a zone around the changes of its clock. */
const days = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    // Most of them over the changes of March and April, and of October and November.
    first: fc.oneof(
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 58, max: 66 }),
      fc.integer({ min: 266, max: 294 }),
    ),
    count: fc.integer({ min: 30, max: 45 }),
  })
  .chain(({ zone, first, count }) => {
    const { utcOf } = zoneClock(zone, 'zone')
    const opens = Array.from({ length: count + 1 }, (_, day) => utcOf(Date.UTC(2023, 0, 1 + first + day)))
    return someOf(adjoining(opens))
      .map((candles): RecordedMarket => ({ length: '1d', candles, closes: 'interval' }))
      .filter(({ candles }) => hasUsualEnd(candles))
  })

const months = fc.integer({ min: 0, max: 20 }).chain((first) => {
  const opens = Array.from({ length: 16 }, (_, month) => Date.UTC(2022, first + month))
  return someOf(adjoining(opens)).map((candles): RecordedMarket => ({ length: '1M', candles, closes: 'interval' }))
})

const ofFixedLength = fc
  .record({
    length: fc.constantFrom(
      ['5m', HOUR / 12] as const,
      ['1h', HOUR] as const,
      ['4h', 4 * HOUR] as const,
      ['1w', 7 * DAY] as const,
    ),
    offset: fc.integer({ min: 0, max: 3 }),
  })
  .chain(({ length: [length, lengthMs], offset }) => {
    const first = Date.UTC(2023, 5, 4) + offset * (lengthMs / 4)
    const opens = Array.from({ length: 31 }, (_, index) => first + index * lengthMs)
    return someOf(adjoining(opens)).map((candles): RecordedMarket => ({ length, candles, closes: 'interval' }))
  })

const bars = fc
  .array(fc.integer({ min: 1, max: 9_000_000 }), { minLength: 3, maxLength: 30 })
  .map((steps): RecordedMarket => {
    let time = Date.UTC(2023, 2, 1)
    const opens = [time, ...steps.map((step) => (time += step))]
    return { length: '1h', candles: adjoining([...opens, time + HOUR]), closes: 'next' }
  })

const market = fc.oneof(days, days, months, ofFixedLength, bars)

/** The close of each candle is its number. */
const fileOf = (candles: readonly Recorded[], name: string): string => {
  const rows = candles.map(({ open }, index) => `${open},${index + 1},${index + 2},${index + 1},${index + 1},10`)
  return write(['time_ms,open,high,low,close,volume', ...rows, ''].join('\n'), name)
}

let files = 0

/** What a strategy sees of each market: when, the open and the number. */
async function seen(markets: readonly RecordedMarket[]): Promise<readonly string[]> {
  const lines: string[] = []
  files += 1
  const tapes = Object.fromEntries(
    markets.map(({ candles, closes, length }, index) => [
      `M${index}_USD`,
      {
        file: fileOf(candles, `candles-${files}-${index}.csv`),
        candleClose: closes,
        ...(closes === 'next' && { candleInterval: length }),
      },
    ]),
  )
  const strategy = defineStrategy({
    name: 'sees',
    params: z.object({}),
    run: ({ candles, now }) =>
      merge(
        ...markets.map(({ length }, index) =>
          candles(`M${index}_USD`, length).pipe(
            tap(({ time, closeNumber }) => lines.push(`${now()} M${index} ${time} ${closeNumber}`)),
            ignoreElements(),
          ),
        ),
      ),
  })
  const { failure } = await backtest({ strategy, tapes, bounds: false, latency: { orderMs: 0 } })
  expect(failure).toBeNull()
  return lines
}

const expected = (markets: readonly RecordedMarket[]): readonly string[] =>
  markets.flatMap(({ candles }, index) =>
    candles.map(({ open, close }, number) => `${close} M${index} ${open} ${number + 1}`),
  )

it('reach a strategy each once, at their close and in the order of time', async () => {
  let [shortest, longest] = [DAY, DAY]
  await fc.assert(
    fc.asyncProperty(fc.array(market, { minLength: 1, maxLength: 3 }), async (markets) => {
      for (const { length, candles } of markets) {
        for (const { open, close } of length === '1d' ? candles : []) {
          shortest = Math.min(shortest, close - open)
          longest = Math.max(longest, close - open)
        }
      }
      const lines = await seen(markets)
      expect(lines.toSorted()).toEqual([...expected(markets)].toSorted())
      const times = lines.map((line) => Number.parseInt(line, 10))
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }),
    { numRuns: runs(120) },
  )
  expect([shortest, longest]).toEqual([23 * HOUR, 25 * HOUR])
})

it('longer ones are the fold of shorter ones by the calendar of a zone, at its midnight', async () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Tokyo'] as const
  let moved = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      fc.constantFrom('2023-03-09', '2023-03-23', '2023-09-28', '2023-10-26'),
      fc.array(fc.boolean(), { minLength: 130, maxLength: 130 }),
      async (zone, first, keeps) => {
        const dateOf = (time: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time)
        const hours = keeps.map((_, hour) => Date.parse(first) + hour * HOUR)
        const opens = hours.filter((_, hour) => hour < 2 || keeps[hour] === true)
        const prices = opens.map((open) => 100 + ((open / HOUR) % 37))
        files += 1
        const rows = opens.map(
          (open, at) =>
            `${open},${prices[at] ?? 0},${(prices[at] ?? 0) + 2},${(prices[at] ?? 0) - 1},${(prices[at] ?? 0) + 1},${at + 1}`,
        )
        const file = write(['time_ms,open,high,low,close,volume', ...rows, ''].join('\n'), `hours-${files}.csv`)

        const lines: string[] = []
        const strategy = defineStrategy({
          name: 'days',
          params: z.object({}),
          run: ({ candles, now }) =>
            candles('A_USD', '1d', { zone }).pipe(
              tap(({ open, high, low, close, volume }) =>
                lines.push([now(), open, high, low, close, volume].join(' ')),
              ),
              ignoreElements(),
            ),
        })
        await backtest({ strategy, tapes: { A_USD: file }, bounds: false })

        const end = (opens.at(-1) ?? 0) + HOUR
        const naive = [...new Set(opens.map(dateOf))].flatMap((date) => {
          const own = opens.flatMap((open, at) => (dateOf(open) === date ? [at] : []))
          // The first hour of the next date, whether it was recorded or not.
          let midnight = opens[own.at(-1) ?? 0] ?? 0
          while (dateOf(midnight) === date) midnight += HOUR
          const [from, to] = [own[0] ?? 0, own.at(-1) ?? 0]
          const values = own.map((at) => prices[at] ?? 0)
          const volume = own.reduce((sum, at) => sum + at + 1, 0)
          const row = [
            midnight,
            prices[from],
            Math.max(...values) + 2,
            Math.min(...values) - 1,
            (prices[to] ?? 0) + 1,
            volume,
          ]
          return midnight <= end ? [row.join(' ')] : []
        })
        expect(lines).toEqual(naive)
        if (
          naive.some(
            (line, at) => at > 0 && Number.parseInt(line, 10) % DAY !== Number.parseInt(naive[0] ?? '', 10) % DAY,
          )
        )
          moved += 1
      },
    ),
    { numRuns: runs(60) },
  )
  expect(moved).toBeGreaterThan(0)
})

describe('a market that leads nowhere does not pay beside a slower one', () => {
  /** A small generator, so that the walk is the same everywhere. */
  const noiseOf = (seed: number): (() => number) => {
    let state = seed * 2_654_435_761 + 1
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32 - 0.5
    }
  }

  /** Days of a walk, and its months: a month is open to close of its days. */
  function walk(seed: number): { readonly days: string; readonly months: string; readonly early: string } {
    const noise = noiseOf(seed)
    for (let skipped = 0; skipped < 20; skipped += 1) noise()
    let price = 10_000
    const rows: string[] = []
    const slow: [number, number, number][] = []
    for (let day = Date.UTC(2014, 0, 1); day < Date.UTC(2020, 0, 1); day += DAY) {
      const open = price
      price += Math.round(noise() * 200)
      rows.push(`${day},${open},${Math.max(open, price)},${Math.min(open, price)},${price},1000000`)
      if (new Date(day).getUTCDate() === 1) slow.push([day, open, price])
      const month = slow.at(-1)
      if (month !== undefined) month[2] = price
    }
    const lines = (shift: number): string =>
      slow
        .map(
          ([time, open, close]) =>
            `${time - shift},${open},${Math.max(open, close)},${Math.min(open, close)},${close},1000`,
        )
        .join('\n')
    const head = 'time_ms,open,high,low,close,volume\n'
    return { days: head + rows.join('\n'), months: head + lines(0), early: head + lines(12 * DAY) }
  }

  const follower = defineStrategy({
    name: 'follower',
    params: z.object({}),
    run: ({ candles, position, buyMarket, sellMarket }) =>
      candles('SLOW_USD', '1M').pipe(
        map(({ closeNumber, openNumber }) => {
          const held = position('FAST_USD').qty
          if (closeNumber > openNumber && held.isZero()) return buyMarket('FAST_USD', '1')
          return closeNumber < openNumber && !held.isZero() ? sellMarket('FAST_USD', held) : undefined
        }),
        filter((intent) => intent !== undefined),
      ),
  })

  /** t of the profits of round trips, over some walks. */
  async function gain(slow: 'months' | 'early'): Promise<number> {
    const profits: number[] = []
    for (let seed = 1; seed <= 12; seed += 1) {
      const made = walk(seed)
      files += 1
      const run = await backtest({
        strategy: follower,
        tapes: { FAST_USD: write(made.days, `fast-${files}.csv`), SLOW_USD: write(made[slow], `slow-${files}.csv`) },
        credits: { USD: '100000' },
        liquidity: 'ideal',
        bounds: false,
        limits: false,
        latency: { orderMs: 0 },
      })
      expect(run.failure).toBeNull()
      const prices = run.fills.map(({ price }) => Number(price))
      for (let exit = 1; exit < prices.length; exit += 2) profits.push((prices[exit] ?? 0) - (prices[exit - 1] ?? 0))
    }
    expect(profits.length).toBeGreaterThan(100)
    const mean = profits.reduce((a, b) => a + b) / profits.length
    const spread = Math.sqrt(profits.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (profits.length - 1))
    return (mean / spread) * Math.sqrt(profits.length)
  }

  it('of months, though it would pay if they were known twelve days early', async () => {
    expect(Math.abs(await gain('months'))).toBeLessThan(3)
    expect(await gain('early')).toBeGreaterThan(3)
  })
})
