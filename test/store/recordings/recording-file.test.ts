import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordingFile } from '../../../src/store/recordings/recording-file.ts'
import { recordingName, type TradeToRecord } from '../../../src/store/recordings/recording.ts'
import { gapFileOf } from '../../../src/store/tapes/gap-file.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder } = temporaryFiles()
const MARKET = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 3 }
const HEADER = 'trade_id,time_ms,price,qty,is_buyer_maker,symbol\n'

let files = 0
const newFile = (): string => join(folder, `${(files += 1)}`, 'btc_usd.csv')

const trade = (id: string | number, createdAt: number, price = '10.50'): TradeToRecord => ({
  id: String(id),
  createdAt,
  price,
  qty: '1.000',
  isBuyerMaker: true,
})

const line = (id: string | number, time: number, price = '10.50'): string =>
  `${id},${time},${price},1.000,true,BTC_USD\n`

const textOf = (file: string): string => readFileSync(file, 'utf8')
const gapsOf = (file: string): readonly string[] => textOf(gapFileOf(file)).trimEnd().split('\n').slice(1)

/** Opens, does something, closes. */
function recording(file: string, action: (recording: RecordingFile) => void): void {
  const opened = RecordingFile.open(file, MARKET)
  try {
    action(opened)
  } finally {
    opened.close()
  }
}

describe('a recording', () => {
  it('is a tape with its gaps, which a backtest takes without a word about its symbol', async () => {
    const file = newFile()
    recording(file, (r) => {
      r.append(trade(1, 1_700_000_000_000))
      r.gap(1_700_000_000_000, 1_700_000_005_000, 'lost')
      r.append(trade(9, 1_700_000_005_000, '10.25'))
    })
    const inspected = await inspectTape({ file })
    expect(inspected.info).toMatchObject({ symbol: 'BTC_USD', rows: 2, hasSides: true, pricePrecision: 2, notices: [] })
    expect(inspected.gaps).toEqual([{ from: 1_700_000_000_000, to: 1_700_000_005_000, why: 'lost' }])
  })

  it('is with the system when it was appended, and ends whole', () => {
    const file = newFile()
    const opened = RecordingFile.open(file, MARKET)
    opened.append(trade(1, 5))
    expect(textOf(file)).toBe(HEADER + line(1, 5))
    opened.close()
    opened.close()
  })

  it('goes on where it ended', () => {
    const file = newFile()
    recording(file, (r) => void r.append(trade(1, 5)))
    recording(file, (r) => {
      expect(r.last).toEqual({ id: '1', createdAt: 5 })
      r.append(trade(2, 6))
    })
    expect(textOf(file)).toBe(HEADER + line(1, 5) + line(2, 6))
  })

  it('has times that never decrease, and reports how many were moved', () => {
    const file = newFile()
    recording(file, (r) => {
      r.append(trade(1, 7))
      r.append(trade(2, 6))
      expect(r.counts).toEqual({ trades: 2, gaps: 0, moved: 1 })
    })
    expect(textOf(file)).toBe(HEADER + line(1, 7) + line(2, 7))
  })

  it('leaves out a trade whose id says that it belongs before the last, and marks that', () => {
    const file = newFile()
    recording(file, (r) => {
      expect([r.append(trade(5, 7)), r.append(trade(4, 7)), r.append(trade(5, 7)), r.append(trade(6, 8))]).toEqual([
        ...[true, false, false, true],
      ])
    })
    expect(textOf(file)).toBe(HEADER + line(5, 7) + line(6, 8))
    expect(gapsOf(file)).toEqual(['7,7,a trade arrived out of order'])
  })

  it.each`
    ids           | next     | why
    ${['5', '6']} | ${'1'}   | ${'ids that begin anew'}
    ${['5', '6']} | ${'abc'} | ${'ids of another form'}
  `('does not go on with $why', ({ ids, next }: { ids: readonly string[]; next: string }) => {
    const file = newFile()
    recording(file, (r) => {
      ids.forEach((id, index) => void r.append(trade(id, index)))
      expect(() => r.append(trade(next, 100))).toThrow(/the trade ids do not continue/)
    })
    expect(textOf(file)).toBe(HEADER + line(5, 0) + line(6, 1))
  })

  it('is of one process at a time', () => {
    const file = newFile()
    recording(file, () => {
      expect(() => RecordingFile.open(file, MARKET)).toThrow(/is being recorded by another process/)
    })
    recording(file, () => undefined)
  })

  it('is refused when the market has other precisions now, or is another one, and is left as it is', () => {
    const file = newFile()
    recording(file, (r) => void r.append(trade(1, 5)))
    expect(() => RecordingFile.open(file, { ...MARKET, pricePrecision: 3 })).toThrow(
      /2 decimals .* now has 3 and 3: record into/,
    )
    expect(() => RecordingFile.open(file, { ...MARKET, symbol: 'ETH_USD' })).toThrow(
      /expected a recording of ETH_USD, got one of BTC_USD/,
    )
    recording(file, (r) => void r.append(trade(2, 6)))
    expect(textOf(file)).toBe(HEADER + line(1, 5) + line(2, 6))
  })

  it('is no file of something else', () => {
    const file = newFile()
    recording(file, () => undefined)
    for (const other of ['trade_id,time_ms,price,qty,is_buyer_maker\n1,2,3,4,true\n', 'hello\n', '{}']) {
      writeFileSync(file, other)
      expect(() => RecordingFile.open(file, MARKET)).toThrow(/btc_usd\.csv:1: not a recording/)
      expect(textOf(file)).toBe(other)
    }
  })

  it('cannot be where nothing can be made', () => {
    expect(() => RecordingFile.open('/proc/none/btc_usd.csv', MARKET)).toThrow(/\/proc\/none: cannot be written/)
  })
})

describe('ids', () => {
  it.each([
    ['text', ['a1b2', 'Z-9', '00', 'é✓']],
    ['with commas and quotes', ['a,b', 'say "x"', ' x ']],
    ['larger than a double', ['9007199254740993', '9007199254740994', '123456789012345678901']],
    ['integers in no order', ['500', '7', '31', '8']],
    ['integers, then text', ['5', '6', 'x']],
  ])('survive, in a file that can be read: %s', async (_, ids) => {
    const file = newFile()
    recording(file, (r) => {
      r.learnIds(ids)
      ids.slice(0, 2).forEach((id, index) => void r.append(trade(id, 1_000 + index)))
    })
    recording(file, (r) => {
      expect(r.last?.id).toBe(ids[1])
      ids.slice(2).forEach((id, index) => void r.append(trade(id, 2_000 + index)))
      expect(r.last?.id).toBe(ids.at(-1))
    })
    const inspected = await inspectTape({ file })
    expect(inspected.info.rows).toBe(ids.length)
    for await (const block of openTape(inspected, { pricePrecision: 2, qtyPrecision: 3 }).blocks()) {
      const read = 'ids' in block && block.ids !== undefined ? [...block.ids].map(String) : []
      expect(read.map((id) => id.replace(/^id:/, ''))).toEqual(ids)
    }
  })

  it.each(['a\nb', 'a\u0000', ''])('that no line can hold is refused: %j', (id) => {
    const file = newFile()
    recording(file, (r) => {
      expect(() => r.append(trade(id, 5))).toThrow(/expected an id without control characters/)
    })
    expect(textOf(file)).toBe(HEADER)
  })
})

describe('what a process that was killed left behind', () => {
  const whole = HEADER + line(1, 5) + line(2, 6)

  it('at whatever byte it was cut, loses no whole row, and goes on', () => {
    for (let bytes = 0; bytes <= whole.length; bytes += 1) {
      const file = newFile()
      recording(file, () => undefined)
      writeFileSync(file, whole.slice(0, bytes))
      const sound = bytes < HEADER.length ? HEADER : whole.slice(0, whole.lastIndexOf('\n', bytes - 1) + 1)
      recording(file, (r) => {
        expect(textOf(file)).toBe(sound)
        r.append(trade(3, 7))
      })
      expect(textOf(file)).toBe(sound + line(3, 7))
    }
  })

  it('is cut where the machine has left other bytes', () => {
    for (const rest of ['\0\0\0\0', '\0\0\n', '3,7,10.50\n', `${line(3, 7).slice(0, 9)}\n${line(4, 8)}`]) {
      const file = newFile()
      recording(file, () => undefined)
      writeFileSync(file, whole + rest)
      recording(file, (r) => {
        expect(r.cutBytes).toBe(rest.length)
        expect(r.last).toEqual({ id: '2', createdAt: 6 })
      })
      expect(textOf(file)).toBe(whole)
    }
  })

  it('is found at the end of a file of any length, with the form of its first id', () => {
    const file = newFile()
    recording(file, (r) => void r.append(trade('first', 1)))
    const rows = Array.from({ length: 40_000 }, (_, index) => line(index + 1, 2 + index))
    appendFileSync(file, rows.join(''))
    recording(file, (r) => {
      expect(r.last).toEqual({ id: '40000', createdAt: 40_001 })
      r.append(trade('word', 50_000))
    })
  })

  it('has no gap that was marked for a trade which was never stored, nor half of one', () => {
    const file = newFile()
    recording(file, (r) => {
      r.append(trade(1, 5))
      r.gap(5, 6, 'kept')
      r.append(trade(2, 6))
      r.gap(6, 9, 'the trade behind it was not stored')
    })
    expect(gapsOf(file)).toHaveLength(2)
    appendFileSync(gapFileOf(file), '10,1')
    recording(file, (r) => {
      expect(r.counts.gaps).toBe(1)
    })
    expect(gapsOf(file)).toEqual(['5,6,kept'])
  })

  it('has a file of gaps, also when it was killed before it made one', () => {
    const file = newFile()
    recording(file, (r) => void r.append(trade(1, 5)))
    truncateSync(gapFileOf(file), 3)
    recording(file, () => undefined)
    expect(textOf(gapFileOf(file))).toBe('from,to,why\n')
  })
})

it('gaps in any order, reported early or late, make a file that is read, with every end', async () => {
  const gap = fc.tuple(fc.nat(30), fc.nat(10)).map(([from, length]) => ({ from, to: from + length }))
  await fc.assert(
    fc.asyncProperty(fc.array(gap, { minLength: 1, maxLength: 8 }), async (gaps) => {
      const file = newFile()
      recording(file, (r) => {
        r.append(trade(1, 0))
        for (const { from, to } of gaps) r.gap(from, to, 'x')
        r.append(trade(2, 100))
      })
      const { gaps: read } = await inspectTape({ file })
      expect(new Set(read?.map(({ to }) => to))).toEqual(new Set(gaps.map(({ to }) => to)))
    }),
    { numRuns: 60 },
  )
})

it.each`
  symbol       | name
  ${'BTC_USD'} | ${'btc_usd.csv'}
  ${'../x'}    | ${'%2e%2e%2fx.csv'}
  ${'A/B'}     | ${'a%2fb.csv'}
  ${'Ä_USD'}   | ${'%e4_usd.csv'}
`('the recording of $symbol is $name', ({ symbol, name }: Record<'symbol' | 'name', string>) => {
  expect(recordingName(symbol)).toBe(name)
})
