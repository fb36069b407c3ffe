import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { formatUnits } from '../../../src/domain/fixed-point.ts'
import type { Recording, TradeToRecord } from '../../../src/store/recordings/recording.ts'
import { RecordingFile } from '../../../src/store/recordings/recording-file.ts'
import { StoreRecording } from '../../../src/store/recordings/store-recording.ts'
import type { DatabaseMarket } from '../../../src/store/tapes/database/market-reader.ts'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { gapFileOf } from '../../../src/store/tapes/gap-file.ts'
import { importRecordings } from '../../../src/store/transfers/import-recordings.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { isCandleBlock, SIDE_SELL, type RecordedBlock } from '../../../src/tape/tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const MARKET = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 3 }
const FULL = 65_536

let files = 0
const newStore = (): string => {
  const place = join(folder, `${(files += 1)}`)
  mkdirSync(place)
  return join(place, 'tapes.db')
}

const trade = (id: string | number, createdAt: number, price = '10.50'): TradeToRecord => ({
  id: String(id),
  createdAt,
  price,
  qty: '1.000',
  isBuyerMaker: Number(id) % 2 === 0,
})

/** Recordings that a test leaves open, as a killed process does. */
const left: Recording[] = []
afterAll(() => {
  for (const each of left) each.close()
})

function marketOf(file: string): DatabaseMarket | undefined {
  const store = TapeDatabase.read(file)
  try {
    return store.markets()[0]
  } finally {
    store.close()
  }
}

/** As lines of a recording in CSV. */
const linesOf = ({ block, pricePrecision, qtyPrecision }: ReturnType<DatabaseMarket['read']>): readonly string[] => {
  if (isCandleBlock(block)) throw new Error('expected trades')
  const { ids, time, price, qty, side } = block
  return Array.from({ length: block.length }, (_, row) =>
    [
      ...[ids?.[row], time[row]],
      ...[formatUnits(price[row] ?? 0, pricePrecision), formatUnits(qty[row] ?? 0, qtyPrecision)],
      ...[side[row] === SIDE_SELL, MARKET.symbol],
    ].join(','),
  )
}

function rowsOf(file: string): readonly string[] {
  const store = TapeDatabase.read(file)
  try {
    return store.markets().flatMap((market) => market.entries.flatMap((_, index) => linesOf(market.read(index))))
  } finally {
    store.close()
  }
}

const idsOf = (file: string): readonly string[] => rowsOf(file).map((line) => line.split(',')[0] ?? '')
const gapsOf = (file: string) => marketOf(file)?.gaps?.map(({ from, to, why }) => `${from},${to},${why}`)

async function recording(file: string, action: (recording: StoreRecording) => unknown): Promise<void> {
  const opened = StoreRecording.open(file, MARKET)
  try {
    await action(opened)
  } finally {
    opened.close()
  }
}

async function blocksOf(file: string, between: () => void = () => undefined): Promise<readonly RecordedBlock[]> {
  const inspected = await inspectTape({ file })
  between()
  const blocks: RecordedBlock[] = []
  for await (const block of openTape(inspected, MARKET).blocks()) blocks.push(block)
  return blocks
}

const manyTrades = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => trade(from + index, 1_700_000_000_000 + from + index))

describe('a recording in a store', () => {
  it('is there for a reader once it is committed, before a block is made, and marked from the start', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      expect(marketOf(file)).toBeUndefined()
      r.append(trade(1, 5))
      expect(marketOf(file)).toBeUndefined()
      await r.sync()
      expect(rowsOf(file)).toEqual(['1,5,10.50,1.000,false,BTC_USD'])
      expect(gapsOf(file)).toEqual([])
      expect(marketOf(file)?.blockIds[0]).toBeLessThan(0)
    })
    expect(marketOf(file)?.blockIds[0]).toBeGreaterThan(0)
  })

  it('marks a gap when the row behind it is stored', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      r.append(trade(1, 5))
      r.gap(5, 9, 'lost')
      r.gap(20, 30, 'never followed by a row')
      await r.sync()
      expect(gapsOf(file)).toEqual([])
      r.append(trade(2, 9))
      await r.sync()
      expect(gapsOf(file)).toEqual(['5,9,lost'])
    })
    expect(gapsOf(file)).toEqual(['5,9,lost'])
  })

  it('makes a block when it is full, and one of the rest at the end, which the next one fills', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      for (const each of manyTrades(1, FULL + 10)) r.append(each)
      await r.sync()
      expect(marketOf(file)?.entries.map(({ rows }) => rows)).toEqual([FULL, 10])
      expect(marketOf(file)?.blockIds.map((id) => id > 0)).toEqual([true, false])
    })
    await recording(file, (r) => r.append(trade(FULL + 11, 1_800_000_000_000)))
    await recording(file, (r) => r.append(trade(FULL + 12, 1_800_000_000_001)))
    expect(marketOf(file)?.entries.map(({ rows }) => rows)).toEqual([FULL, 11, 1])
    await recording(file, () => undefined)
    expect(marketOf(file)?.entries.map(({ rows }) => rows)).toEqual([FULL, 12])
    expect(idsOf(file)).toEqual(manyTrades(1, FULL + 12).map(({ id }) => id))
  })

  it('is of one process at a time, each market on its own', async () => {
    const file = newStore()
    await recording(file, () => {
      expect(() => StoreRecording.open(file, MARKET)).toThrow(
        /tapes\.db: BTC_USD: is being recorded by another process/,
      )
      const other = StoreRecording.open(file, { ...MARKET, symbol: 'ETH_USD' })
      other.append(trade(1, 5))
      other.close()
    })
    expect(marketOf(file)?.head.symbol).toBe('ETH_USD')
  })

  it('goes on in other precisions, where every value still fits', async () => {
    const file = newStore()
    await recording(file, (r) => r.append(trade(1, 5)))
    const finer = StoreRecording.open(file, { ...MARKET, pricePrecision: 4 })
    finer.append(trade(2, 6, '10.5001'))
    finer.close()
    expect(rowsOf(file).map((line) => line.split(',')[2])).toEqual(['10.50', '10.5001'])
    await recording(file, (r) => r.append(trade(3, 7, '900000000000.00')))
    expect(() => StoreRecording.open(file, { ...MARKET, pricePrecision: 8 })).toThrow(/too large for the decimals/)
  })

  it.each`
    price     | qty        | message
    ${'0.00'} | ${'1.000'} | ${/expected a price above 0 with 2 decimals, got '0.00'/}
    ${'1.00'} | ${'0.000'} | ${/expected a quantity above 0 with 3 decimals, got '0.000'/}
    ${'x'}    | ${'1.000'} | ${/expected a price above 0/}
  `(
    'does not take $price x $qty',
    async ({ price, qty, message }: Record<'price' | 'qty', string> & { message: RegExp }) => {
      const file = newStore()
      await recording(file, (r) => {
        expect(() => r.append({ ...trade(1, 5), price, qty })).toThrow(message)
      })
      expect(marketOf(file)).toBeUndefined()
    },
  )

  it('cannot follow trades without ids', async () => {
    const file = newStore()
    const source = write('time_ms,price,qty,side\n5,1.00,1.000,buy\n', 'no-ids.csv')
    await importRecordings([{ file: source, symbol: 'BTC_USD' }], { form: 'store', file }, { importedAt: 0 })
    expect(() => StoreRecording.open(file, MARKET)).toThrow(/trades without ids/)
  })
})

describe('beside others', () => {
  const HEADER = 'id,time_ms,price,qty,side\n'
  const line = (id: number, time: number, price = '10.50'): string =>
    `${id},${time},${price},1.000,${id % 2 === 0 ? 'sell' : 'buy'}\n`
  const imported = (file: string, text: string) =>
    importRecordings(
      [{ file: write(HEADER + text, `${(files += 1)}.csv`), symbol: 'BTC_USD' }],
      { form: 'store', file },
      { importedAt: 0 },
    )

  it('leaves the store to an import between two commits, and both have their rows', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      r.append(trade(10, 10))
      await r.sync()
      r.append(trade(11, 11))
      await imported(file, line(1, 1) + line(2, 2))
      await r.sync()
      r.append(trade(12, 12))
    })
    expect(idsOf(file)).toEqual(['1', '2', '10', '11', '12'])
  })

  it('marks what is missing from the ids of an import that it goes on with', async () => {
    const file = newStore()
    await imported(file, [1, 2, 3, 7, 8].map((id) => line(id, id)).join(''))
    expect(gapsOf(file)).toBeUndefined()
    await recording(file, (r) => {
      r.gap(8, 20, 'not recorded')
      r.append(trade(20, 20))
    })
    expect(gapsOf(file)).toEqual(['3,7,ids are missing', '8,20,not recorded'])
  })

  it('drops what an import has brought meanwhile, and puts the others among it', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      r.append(trade(10, 10))
      await r.sync()
      for (const id of [11, 12, 14, 16]) r.append(trade(id, id))
      await imported(file, [10, 11, 12, 13, 15].map((id) => line(id, id)).join(''))
      await r.sync()
      r.append(trade(17, 17))
      await r.sync()
      expect(r.last).toEqual({ id: '17', createdAt: 17 })
    })
    expect(idsOf(file)).toEqual(['10', '11', '12', '13', '14', '15', '16', '17'])
  })

  it('ends when an import says otherwise, and leaves that as it is', async () => {
    const file = newStore()
    const opened = StoreRecording.open(file, MARKET)
    opened.append(trade(10, 10))
    await imported(file, line(10, 10, '11.00'))
    await expect(opened.sync()).rejects.toThrow(/tapes\.db: BTC_USD: expected the trade with the id '10'/)
    opened.close()
    expect(rowsOf(file)).toEqual(['10,10,11,1,true,BTC_USD'])
  })

  it('keeps its rows while another writes, and commits them later', async () => {
    const file = newStore()
    await recording(file, async (r) => {
      const writer = TapeDatabase.write(file)
      r.append(trade(1, 5))
      await r.sync()
      writer.close()
      expect(marketOf(file)).toBeUndefined()
      await r.sync()
      expect(idsOf(file)).toEqual(['1'])
    })
  })

  it('says so when another never ends', () => {
    const file = newStore()
    const opened = StoreRecording.open(file, MARKET)
    const writer = TapeDatabase.write(file)
    for (const each of manyTrades(1, 262_144)) opened.append(each)
    expect(() => opened.append(trade(262_145, 1_800_000_000_000))).toThrow(
      /tapes\.db: BTC_USD: another process blocked the database for too long: the last 262144 trades were not stored/,
    )
    opened.close()
    writer.close()
    expect(marketOf(file)).toBeUndefined()
  })

  it('says so when its market was taken out of the store', async () => {
    const file = newStore()
    const opened = StoreRecording.open(file, MARKET)
    opened.append(trade(1, 5))
    await opened.sync()
    const writer = TapeDatabase.write(file)
    writer.dropMarket(writer.markets()[0]?.id ?? 0)
    writer.commit()
    writer.close()
    opened.append(trade(2, 6))
    await expect(opened.sync()).rejects.toThrow(/was removed from the database/)
    opened.close()
  })

  it('a reader reads what it saw, while rows come, blocks are made and gaps marked', async () => {
    const file = newStore()
    const opened = StoreRecording.open(file, MARKET)
    for (const each of manyTrades(1, 10)) opened.append(each)
    await opened.sync()
    const before = await inspectTape({ file })
    const read = await blocksOf(file, () => {
      opened.gap(1, 1_700_000_000_011, 'lost')
      for (const each of manyTrades(11, FULL + 20)) opened.append(each)
      opened.close()
    })
    expect(read.map(({ length }) => length)).toEqual([10])
    expect(marketOf(file)?.entries.map(({ rows }) => rows)).toEqual([FULL, 20])
    expect((await inspectTape({ file })).info.sha256).not.toBe(before.info.sha256)
  })

  it('a reader of blocks that were joined meanwhile gets a message', async () => {
    const file = newStore()
    await recording(file, (r) => r.append(trade(1, 5)))
    await recording(file, (r) => r.append(trade(2, 6)))
    const read = blocksOf(file, () => {
      StoreRecording.open(file, MARKET).close()
    })
    await expect(read).rejects.toThrow(/the file changed while it was being read/)
  })
})

type Event =
  | { readonly type: 'trade'; readonly id: number; readonly ms: number }
  | { readonly type: 'gap'; readonly from: number; readonly length: number }
  | { readonly type: 'sync' }

const events = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('trade' as const),
        id: fc.integer({ min: -1, max: 3 }),
        ms: fc.integer({ min: -2, max: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('gap' as const), from: fc.nat(6), length: fc.nat(8) }) },
    { weight: 2, arbitrary: fc.constant({ type: 'sync' as const }) },
  ),
  { maxLength: 20 },
)
const processes = fc.array(fc.record({ events, isKilled: fc.boolean() }), { minLength: 1, maxLength: 5 })

/** Ids and times go on from the last that was reported. */
class Reported {
  id = 10
  ms = 100

  to(into: Recording, event: Event): void {
    if (event.type === 'gap') {
      into.gap(this.ms - event.from, this.ms - event.from + event.length, 'x')
    } else if (event.type === 'trade') {
      this.id += event.id
      this.ms += event.ms
      try {
        into.append(trade(this.id, this.ms))
      } catch {
        // Ids that are not what they were: refused by either.
      }
    }
  }
}

/** The store as a process that is killed leaves it. */
function killed(file: string): string {
  const copy = newStore()
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  return copy
}

it('however it is cut and begun again: the rows and gaps of a recording in CSV of the same events', async () => {
  const reached = { killed: 0, gaps: 0, rows: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(processes, async (all) => {
      const csv = join(folder, `${(files += 1)}`, 'btc_usd.csv')
      let store = newStore()
      const [reported, reportedCsv] = [new Reported(), new Reported()]
      for (const { events: each, isKilled } of all) {
        const opened = StoreRecording.open(store, MARKET)
        // What a kill takes is what was reported since the last commit.
        const kept = isKilled ? each.findLastIndex(({ type }) => type === 'sync') + 1 : each.length
        const file = RecordingFile.open(csv, MARKET)
        expect(opened.last).toEqual(file.last)
        for (const event of each) {
          reported.to(opened, event)
          if (event.type === 'sync') await opened.sync()
        }
        each.slice(0, kept).forEach((event) => {
          reportedCsv.to(file, event)
        })
        file.close()
        // Both hear the same from here on.
        ;[reportedCsv.id, reportedCsv.ms] = [reported.id, reported.ms]
        if (isKilled) {
          store = killed(store)
          left.push(opened)
          reached.killed += 1
        } else opened.close()
      }
      RecordingFile.open(csv, MARKET).close()
      const rows = readFileSync(csv, 'utf8').trimEnd().split('\n').slice(1)
      const gaps = readFileSync(gapFileOf(csv), 'utf8').trimEnd().split('\n').slice(1)
      expect(rowsOf(store)).toEqual(rows)
      if (rows.length > 0) expect(gapsOf(store)).toEqual(gaps)
      reached.rows += rows.length
      reached.gaps += gaps.length
      StoreRecording.open(store, MARKET).close()
      expect(rowsOf(store)).toEqual(rows)
      reached.again += 1
    }),
    { numRuns: 60 },
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})
