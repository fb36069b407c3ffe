import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarketRecorder } from '../../../src/runtime/recording/market-recorder.ts'
import { RecordingFile } from '../../../src/store/recordings/recording-file.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { gapFileOf } from '../../../src/store/tapes/gap-file.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { MarketTrade } from '../../../src/strategy/market-data.ts'
import type { MarketGap } from '../../../src/strategy/market-gap.ts'
import type { WireTrade } from '../../../src/wire/wire-trade.ts'
import { market } from '../../exchange/rig/configs.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const MARKET = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 3 })

let files = 0
const newFile = (): string => join(folder, `${(files += 1)}`, 'btc_usd.csv')

/** The trade of a number, ten to a millisecond. */
const wireTrade = (number: number): WireTrade => ({
  id: String(number),
  symbol: 'BTC_USD',
  price: 1_000 + number,
  qty: 5,
  buyOrderId: 'b',
  sellOrderId: 's',
  buyerId: 'x',
  sellerId: 'y',
  isBuyerMaker: number % 2 === 0,
  createdAt: 1_700_000_000_000 + Math.floor(number / 10),
})

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

/** A process that records, from its start to its end. */
class Process {
  readonly recorder: MarketRecorder
  readonly failures: unknown[] = []
  readonly #trades = new HotStream<MarketTrade>()
  readonly #gaps = new HotStream<MarketGap>()
  /** Newest first. */
  shown: readonly WireTrade[] = []

  constructor(file: string) {
    this.recorder = new MarketRecorder({
      market: MARKET,
      recording: RecordingFile.open(file, MARKET),
      reads: { trades: () => Promise.resolve(this.shown) },
      onFailure: (error) => this.failures.push(error),
    })
    this.recorder.listen({ trades: () => this.#trades, gaps: () => this.#gaps })
  }

  report(...all: readonly number[]): void {
    for (const number of all) this.push(wireTrade(number))
  }

  push(trade: WireTrade): void {
    this.#trades.push(new MarketTrade(trade, MARKET))
  }

  gap(from: number, to: number): void {
    this.#gaps.push({ symbol: 'BTC_USD', from, to })
  }

  /** Goes on while the exchange shows these. */
  async resume(from: number, to: number): Promise<void> {
    this.shown = numbers(from, to).map(wireTrade).toReversed()
    await this.recorder.resume()
  }
}

const idsIn = (file: string): readonly number[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))

const gapsIn = (file: string): readonly string[] => readFileSync(gapFileOf(file), 'utf8').trimEnd().split('\n').slice(1)

/** Records the trades up to a number, and ends. */
async function recordedUpTo(last: number): Promise<string> {
  const file = newFile()
  const first = new Process(file)
  await first.resume(1, 0)
  first.report(...numbers(1, last))
  first.recorder.close()
  return file
}

describe('a recording that goes on', () => {
  it('begins with the first trade that comes', async () => {
    const file = newFile()
    const process = new Process(file)
    await process.resume(1, 9)
    process.report(10, 11)
    process.recorder.close()
    expect(idsIn(file)).toEqual([10, 11])
    expect(gapsIn(file)).toEqual([])
  })

  it('is filled with what the exchange still shows, reported meanwhile or not, each trade once', async () => {
    const file = await recordedUpTo(15)
    const process = new Process(file)
    process.report(28, 29, 30, 31, 32)
    await process.resume(12, 30)
    process.report(33)
    process.recorder.close()
    expect(idsIn(file)).toEqual(numbers(1, 33))
    expect(gapsIn(file)).toEqual([])
  })

  it('marks what no one knows, and keeps all that is shown behind it', async () => {
    const file = await recordedUpTo(15)
    const process = new Process(file)
    await process.resume(40, 60)
    process.report(61)
    process.recorder.close()
    expect(idsIn(file)).toEqual([...numbers(1, 15), ...numbers(40, 61)])
    expect(gapsIn(file)).toEqual(['1700000000001,1700000000004,not recorded, and no longer listed by the exchange'])
    expect((await inspectTape({ file })).info).toMatchObject({ rows: 37, notices: [], gaps: { count: 1 } })
  })

  it('marks it before the first trade that comes, where the exchange shows none', async () => {
    const file = await recordedUpTo(15)
    const process = new Process(file)
    await process.resume(1, 0)
    expect(gapsIn(file)).toEqual([])
    process.report(50)
    process.recorder.close()
    expect(gapsIn(file)).toHaveLength(1)
    expect(idsIn(file)).toEqual([...numbers(1, 15), 50])
  })

  it('marks a gap that is reported, before the trade behind it', async () => {
    const file = newFile()
    const process = new Process(file)
    await process.resume(1, 0)
    process.report(1)
    process.gap(1_700_000_000_000, 1_700_000_000_005)
    process.report(50)
    process.recorder.close()
    expect(gapsIn(file)).toEqual(['1700000000000,1700000000005,lost between the exchange and here'])
  })

  it('ends when its trades are named again, and says so once', async () => {
    const file = await recordedUpTo(15)
    const process = new Process(file)
    await process.resume(1, 0)
    process.report(16, 17)
    process.push({ ...wireTrade(2), createdAt: 1_800_000_000_000 })
    process.report(18)
    expect(process.failures.map(String)).toEqual([
      expect.stringMatching(/the trade ids do not continue: '2' came after '17'/),
    ])
    process.recorder.close()
    expect(idsIn(file)).toEqual(numbers(1, 17))
  })
})

it('whenever it was stopped and however much the exchange shows: no trade twice or out of order, and every hole is marked', async () => {
  const stops = fc.array(fc.record({ reported: fc.nat(30), missed: fc.nat(40), shown: fc.nat(60) }), {
    minLength: 1,
    maxLength: 4,
  })
  const reached = { filled: 0, marked: 0 }
  await fc.assert(
    fc.asyncProperty(stops, async (all) => {
      const file = newFile()
      let next = 1
      for (const { reported, missed, shown } of all) {
        const process = new Process(file)
        next += missed
        // The newest of them come by the stream as well.
        process.report(...numbers(Math.max(1, next - 3), next - 1))
        await process.resume(Math.max(1, next - shown), next - 1)
        process.report(...numbers(next, next + reported - 1))
        next += reported
        process.recorder.close()
        expect(process.failures).toEqual([])
      }
      const ids = idsIn(file)
      const ends = gapsIn(file).map((gap) => Number(gap.split(',')[1]))
      ids.forEach((id, index) => {
        const before = ids[index - 1]
        if (before === undefined || id === before + 1) reached.filled += 1
        else {
          reached.marked += 1
          expect(id).toBeGreaterThan(before)
          expect(ends).toContain(wireTrade(id).createdAt)
        }
      })
    }),
    { numRuns: 80 },
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})
