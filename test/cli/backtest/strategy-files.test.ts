import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, IDEAL, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
})

const IN_TYPESCRIPT = `import { defineStrategy, type Intent, type MarketTrade } from 'papertape'
import { first, map, type Observable } from 'rxjs'
import { z } from 'zod'

const params = z.object({ symbol: z.string(), qty: z.string().default('1') })
type Params = z.output<typeof params>
interface Order extends Pick<Params, 'symbol'> { readonly qty: string }

export default defineStrategy({
  name: 'typed',
  params,
  run: ({ params, trades, buyMarket }): Observable<Intent> => {
    const order = { symbol: params.symbol, qty: params.qty } satisfies Order
    return trades(params.symbol).pipe(
      first((trade: MarketTrade): boolean => !trade.isBuyerMaker),
      map((): Intent => buyMarket(order.symbol, order.qty as string)),
    )
  },
})
`

const IN_COMMONJS = `const { defineStrategy } = require('papertape')
const { first } = require('rxjs')
const { map } = require('rxjs/operators')
const { z } = require('zod')

exports.default = defineStrategy({
  name: 'common',
  params: z.object({ symbol: z.string() }),
  run: ({ params, trades, buyMarket }) =>
    trades(params.symbol).pipe(first(), map(() => buyMarket(params.symbol, '1'))),
})
`

describe('a strategy is a file of the user, anywhere', () => {
  it('where no node_modules is in reach, papertape, rxjs and zod are there all the same', () => {
    let above = folder
    for (; above !== dirname(above); above = dirname(above)) {
      expect(existsSync(join(above, 'node_modules', 'rxjs'))).toBe(false)
    }
  })

  it.concurrent.each`
    file          | source           | why
    ${'typed.ts'} | ${IN_TYPESCRIPT} | ${'TypeScript with types, interfaces and satisfies'}
    ${'typed.mts'} | ${IN_TYPESCRIPT} | ${'TypeScript that says it is a module'}
    ${'plain.js'} | ${BUY_AND_HOLD}  | ${'JavaScript'}
    ${'plain.mjs'} | ${BUY_AND_HOLD} | ${'JavaScript that says it is a module'}
    ${'common.cjs'} | ${IN_COMMONJS} | ${'CommonJS'}
    ${'common.js'} | ${IN_COMMONJS}  | ${'CommonJS by its form'}
  `('$file: $why', async ({ file, source }) => {
    write(source, file)
    const report = await jsonRun(cli, 'backtest', file, ...TAPE)
    expect(report).toMatchObject({ orders: 1, fills: 1, balances: { A: { available: '1' } } })
    expect(report.strategy).toMatchObject({
      file,
      path: join(folder, file),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it.concurrent('may import a file beside it', async () => {
    write("export const QTY: string = '2'\n", 'quantity.ts')
    write(`import { QTY } from './quantity.ts'\n${BUY_AND_HOLD.replace('params.qty))', 'QTY))')}`, 'imports.ts')
    expect(await jsonRun(cli, 'backtest', 'imports.ts', ...TAPE)).toMatchObject({ balances: { A: { available: '2' } } })
  })
})

describe('what is no strategy is refused with what is missing', () => {
  it.concurrent.each`
    file              | source                                                     | line
    ${'empty.ts'}     | ${''}                                                      | ${'empty.ts: has no default export; write `export default defineStrategy({ ... })`'}
    ${'named.ts'}     | ${'export const strategy = 1'}                             | ${'named.ts: has no default export; write `export default defineStrategy({ ... })`'}
    ${'syntax.ts'}    | ${'export default { name: '}                               | ${/^syntax\.ts: cannot be loaded: ParseError: /}
    ${'throws.ts'}    | ${"throw new Error('at once')"}                            | ${'throws.ts: cannot be loaded: at once'}
    ${'package.ts'}   | ${"import x from 'left-pad'; export default x"}            | ${"package.ts: cannot be loaded: Cannot find module 'left-pad'"}
    ${'no-name.ts'}   | ${'export default { params: 1, run: () => 1 }'}            | ${"no-name.ts: its strategy has no name: add one, such as `name: 'mine'`"}
    ${'no-run.ts'}    | ${"export default { name: 'a', params: 1 }"}               | ${"no-run.ts: strategy 'a' has no function run: give it one, `run: ({ candles }) => ...`"}
    ${'no-params.ts'} | ${"export default { name: 'a', params: {}, run() {} }"}    | ${"no-params.ts: the params of strategy 'a' are not a z.object: if it has none, write `params: z.object({})`"}
    ${'notes.txt'}    | ${'buy low'}                                               | ${'notes.txt: expected a strategy file ending in .ts, .mts, .js, .mjs, .cjs, .cts'}
  `('$file', async ({ file, source, line }) => {
    write(source, file)
    expectInputError(await cli('backtest', file, ...TAPE), line)
  })

  it.concurrent('a file that is not there', async () => {
    expectInputError(
      await cli('backtest', './none.ts', ...TAPE),
      /^\.\/none\.ts: no such file, and no ready strategy has this name; .*sma-cross/,
    )
  })
})
