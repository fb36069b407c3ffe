import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

beforeAll(() => {
  write(strategySource({ run: 'return NEVER' }), 'noop.js')
})

/** The sample tape with one line in another form. */
const withLine = (number: number, line: string): string =>
  TRADES.split('\n')
    .map((each, index) => (index === number - 1 ? line : each))
    .join('\n')

const LONG = `time_ms,price,qty\n${Array.from({ length: 20_000 }, (_, row) => `${START + row},${100 + (row % 7)},1`).join('\n')}\n`
const CANDLES = 'time,open,high,low,close,volume\n2024-01-01,10,9,11,10,5\n'

// Each kind of fault once; test/store has the rest of them.
it.concurrent.each`
  name               | content                                                   | line
  ${'unsorted.csv'}  | ${withLine(4, `3,${START + 500},100.25,1.5,true`)}        | ${/^unsorted\.csv:4:2: expected .*, got '1700000000500'; pass --sort to sort the rows$/}
  ${'negative.csv'}  | ${withLine(3, `2,${START + 1000},-100.5,1.5,true`)}       | ${/^negative\.csv:3:3: expected .*, got '-100\.5'$/}
  ${'zero.csv'}      | ${withLine(3, `2,${START + 1000},100.5,0,true`)}          | ${/^zero\.csv:3:4: expected .*, got '0'$/}
  ${'word.csv'}      | ${withLine(2, `1,${START},a hundred,1.5,true`)}           | ${/^word\.csv:2:3: expected .*, got 'a hundred'$/}
  ${'id.csv'}        | ${withLine(4, `2,${START + 2000},100.25,1.5,true`)}       | ${/^id\.csv:4:1: expected .*, got '2'$/}
  ${'short.csv'}     | ${withLine(5, `4,${START + 3000},101`)}                   | ${/^short\.csv:5(:\d+)?: expected .*5.*, got 3/}
  ${'maker.csv'}     | ${withLine(2, `1,${START},100,1.5,perhaps`)}              | ${/^maker\.csv:2:5: expected .*true or false.*, got 'perhaps'$/}
  ${'header.csv'}    | ${withLine(1, 'id,when,price,qty,is_buyer_maker')}        | ${/^header\.csv:1: found no column for time /}
  ${'bare.csv'}      | ${TRADES.slice(TRADES.indexOf('\n') + 1)}                 | ${/^bare\.csv:1: expected a header, got '1,1700000000000,/}
  ${'high-low.csv'}  | ${CANDLES}                                                | ${/^high-low\.csv:2:4: expected .*, got '11'$/}
  ${'empty.csv'}     | ${''}                                                     | ${/^empty\.csv.*: expected /}
  ${'only-head.csv'} | ${'time_ms,price,qty\n'}                                  | ${/^only-head\.csv.*: expected /}
  ${'page.csv'}      | ${'<!DOCTYPE html>\n<html><body>404</body></html>\n'}     | ${/^page\.csv.*: expected .*HTML/}
  ${'binary.csv'}    | ${Uint8Array.from({ length: 999 }, (_, i) => (i * 7) % 256)} | ${/^binary\.csv/}
  ${'cut.csv.gz'}    | ${gzipSync(LONG).subarray(0, 9000)}                       | ${/^cut\.csv\.gz.*: /}
`('$name', async ({ name, content, line }) => {
  write(content, name)
  const result = await cli('backtest', 'noop.js', '--tape', `A_USD=${name}`)
  expectInputError(result, line)
  // Nothing that a terminal would act on, and a line that can be read.
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  expect(result.stderr.trimEnd()).not.toMatch(/[\u0000-\u001f]/)
  expect(result.stderr.length).toBeLessThan(400)
})
