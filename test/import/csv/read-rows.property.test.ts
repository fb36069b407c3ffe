import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CsvRecords } from '../../../src/import/csv/csv-records.ts'
import { RowScanner } from '../../../src/import/csv/row-scanner.ts'
import {
  doubtsOf,
  faultyDocuments,
  idsOf,
  isFiner,
  sidesOf,
  soundDocuments,
  type CsvDocument,
} from '../rig/csv-documents.ts'
import { readText, type Outcome } from '../rig/read-text.ts'
import { runs } from '../../property/property.ts'

const SYMBOL = { symbol: 'BTC_USD' }

/** Counts what was reached; a property that reaches nothing proves nothing. */
class Corners {
  readonly #counts = new Map<string, number>()

  count(corner: string, isReached: boolean): void {
    this.#counts.set(corner, (this.#counts.get(corner) ?? 0) + (isReached ? 1 : 0))
  }

  expectAllReached(): void {
    expect([...this.#counts].filter(([, count]) => count === 0)).toEqual([])
  }
}

/** Rows that the scanner took, and whether csv-parse was called upon, since the last time that was asked. */
function watchWays(): () => { scanned: boolean; usedCsv: boolean } {
  const scan = vi.spyOn(RowScanner.prototype, 'scan')
  const csv = vi.spyOn(CsvRecords.prototype, 'read')
  return () => {
    const scanned = scan.mock.calls.some(([, start], call) => Number(scan.mock.results[call]?.value) > start)
    const usedCsv = csv.mock.calls.length > 0
    scan.mockClear()
    csv.mockClear()
    return { scanned, usedCsv }
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the ways of reading', () => {
  it('end in the same blocks or in the same error at the same place, whatever the dialect, the faults and the chunks', async () => {
    const corners = new Corners()
    const ways = watchWays()
    const law = async (document: CsvDocument, chunkBytes: number): Promise<void> => {
      ways()
      const fast = await readText(document.bytes, SYMBOL, { chunkBytes })
      const { scanned, usedCsv } = ways()
      expect(fast).toEqual(await readText(document.bytes, SYMBOL, { way: 'csv' }))
      countCorners(corners, fast, scanned, usedCsv)
    }
    await fc.assert(fc.asyncProperty(faultyDocuments(), fc.constantFrom(1, 2, 7, 64, 65_536), law), {
      numRuns: runs(2000),
    })
    corners.expectAllReached()
  })

  it('read what was written, exactly', async () => {
    const corners = new Corners()
    const ways = watchWays()
    await fc.assert(
      fc.asyncProperty(
        soundDocuments(),
        fc.constantFrom<('fast' | 'csv')[]>('fast', 'fast', 'csv'),
        async (document, way) => {
          ways()
          expectToSay(document, await readText(document.bytes, SYMBOL, { way }))
          const { scanned, usedCsv } = ways()
          for (const time of ['s', 'ms', 'declared-ms', 'us', 'ns', 'iso', 'iso-space', 'iso-zone'] as const) {
            corners.count(`time ${time}`, document.dialect.time === time)
          }
          corners.count('scanned', scanned)
          for (const form of ['letters', 'bits'] as const) {
            corners.count(`scanned with ${form}`, scanned && document.dialect.conditions === form)
          }
          corners.count('scanned by date', scanned && document.dialect.time === 'iso-space')
          corners.count('scanned, then quoted', scanned && usedCsv)
          corners.count(
            'finer than a millisecond',
            document.rows.some((row) => isFiner(document.dialect, row)),
          )
        },
      ),
      { numRuns: runs(600) },
    )
    corners.expectAllReached()
  })
})

const FAULTS = [
  'expected a price',
  'expected a quantity',
  'decimals',
  'above 0',
  'not before that of the row before',
  'above that of the row before',
  'an integer id',
  'Unix ',
  'a date',
  'columns, got',
  'blank line',
  'buy or sell',
  'true or false',
  'in the first row',
  'conditions as letters of the SIP,',
  "conditions as LEAN's bits",
  'closing quote, got the end',
  'after a closing quote',
  'one inside',
  'NUL byte',
  'other bytes',
]

function countCorners(corners: Corners, outcome: Outcome, scanned: boolean, usedCsv: boolean): void {
  const error = 'error' in outcome ? outcome.error : undefined
  corners.count('taken, scanned', error === undefined && scanned)
  corners.count('taken, scanned, then quoted', error === undefined && scanned && usedCsv)
  corners.count('refused after scanned rows', error !== undefined && scanned)
  for (const fault of FAULTS) corners.count(fault, error?.includes(fault) === true)
}

/** The document's own figures in the precisions that were found. */
function expectToSay(document: CsvDocument, outcome: Outcome): void {
  if ('error' in outcome) throw new Error(outcome.error)
  const { dialect, rows } = document
  const { totals, columns } = outcome
  const rescale = (units: number, decimals: number, precision: number): number =>
    Number((BigInt(units) * 10n ** BigInt(precision + 12 - decimals)) / 10n ** 12n)
  const fewest = (units: readonly number[], decimals: number): number => {
    let precision = decimals
    while (precision > 0 && units.every((unit) => unit % 10 ** (decimals - precision + 1) === 0)) precision -= 1
    return precision
  }
  const prices = rows.map((row) => row.price)
  const qtys = rows.map((row) => row.qty)
  expect(totals.pricePrecision).toBe(fewest(prices, dialect.priceDecimals))
  expect(totals.qtyPrecision).toBe(fewest(qtys, dialect.qtyDecimals))
  const doubts = doubtsOf(document)
  expect(columns).toEqual({
    ...(doubts === undefined ? {} : { isDoubtful: doubts }),
    time: rows.map((row) => row.timeMs),
    price: prices.map((units) => rescale(units, dialect.priceDecimals, totals.pricePrecision)),
    qty: qtys.map((units) => rescale(units, dialect.qtyDecimals, totals.qtyPrecision)),
    side: sidesOf(document),
    ids: idsOf(document),
  })
  expect(totals).toMatchObject({ rows: rows.length, from: rows[0]?.timeMs, to: rows.at(-1)?.timeMs, emptyCandles: 0 })
  expect(outcome.areTimesExact).toBe(!rows.some((row) => isFiner(dialect, row)))
}
