import { tradeBlocks } from '../../tape/rig/trade-blocks.ts'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { tapeCsv, writeTape } from '../../../src/store/tapes/tape-writer.ts'
import { market } from '../../exchange/rig/configs.ts'
import { appendBlock, emptyColumns } from '../../import/rig/read-text.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const MARKET = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 3 })

const trade = (id: number, createdAt: number, price: number, qty: number, isBuyerMaker: boolean): Trade => ({
  id,
  symbol: 'BTC_USD',
  price,
  qty,
  buyOrderId: 1,
  sellOrderId: 2,
  buyerId: 'a',
  sellerId: 'b',
  isBuyerMaker,
  createdAt,
})
const TWO = [trade(1, 1000, 1050, 2, true), trade(2, 1000, 100_000, 12_345, false)]
const TEXT = 'trade_id,time_ms,price,qty,is_buyer_maker\n1,1000,10.50,0.002,true\n2,1000,1000.00,12.345,false\n'

describe('the text of a tape', () => {
  it('has a header and a line for each trade, with the decimals of the market', () => {
    expect([...tapeCsv(MARKET, TWO)].join('')).toBe(TEXT)
    expect([...tapeCsv(MARKET, [])].join('')).toBe('trade_id,time_ms,price,qty,is_buyer_maker\n')
  })

  it('comes in chunks of whole lines, as the trades come', () => {
    let made = 0
    function* trades(): Generator<Trade> {
      for (let id = 1; id <= 100_000; id += 1) {
        made = id
        yield trade(id, id, 100, 1, true)
      }
    }
    const chunks = tapeCsv(MARKET, trades())
    const first = chunks.next().value ?? ''
    expect(first.endsWith('\n')).toBe(true)
    expect(made).toBeLessThan(5000)
  })
})

describe('a written tape', () => {
  it('reports what was written', async () => {
    const file = join(folder, 'reported.csv')
    expect(await writeTape(file, MARKET, TWO)).toEqual({ rows: 2, from: 1000, to: 1000, bytes: TEXT.length })
    expect(await writeTape(file, MARKET, [])).toMatchObject({ rows: 0, from: undefined, to: undefined })
  })

  it('is compressed when its name says so', async () => {
    const file = join(folder, 'small.csv.gz')
    const { bytes } = await writeTape(file, MARKET, TWO)
    const raw = readFileSync(file)
    expect(raw.length).toBe(bytes)
    expect(gunzipSync(raw).toString()).toBe(TEXT)
  })

  it('is read back as it was, plain or compressed', async () => {
    const rows = fc.array(
      fc.record({
        step: fc.nat(1000),
        price: fc.integer({ min: 1, max: 2 ** 50 }),
        qty: fc.integer({ min: 1, max: 2 ** 50 }),
        isBuyerMaker: fc.boolean(),
      }),
      { minLength: 1, maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('back.csv', 'back.csv.gz'), async (steps, name) => {
        let time = 1_700_000_000_000
        const trades = steps.map(({ step, price, qty, isBuyerMaker }, index) =>
          trade(index + 1, (time += step), price, qty, isBuyerMaker),
        )
        const file = join(folder, name)
        await writeTape(file, MARKET, trades)
        const tape = openTape(await inspectTape({ file, symbol: 'BTC_USD' }), MARKET)
        const columns = emptyColumns(true)
        for await (const block of tradeBlocks(tape)) appendBlock(columns, block)
        expect(columns.price).toEqual(trades.map(({ price }) => price))
        expect(columns.qty).toEqual(trades.map(({ qty }) => qty))
        expect(columns.time).toEqual(trades.map(({ createdAt }) => createdAt))
        expect(columns.ids).toEqual(trades.map(({ id }) => id))
        expect(columns.side).toEqual(trades.map(({ isBuyerMaker }) => (isBuyerMaker ? 2 : 1)))
      }),
      { numRuns: 50 },
    )
  })

  it('takes the place of the file that was there only when it is whole', async () => {
    const file = write('before', 'kept.csv')
    function* failing(): Generator<Trade> {
      for (let id = 1; id <= 50_000; id += 1) yield trade(id, id, 100, 1, true)
      expect(readFileSync(file, 'utf8')).toBe('before')
      throw new RangeError('the market is closed')
    }
    await expect(writeTape(file, MARKET, failing())).rejects.toThrow(RangeError)
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await writeTape(file, MARKET, TWO)
    expect(readFileSync(file, 'utf8')).toBe(TEXT)
  })

  it('goes where a link leads, and the link stays', async () => {
    const target = write('before', 'target.csv')
    const link = join(folder, 'link.csv')
    symlinkSync(target, link)
    await writeTape(link, MARKET, TWO)
    expect(readlinkSync(link)).toBe(target)
    expect(readFileSync(target, 'utf8')).toBe(TEXT)
  })

  it.each`
    name                  | message                                                  | why
    ${'a-folder'}         | ${'is a directory or a device: give the path of a file'} | ${'a folder'}
    ${'nowhere/tape.csv'} | ${/cannot be written \(ENOENT/}                          | ${'no such folder'}
  `('is refused with the name of the file: $why', async ({ name, message }) => {
    mkdirSync(join(folder, 'a-folder'), { recursive: true })
    const file = join(folder, String(name))
    const writing = writeTape(file, MARKET, TWO)
    await expect(writing).rejects.toThrow(InputError)
    await expect(writing).rejects.toThrow(file)
    await expect(writing).rejects.toThrow(message)
  })

  it('is not written at all to a device', async () => {
    await expect(writeTape('/dev/null', MARKET, TWO)).rejects.toThrow('/dev/null: is a directory or a device')
    expect(existsSync('/dev/null')).toBe(true)
  })
})
