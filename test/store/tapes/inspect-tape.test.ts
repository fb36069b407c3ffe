import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { candleOpenTime } from '../../../src/domain/candle.ts'
import { InputError } from '../../../src/domain/errors.ts'
import { gapFileOf } from '../../../src/store/tapes/gap-file.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder, write } = temporaryFiles()

/** What the error says when the file is called tape.csv. */
async function errorOf(
  content: string | Uint8Array,
  source: Omit<TapeSource, 'file'> = { symbol: 'BTC_USD' },
): Promise<string> {
  const file = write(content)
  const error: unknown = await inspectTape({ file, ...source }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof InputError)) throw new Error(`expected an InputError, got ${String(error)}`)
  return error.message.replaceAll(file, 'tape.csv')
}

const infoOf = async (content: string | Uint8Array, source: Omit<TapeSource, 'file'> = { symbol: 'BTC_USD' }) =>
  (await inspectTape({ file: write(content), ...source })).info

const TRADES = 'id,time_ms,price,qty,side\n1,1000,10.50,2,buy\n2,1000,10.25,1.5,sell\n3,2000,11,0.125,buy\n'
const CANDLES =
  'time_ms,open,high,low,close,volume\n60000,10,12.5,9,11,0\n120000,11,11,11,11,8\n180000,11,14,11,12,1.5\n'

describe('inspectTape', () => {
  it('reports what a file of trades holds', async () => {
    const file = write(TRADES)
    expect(await inspectTape({ file, symbol: 'BTC_USD' })).toEqual({
      source: { file, symbol: 'BTC_USD' },
      info: {
        symbol: 'BTC_USD',
        kind: 'trades',
        file,
        sha256: createHash('sha256').update(TRADES).digest('hex'),
        rows: 3,
        emptyCandles: 0,
        from: 1000,
        to: 2000,
        pricePrecision: 2,
        qtyPrecision: 3,
        rowsAtPricePrecision: 1,
        rowsAtQtyPrecision: 1,
        hasSides: true,
        hasConditions: false,
        notices: [],
        warnings: 0,
      },
    })
  })

  it('reports what a file of candles holds', async () => {
    expect(await infoOf(CANDLES)).toMatchObject({
      kind: 'candles',
      rows: 3,
      emptyCandles: 1,
      from: 120_000,
      to: 240_000,
      pricePrecision: 1,
      qtyPrecision: 1,
      rowsAtPricePrecision: 1,
      rowsAtQtyPrecision: 1,
      hasSides: false,
      hasConditions: false,
      intervalMs: 60_000,
      isAligned: true,
      notices: ['1 of 3 candles has no volume: the market is assumed to be closed in it.'],
    })
  })

  describe('the form of the file', () => {
    it.each`
      change                                                                                      | why
      ${(text: string) => text.replaceAll('\n', '\r\n')}                                          | ${'CRLF'}
      ${(text: string) => text.slice(0, -1)}                                                      | ${'no newline at the end'}
      ${(text: string) => `${text}\n\r\n\n`}                                                      | ${'blank lines at the end'}
      ${(text: string) => `\ufeff${text}`}                                                        | ${'a UTF-8 byte order mark'}
      ${(text: string) => text.replaceAll(/[a-z_]+/g, '"$&"')}                                    | ${'quotes around words'}
      ${(text: string) => text.replaceAll(/[^,\n]+/g, '"$&"')}                                    | ${'quotes around everything'}
      ${(text: string) => gzipSync(text)}                                                         | ${'gzip, whatever the name'}
      ${(text: string) => Buffer.concat([gzipSync(text.slice(0, 40)), gzipSync(text.slice(40))])} | ${'gzip in several members'}
    `('does not matter: $why', async ({ change }: { change: (text: string) => string | Buffer }) => {
      const { sha256, file, ...plain } = await infoOf(TRADES)
      const changed = await infoOf(change(TRADES))
      expect(changed).toMatchObject(plain)
      expect(changed.file).toBe(file)
      expect(changed.sha256).not.toBe(sha256)
    })

    it('is hashed to its end, however many zeros follow the gzip', async () => {
      const bytes = Buffer.concat([gzipSync(TRADES), Buffer.alloc(4 * 1024 * 1024)])
      const { rows, sha256 } = await infoOf(bytes)
      expect(rows).toBe((await infoOf(TRADES)).rows)
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    })

    it.each`
      content                                                   | message                                                                                     | why
      ${''}                                                     | ${'tape.csv: expected CSV, got an empty file'}                                              | ${'empty'}
      ${'\ufeff'}                                               | ${'tape.csv: expected CSV, got only blank lines'}                                           | ${'nothing but a byte order mark'}
      ${'\n\n'}                                                 | ${'tape.csv: expected CSV, got only blank lines'}                                           | ${'blank'}
      ${'\nid,time_ms,price,qty\n1,1,1,1\n'}                    | ${'tape.csv:1: expected a row, got a blank line'}                                           | ${'blank at the beginning'}
      ${'time_ms,price,qty\n'}                                  | ${'tape.csv: expected at least one row, got only a header'}                                 | ${'a header only'}
      ${'time_ms,price,qty\n\n'}                                | ${'tape.csv: expected at least one row, got only a header'}                                 | ${'a header and a blank line'}
      ${'<!doctype html>\n<html>'}                              | ${'tape.csv: expected CSV, got HTML or XML'}                                                | ${'a page'}
      ${'{"trades":[]}'}                                        | ${'tape.csv: unknown JSON format: expected trades or candles, got a list without elements'} | ${'JSON'}
      ${'[[1,2]]'}                                              | ${'tape.csv:1:2: unknown JSON format: expected trades or candles, got an array: [1,2]'}     | ${'a JSON list'}
      ${Buffer.from('\ufefftime,price', 'utf16le')}             | ${'tape.csv: expected UTF-8, got UTF-16: convert the file to UTF-8'}                        | ${'UTF-16, little end first'}
      ${Buffer.from('\ufefftime,price', 'utf16le').swap16()}    | ${'tape.csv: expected UTF-8, got UTF-16: convert the file to UTF-8'}                        | ${'UTF-16, big end first'}
      ${Buffer.from('PK\u0003\u0004rest')}                      | ${'tape.csv: expected a sound zip archive, got one that is damaged or cut off'}             | ${'a zip archive'}
      ${Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00)}    | ${'tape.csv:1: expected UTF-8 text, got other bytes'}                                       | ${'a picture'}
      ${'time_ms,price,qty\n1,1,1\n1,1\u0000,1\n'}              | ${'tape.csv:3: expected text, got a NUL byte'}                                              | ${'a NUL byte in a row'}
      ${Buffer.from('time_ms,price,qty,caf\xe9\n', 'latin1')}   | ${'tape.csv:1: expected UTF-8 text, got other bytes'}                                       | ${'another encoding'}
      ${`time_ms,price,qty\n1,1,1\n${'1'.repeat(1_048_577)}`}   | ${'tape.csv:3: expected lines of at most 1048576 bytes, got a longer'}                      | ${'a line without an end'}
      ${gzipSync(TRADES).subarray(0, -9)}                       | ${'tape.csv: expected complete gzip data, got a file that was cut off'}                     | ${'truncated gzip'}
      ${Buffer.concat([gzipSync(TRADES), Buffer.from('rest')])} | ${'tape.csv: expected sound gzip data'}                                                     | ${'something behind the gzip'}
      ${gzipSync(TRADES).fill(255, 12, 16)}                     | ${'tape.csv: expected sound gzip data'}                                                     | ${'damaged gzip'}
      ${gzipSync('')}                                           | ${'tape.csv: expected CSV, got an empty file'}                                              | ${'gzip of nothing'}
      ${gzipSync('<html>')}                                     | ${'tape.csv: expected CSV, got HTML or XML'}                                                | ${'gzip of a page'}
    `('is refused when it is $why', async ({ content, message }: { content: string | Buffer; message: string }) => {
      expect(await errorOf(content)).toContain(message)
    })

    it('is reported in one line', async () => {
      expect(await errorOf('time_ms,price,qty\n1,"1\n2",1\n')).toBe(
        "tape.csv:2:2: expected a price such as 12.5, got '1\\n2'",
      )
    })

    it.each`
      file                       | message
      ${`${folder}/nowhere.csv`} | ${'no such file'}
      ${folder}                  | ${'expected a file, got a directory'}
      ${'/dev/null'}             | ${'expected a file that can be read twice, got a pipe or a device'}
    `('$message', async ({ file, message }: { file: string; message: string }) => {
      await expect(inspectTape({ file, symbol: 'BTC_USD' })).rejects.toThrow(new InputError(file, message))
    })

    it.runIf(process.platform !== 'win32')('a pipe that no one writes to, without waiting for who does', async () => {
      const file = `${folder}/pipe.csv`
      execFileSync('mkfifo', [file])
      await expect(inspectTape({ file, symbol: 'BTC_USD' })).rejects.toThrow('got a pipe or a device')
      const tape = write('time_ms,price,qty\n1,1,1\n', 'piped.csv')
      execFileSync('mkfifo', [gapFileOf(tape)])
      await expect(inspectTape({ file: tape, symbol: 'BTC_USD' })).rejects.toThrow('expected the header')
    })

    it.each(['\n', '\r\n'])('a row behind many empty lines, of which the first is reported: %j', async (end) => {
      const blank = end.repeat(1000)
      expect(await errorOf(`time_ms,price,qty\n1,1,1\n${blank}2,1,1\n`)).toBe(
        'tape.csv:3: expected a row, got a blank line',
      )
      expect(await infoOf(`time_ms,price,qty\n1,1,1\n${blank}`)).toMatchObject({ rows: 1 })
      expect(await errorOf(`${blank}time_ms,price,qty\n1,1,1\n`)).toBe('tape.csv:1: expected a row, got a blank line')
    })

    it('reports how far it has read, in bytes as they lie on disk', async () => {
      const file = write('time_ms,price,qty\n' + '1,1,1\n'.repeat(100_000))
      const reported: (readonly number[])[] = []
      await inspectTape({ file, symbol: 'BTC_USD' }, { onBytesRead: (...bytes) => reported.push(bytes) })
      expect(reported).toEqual([
        [262_144, 600_018],
        [524_288, 600_018],
        [600_018, 600_018],
      ])
    })
  })

  describe('rows of trades', () => {
    it.each`
      rows                                                              | message                                                                                                   | why
      ${['1,5,1,1,buy', '2,4,1,1,buy']}                                 | ${"3:2: expected a time not before that of the row before, in line 2, got '4'"}                           | ${'time goes back'}
      ${['1,5,1,1,buy', '1,5,1,2,buy']}                                 | ${"3:1: expected another id, for the row before that has this one is not the same, got '1'"}              | ${'an id is repeated'}
      ${['2,5,1,1,buy', '1,6,1,1,buy']}                                 | ${"3:1: expected an id above that of the row before, got '1'"}                                            | ${'ids go back'}
      ${['1,5,1,1,buy', 'x,6,1,1,buy']}                                 | ${"3:1: expected an integer id, as in the first row, got 'x'"}                                            | ${'ids change their form'}
      ${['x,5,1,1,buy', 'x,5,1,1,sell']}                                | ${"3:1: expected another id, for the row before that has this one is not the same, got 'x'"}              | ${'another id is repeated in a millisecond'}
      ${[',5,1,1,buy']}                                                 | ${"2:1: expected an id, got ''"}                                                                          | ${'an id is missing'}
      ${['1,5,0,1,buy']}                                                | ${"2:3: expected a price above 0, got '0'"}                                                               | ${'a price of zero'}
      ${['1,5,0.000,1,buy']}                                            | ${"2:3: expected a price above 0, got '0.000'"}                                                           | ${'a price of zero with decimals'}
      ${['1,5,1,0e5,buy']}                                              | ${"2:4: expected a quantity above 0, got '0e5'"}                                                          | ${'a quantity of zero'}
      ${['1,5,-1,1,buy']}                                               | ${"2:3: expected a price such as 12.5, got '-1'"}                                                         | ${'a negative price'}
      ${['1,5,1,-0.5,buy']}                                             | ${"2:4: expected a quantity such as 12.5, got '-0.5'"}                                                    | ${'a negative quantity'}
      ${['1,5,.5,1,buy']}                                               | ${"2:3: expected a price such as 12.5, got '.5'"}                                                         | ${'no digit before the point'}
      ${['1,5,1,1,buy', '2,5,.5,1,buy']}                                | ${"3:3: expected a price such as 12.5, got '.5'"}                                                         | ${'the same in a later row'}
      ${['1,5,1,1e-13,buy']}                                            | ${"2:4: expected a quantity with at most 12 decimals, got '1e-13'"}                                       | ${'13 decimals'}
      ${['1,5,1,1,buy', '2,5,1,9007199254740992,buy']}                  | ${'3:4: expected a quantity with fewer digits (at most 2^53 - 1 without the point)'}                      | ${'more than 2^53 - 1 units'}
      ${['1,5,1,0.5,buy', '2,5,1,9007199254740991,buy']}                | ${'3:4: expected a quantity of at most 2^53 - 1 units of 10^-1'}                                          | ${'more than 2^53 - 1 units in the precision of the rows before'}
      ${['1,5,1,9007199254740991,buy', '2,5,1,0.5,buy']}                | ${"3:4: expected decimals with which the largest quantity before stays within 2^53 - 1 units, got '0.5'"} | ${'a row before would have too many'}
      ${['1,5,1,1,bid']}                                                | ${"2:5: expected buy or sell, got 'bid'"}                                                                 | ${'no side'}
      ${['1,5,1,1']}                                                    | ${'2:5: expected 5 columns, got 4'}                                                                       | ${'a column too few'}
      ${['1,5,1,1,buy', '2,5,1,1,buy,,']}                               | ${'3:6: expected 5 columns, got 7'}                                                                       | ${'columns too many'}
      ${['1,5,1,1,buy', '', '2,5,1,1,b']}                               | ${'3: expected a row, got a blank line'}                                                                  | ${'a blank line between rows'}
      ${['1,5,1,1,buy', '\r', '', '2,5,1,1,b']}                         | ${'3: expected a row, got a blank line'}                                                                  | ${'two of them: the first'}
      ${['1,-5,1,1,buy']}                                               | ${"2:2: expected Unix milliseconds as an integer, got '-5'"}                                              | ${'a time before 1970'}
      ${['1,5,1,1,"buy']}                                               | ${'2:5: expected a closing quote, got the end of the file'}                                               | ${'a quote that is not closed'}
      ${['1,5,1,1,"b"uy']}                                              | ${'2:5: expected a comma or the end of the line after a closing quote'}                                   | ${'something after a closing quote'}
      ${['1,5,1,1,buy', '2,5,1,1,b"uy']}                                | ${'3:5: expected quotes only around a whole cell, got one inside'}                                        | ${'a quote inside of a cell'}
      ${['1,5,1,1,"b', 'uy"', '2,x,1,1,buy']}                           | ${"2:5: expected buy or sell, got 'b\\nuy'"}                                                              | ${'a row over two lines is where it begins'}
      ${['1,5,1,1,buy', '2,5,1,1,"buy"', '3,5,1,1,"buy"', '4,x,1,1,s']} | ${"5:2: expected Unix milliseconds as an integer, got 'x'"}                                               | ${'lines are counted on through quotes'}
    `('are refused: $why', async ({ rows, message }: { rows: string[]; message: string }) => {
      expect(await errorOf(['id,time_ms,price,qty,side', ...rows].join('\n'))).toContain(`tape.csv:${message}`)
    })

    it('count lines through cells with line feeds in them', async () => {
      const rows = ['"a\nb",1,1,1', '"a\r\nb",2,1,1', 'x,3,x,1']
      expect(await errorOf(['note,time_ms,price,qty', ...rows].join('\r\n'))).toBe(
        "tape.csv:6:3: expected a price such as 12.5, got 'x'",
      )
    })

    it.each`
      header              | cell      | isRight  | why
      ${'is_buyer_maker'} | ${'TRUE'} | ${true}  | ${'any case'}
      ${'is_buyer_maker'} | ${'0'}    | ${true}  | ${'digits'}
      ${'is_buyer_maker'} | ${'yes'}  | ${false} | ${'other words'}
      ${'is_buyer_maker'} | ${''}     | ${false} | ${'nothing'}
      ${'is_buyer_maker'} | ${'00'}   | ${false} | ${'more digits'}
      ${'side'}           | ${'B'}    | ${true}  | ${'a letter'}
      ${'side'}           | ${'Sell'} | ${true}  | ${'any case'}
      ${'side'}           | ${'true'} | ${false} | ${'a word of the other kind'}
    `(
      'report the aggressor in $header: $cell, $why',
      async ({ header, cell, isRight }: { header: string; cell: string; isRight: boolean }) => {
        const text = `time_ms,price,qty,${header}\n1,1,1,${cell}\n2,1,1,${cell}\n`
        if (isRight) expect((await infoOf(text)).rows).toBe(2)
        else
          expect(await errorOf(text)).toContain(
            `tape.csv:2:4: expected ${header === 'side' ? 'buy or sell' : 'true or false'}`,
          )
      },
    )
  })

  describe('conditions of trades', () => {
    const EITHER = "conditions as letters of the SIP such as @ or F I, or as LEAN's bits in hex such as 80000001"

    it.each`
      header              | cells               | hasSides | hasConditions | why
      ${'side'}           | ${['buy', 's']}     | ${true}  | ${false}      | ${'sides'}
      ${'is_buyer_maker'} | ${['true', '0']}    | ${true}  | ${false}      | ${'sides by their maker'}
      ${'conditions'}     | ${['@', '@ TI']}    | ${false} | ${true}       | ${'conditions'}
      ${'condition'}      | ${['', '80000001']} | ${false} | ${true}       | ${'one row that has some'}
      ${'conditions'}     | ${['', ' ']}        | ${false} | ${false}      | ${'a column that says nothing'}
      ${'exchange'}       | ${['P', 'D']}       | ${false} | ${false}      | ${'an exchange alone'}
      ${'note'}           | ${['@', 'D']}       | ${false} | ${false}      | ${'neither'}
    `(
      'are reported, as sides are: $why',
      async ({ header, cells, hasSides, hasConditions }: Record<string, unknown>) => {
        const [first, second] = cells as string[]
        const info = await infoOf(`time_ms,price,qty,${String(header)}\n1,1,1,${first}\n2,1,1,${second}\n`)
        expect(info).toMatchObject({ hasSides, hasConditions })
      },
    )

    it.each`
      cells                | message                                                                               | why
      ${['@J']}            | ${`2:4: expected ${EITHER}, got '@J'; to ignore them, list the other columns with`}   | ${'a letter that is none'}
      ${['[12,37]']}       | ${'2:5: expected 4 columns, got 5'}                                                   | ${'a list'}
      ${['"[12,37]"']}     | ${`2:4: expected ${EITHER}, got '[12,37]'`}                                           | ${'a list in quotes'}
      ${['@', '80000001']} | ${'3:4: expected conditions as letters of the SIP, as in the rows before, got'}       | ${'bits among letters'}
      ${['41', '@']}       | ${"3:4: expected conditions as LEAN's bits in hex, as in the rows before, got '@'"}   | ${'letters among bits'}
      ${['2', 'B1']}       | ${'3:4: expected conditions that are read in one way (letters with @ among them, or'} | ${'two ways'}
    `('are refused: $why', async ({ cells, message }: { cells: string[]; message: string }) => {
      const rows = cells.map((cell, row) => `${row + 1},1,1,${cell}`)
      expect(await errorOf(['time_ms,price,qty,conditions', ...rows].join('\n'))).toContain(`tape.csv:${message}`)
    })
  })

  describe('rows of candles', () => {
    it.each`
      rows                                      | message                                                                                               | why
      ${['60000,10,9,8,9,1']}                   | ${"2:2: expected an opening price from low to high, got '10'"}                                        | ${'open above high'}
      ${['60000,7,9,8,9,1']}                    | ${"2:2: expected an opening price from low to high, got '7'"}                                         | ${'open below low'}
      ${['60000,9,9,8,9.5,1']}                  | ${"2:5: expected a closing price from low to high, got '9.5'"}                                        | ${'close above high'}
      ${['60000,9,9,8,7.9,1']}                  | ${"2:5: expected a closing price from low to high, got '7.9'"}                                        | ${'close below low'}
      ${['60000,9,8,9,9,1']}                    | ${"2:4: expected a low price not above the high, got '9'"}                                            | ${'low above high'}
      ${['60000,9,9,8,9,-1']}                   | ${"2:6: expected a volume such as 12.5, got '-1'"}                                                    | ${'a negative volume'}
      ${['60000,9,9,0,9,1']}                    | ${"2:4: expected a price above 0, got '0'"}                                                           | ${'a price of zero'}
      ${['60000,9,9,8,9,1', '60000,9,9,8,9,2']} | ${"3:1: expected a time after that of the row before, in line 2, which is not the same, got '60000'"} | ${'a candle twice'}
      ${['60000,9,9,8,9,1', '59999,9,9,8,9,1']} | ${"3:1: expected a time after that of the row before, in line 2, got '59999'"}                        | ${'time goes back'}
    `('are refused: $why', async ({ rows, message }: { rows: string[]; message: string }) => {
      expect(await errorOf(['time_ms,open,high,low,close,volume', ...rows].join('\n'))).toContain(`tape.csv:${message}`)
    })

    it('are compared in one precision', async () => {
      const info = await infoOf('time_ms,open,high,low,close,volume\n0,10,10.005,9.99,10,1\n60000,10,10,10,10,1\n')
      expect(info.pricePrecision).toBe(3)
    })

    it.each([
      'time_ms,open,high,low,close,volume\n0,1,1,1,1,0\n60000,1,1,1,1,0\n',
      'time_ms,open,high,low,close\n0,1,1,1,1\n60000,1,1,1,1\n',
    ])('without any volume have a stated one: %j', async (text) => {
      const warning = /^The file has no volumes, so each candle is assumed to have a volume of/
      const guessed = await infoOf(text)
      expect(guessed).toMatchObject({
        statedVolume: '1000000',
        emptyCandles: 0,
        from: 0,
        to: 120_000,
        qtyPrecision: 0,
        warnings: 1,
      })
      expect(guessed.notices[0]).toMatch(warning)
      expect(await infoOf(text, { symbol: 'BTC_USD', volume: '2.50' })).toMatchObject({
        statedVolume: '2.50',
        qtyPrecision: 1,
      })
      expect(await errorOf(text, { symbol: 'BTC_USD', volume: '2.55', qtyPrecision: 1 })).toContain('has more decimals')
      expect(await errorOf(CANDLES, { symbol: 'BTC_USD', volume: '2' })).toBe(
        'volume: is for candles without volumes, and tape.csv has some',
      )
    })

    it('have the commonest step between them as their interval, of equally common ones the smallest', async () => {
      const text = 'time_ms,open,high,low,close,volume\n0,1,1,1,1,1\n180000,1,1,1,1,1\n240000,1,1,1,1,1\n'
      expect(await infoOf(text)).toMatchObject({ intervalMs: 60_000, from: 0, to: 300_000 })
    })

    it('have the interval that is given, which no step may be smaller than', async () => {
      expect(await infoOf(CANDLES, { symbol: 'BTC_USD', candleInterval: 30_000 })).toMatchObject({
        intervalMs: 30_000,
        to: 210_000,
      })
      expect(await errorOf(CANDLES, { symbol: 'BTC_USD', candleInterval: 90_000 })).toBe(
        "tape.csv:3:1: expected a candle at least 90s after that of the row before, in line 2, got '120000': it may have been incomplete when the file was written; remove it, or pass candleInterval for other candles",
      )
    })

    it('need an interval when there is only one', async () => {
      const one = 'time_ms,open,high,low,close,volume\n60000,1,1,1,1,1\n'
      expect(await errorOf(one)).toBe('candleInterval: missing candle length: tape.csv has only one candle')
      expect(await infoOf(one, { symbol: 'BTC_USD', candleInterval: 60_000 })).toMatchObject({
        from: 60_000,
        to: 120_000,
      })
    })

    it('without a volume are counted and reported, in the words of one or of several', async () => {
      const rows = ['0,1,1,1,1,', '60000,1,1,1,1,0.00', '120000,1,1,1,1,5', '180000,1,1,1,1,']
      const info = await infoOf(['time_ms,open,high,low,close,volume', ...rows].join('\n'))
      expect(info).toMatchObject({
        emptyCandles: 3,
        from: 120_000,
        notices: ['3 of 4 candles have no volume: the market is assumed to be closed in them.'],
      })
    })

    it.each`
      times                        | interval     | time       | isAligned | why
      ${[0, 60_000, 120_000]}      | ${undefined} | ${'open'}  | ${true}   | ${'whole minutes from 0'}
      ${[60_000, 180_000]}         | ${60_000}    | ${'open'}  | ${true}   | ${'minutes with a hole'}
      ${[60_000, 180_000]}         | ${undefined} | ${'open'}  | ${false}  | ${'two minutes that open at an odd one'}
      ${[120_000, 180_000]}        | ${undefined} | ${'close'} | ${true}   | ${'reported by their end'}
      ${[1, 60_001, 120_001]}      | ${undefined} | ${'open'}  | ${false}  | ${'a millisecond late, all of them'}
      ${[0, 60_000, 120_001]}      | ${undefined} | ${'open'}  | ${false}  | ${'the last one late'}
      ${[30_000, 90_000, 150_000]} | ${30_000}    | ${'open'}  | ${true}   | ${'half minutes, every other missing'}
    `(
      'are aligned or not: $why',
      async ({
        times,
        interval,
        time,
        isAligned,
      }: {
        times: number[]
        interval?: number
        time: 'open' | 'close'
        isAligned: boolean
      }) => {
        const rows = times.map((at) => `${at},1,1,1,1,1`)
        const reading = { candleTime: time, ...(interval === undefined ? {} : { candleInterval: interval }) }
        const info = await infoOf(['time_ms,open,high,low,close,volume', ...rows].join('\n'), {
          symbol: 'BTC_USD',
          ...reading,
        })
        expect(info.isAligned).toBe(isAligned)
        const opening = (at: number): number => (time === 'close' ? at - (info.intervalMs ?? NaN) : at)
        expect(times.every((at) => candleOpenTime(opening(at), info.intervalMs ?? NaN) === opening(at))).toBe(isAligned)
      },
    )

    it('may be reported by their end', async () => {
      const closing = { symbol: 'BTC_USD', candleTime: 'close' } as const
      expect(await infoOf(CANDLES, closing)).toMatchObject({ from: 60_000, to: 180_000 })
      expect(
        await errorOf(CANDLES.replace(/60000,10.*\n/, '30000,1,1,1,1,1\n'), { ...closing, candleInterval: 60_000 }),
      ).toContain('from 1970 on')
    })
  })

  describe('the symbol', () => {
    const WITH_SYMBOL = 'symbol,time_ms,price,qty\nBTC_USD,1,1,1\nBTC_USD,2,1,1\n'

    it('is the one given, else the one in the file', async () => {
      expect((await infoOf(WITH_SYMBOL, {})).symbol).toBe('BTC_USD')
      expect((await infoOf(TRADES, { symbol: 'ETH_USD' })).symbol).toBe('ETH_USD')
    })

    it('may differ from what the file calls it, which is reported', async () => {
      const info = await infoOf(WITH_SYMBOL.replaceAll('BTC_USD', 'XBTUSD'), { symbol: 'BTC_USD' })
      expect(info).toMatchObject({
        symbol: 'BTC_USD',
        notices: ["The symbol column says 'XBTUSD'; BTC_USD is used."],
      })
    })

    it.each`
      content                                     | source                  | message                                                                               | why
      ${TRADES}                                   | ${{}}                   | ${'tapes: missing symbol of tape.csv: write SYMBOL=tape.csv or pass symbol'}          | ${'none is known'}
      ${WITH_SYMBOL.replaceAll('BTC_USD', 'FOO')} | ${{}}                   | ${"tape.csv:2:1: expected a symbol of the form BASE_QUOTE such as BTC_USD, got 'FOO"} | ${'it is not of the form BASE_QUOTE'}
      ${`${WITH_SYMBOL}ETH_USD,3,1,1\n`}          | ${{}}                   | ${"tape.csv:4:1: expected 'BTC_USD' as in the first row, got 'ETH_USD'"}              | ${'there are two'}
      ${TRADES}                                   | ${{ symbol: 'BTCUSD' }} | ${"tapes: expected a symbol of the form BASE_QUOTE such as BTC_USD, got 'BTCUSD'"}    | ${'the one given is none'}
    `(
      'is refused when $why',
      async ({ content, source, message }: { content: string; source: object; message: string }) => {
        expect(await errorOf(content, source)).toContain(message)
      },
    )
  })

  describe('precisions', () => {
    it('are the ones given', async () => {
      const given = await infoOf(TRADES, { symbol: 'BTC_USD', pricePrecision: 4, qtyPrecision: 3 })
      expect(given).toMatchObject({ pricePrecision: 4, qtyPrecision: 3 })
    })

    it('are refused at the row that needs more', async () => {
      expect(await errorOf(TRADES, { symbol: 'BTC_USD', pricePrecision: 1 })).toBe(
        "tape.csv:3:3: expected a price with at most 1 decimals, got '10.25'",
      )
      expect(await errorOf(TRADES, { symbol: 'BTC_USD', qtyPrecision: 2 })).toBe(
        "tape.csv:4:4: expected a quantity with at most 2 decimals, got '0.125'",
      )
    })

    it('ignore trailing zeros', async () => {
      const zeros = TRADES.replaceAll(/,(\d+)\.(\d+)/g, ',$1.$200000000000')
      expect(await infoOf(zeros)).toMatchObject({ pricePrecision: 2, qtyPrecision: 3 })
    })

    it.each`
      source                     | message
      ${{ pricePrecision: 13 }}  | ${'pricePrecision: expected decimals from 0 to 12, got 13'}
      ${{ qtyPrecision: -1 }}    | ${'qtyPrecision: expected decimals from 0 to 12, got -1'}
      ${{ qtyPrecision: 1.5 }}   | ${'qtyPrecision: expected decimals from 0 to 12, got 1.5'}
      ${{ candleInterval: 0 }}   | ${'candleInterval: expected whole milliseconds, at least 1, got 0'}
      ${{ candleInterval: 4.5 }} | ${'candleInterval: expected whole milliseconds, at least 1, got 4.5'}
    `('$message', async ({ source, message }: { source: object; message: string }) => {
      expect(await errorOf(TRADES, { symbol: 'BTC_USD', ...source })).toBe(message)
    })
  })

  describe('a step that comes from one row', () => {
    const rowsOf = (count: number, odd: Readonly<Record<number, string>>): string[] =>
      Array.from({ length: count }, (_, row) => `${row + 1},${odd[row] ?? '10.5,1.25'}`)
    const notices = async (rows: readonly string[], source: Omit<TapeSource, 'file'> = {}): Promise<string[]> => {
      const info = await infoOf(['time_ms,price,qty', ...rows].join('\n'), { symbol: 'BTC_USD', ...source })
      return info.notices.map((notice) => notice.replace(info.file, 'tape.csv'))
    }
    const TICK =
      'The tick size of BTC_USD, 0.001, comes from one row (tape.csv:8): pass `--price-precision` if that is a mistake.'
    const LOT =
      'The lot size of BTC_USD, 0.00000001, comes from one row (tape.csv:4): pass `--qty-precision` if that is a mistake.'

    it.each`
      rows                                                        | source                   | expected       | why
      ${rowsOf(12, { 6: '10.505,1.25' })}                         | ${{}}                    | ${[TICK]}      | ${'a price'}
      ${rowsOf(12, { 2: '10.5,0.00000001' })}                     | ${{}}                    | ${[LOT]}       | ${'a quantity'}
      ${rowsOf(12, { 2: '10.5,1e-8', 6: '10.505,1' })}            | ${{}}                    | ${[TICK, LOT]} | ${'both, in a row that is unusual'}
      ${rowsOf(12, { 2: '"10.5",1.25', 6: '10.505,1.25' })}       | ${{}}                    | ${[TICK]}      | ${'behind a quote'}
      ${rowsOf(12, { 2: '10.55,1.25', 6: '10.505,1.25' })}        | ${{}}                    | ${[TICK]}      | ${'finer than a finer one before'}
      ${rowsOf(12, { 6: '10.505,1.25', 9: '10.105,1.25' })}       | ${{}}                    | ${[]}          | ${'two rows need it'}
      ${rowsOf(12, { 6: '10.500,1.25' })}                         | ${{}}                    | ${[]}          | ${'zeros need nothing'}
      ${rowsOf(12, { 6: '10.505,1.25' })}                         | ${{ pricePrecision: 3 }} | ${[]}          | ${'it was given'}
      ${rowsOf(9, { 6: '10.505,1.25' })}                          | ${{}}                    | ${[]}          | ${'too few rows to wonder'}
      ${rowsOf(12, {}).map((row) => row.replace(/,.*/, ',10,1'))} | ${{}}                    | ${[]}          | ${'whole numbers'}
    `(
      'is reported: $why',
      async ({ rows, source, expected }: { rows: string[]; source: object; expected: string[] }) => {
        expect(await notices(rows, source)).toEqual(expected)
      },
    )

    it('is reported for a candle, whichever of its prices it is', async () => {
      const rows = Array.from({ length: 12 }, (_, row) => `${row * 60_000},1,2.5,0.5,1,7`)
      rows[5] = '300000,1,2.5,0.255,1.5,7'
      const info = await infoOf(['time_ms,open,high,low,close,volume', ...rows].join('\n'))
      expect(info).toMatchObject({ rowsAtPricePrecision: 1, rowsAtQtyPrecision: 12, pricePrecision: 3 })
      expect(info.notices).toEqual([
        `The tick size of BTC_USD, 0.001, comes from one row (${info.file}:7): pass \`--price-precision\` if that is a mistake.`,
      ])
    })
  })

  it.each`
    content                                                                             | expected | why
    ${'time_ms,price,qty\n1,1.26,1\n2,1.2,1.55\n'}                                      | ${2}     | ${'a price and a quantity'}
    ${'time_ms,open,high,low,close,volume\n0,1.26,1.36,1.15,1.2,7\n60000,1,1,1,1,1\n'}  | ${3}     | ${'three prices of a candle'}
    ${'time_ms,open,high,low,close,volume\n0,1,1,1,1,1.25\n60000,1,1.26,1,1.26,2.25\n'} | ${4}     | ${'two prices and two volumes'}
  `('counts each value that was rounded once: $why', async ({ content, expected }) => {
    const { notices } = await infoOf(content, { symbol: 'BTC_USD', precision: 1 })
    expect(notices).toContain(`${expected} values were rounded to 1 decimals.`)
  })

  it('reports columns that are not used and times that were rounded', async () => {
    const info = await infoOf('timestamp,price,qty,recv_ns\n1583020803145001,1,1,7\n1583020803145002,1,1,8\n')
    expect(info.notices).toEqual([
      'These columns are not used: recv_ns.',
      'Times finer than a millisecond were rounded down.',
    ])
  })
})
