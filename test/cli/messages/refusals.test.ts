/**
 * Refused orders: on the screen with their text and the command that reports more, in orders.csv with their reason, and
 * asked about.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonRun } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv']

beforeAll(() => {
  write(TRADES, 'tape.csv')
  const each = (name: string, intents: string): string =>
    write(strategySource({ name, run: `return trades(params.symbol).pipe(map((trade) => ${intents}))` }), `${name}.js`)
  each('greedy', "buyMarket(params.symbol, '1000', { tag: 'all, of \"it\"' })")
  each('off-price', "buyLimit(params.symbol, trade.price.div(3), '1')")
  each('off-both', "buyLimit(params.symbol, '100.123', '0.15')")
  each('several', "[buyMarket(params.symbol, '1000'), buyLimit(params.symbol, '1.005', '1'), buyMarket('B_USD', '1')]")
  each('many', "Array.from({ length: 40 }, () => buyLimit(params.symbol, '1', '1'))")
  write(
    strategySource({
      name: 'cancels',
      run: "return trades(params.symbol).pipe(first(), map(() => ({ type: 'cancel', orderId: '77' })))",
    }),
    'cancels.js',
  )
})

/** The lines of a summary under one label. */
function linesUnder(stdout: string, label: string): readonly string[] {
  const lines = stdout.split('\n')
  const first = lines.findIndex((line) => line.startsWith(label.padEnd(13)))
  const next = lines.findIndex((line, index) => index > first && !line.startsWith(' '.repeat(13)))
  return first < 0 ? [] : lines.slice(first, next).map((line) => line.slice(13))
}

describe('on the screen', () => {
  it.concurrent('more than one has: the first order, its refusal, what there was, and how to hear more', async () => {
    const { code, stdout } = await cli('backtest', 'greedy.js', ...TAPE)
    expect(code).toBe(0)
    expect(stdout).toContain('orders       0; 5 refused: 5 INSUFFICIENT_BALANCE\n')
    expect(linesUnder(stdout, 'refused')).toEqual([
      'BUY 1000 A_USD at market: not enough USD available; the account had',
      '10000; market(symbol).affordableQty() returns what it can buy',
      'for details, add --out DIR and run `papertape why DIR ref:1`',
    ])
  })

  it.concurrent('off the grid: which of the words of a market rounds it', async () => {
    const price = linesUnder(
      (await cli('backtest', 'off-price.js', ...TAPE, '--rounding', 'refuse')).stdout,
      'refused',
    ).join(' ')
    expect(price).toContain('round with market(symbol).roundPrice()')
    const both = linesUnder((await cli('backtest', 'off-both.js', ...TAPE)).stdout, 'refused').join(' ')
    expect(both).toMatch(/price: .*; round with market\(symbol\)\.roundPrice\(\) and market\(symbol\)\.floorQty\(\)/)
    expect((await jsonRun(cli, 'backtest', 'off-both.js', ...TAPE)).firstRefusals).toMatchObject([
      {
        code: 'VALIDATION_ERROR',
        key: 'ref:1',
        hint: 'round with market(symbol).roundPrice() and market(symbol).floorQty()',
      },
    ])
  })

  it.concurrent('a kept run: the command that reports more, which does', async () => {
    const { stdout } = await cli('backtest', 'several.js', ...TAPE, '--out', 'a run')
    expect(linesUnder(stdout, 'refused')).toEqual([
      "VALIDATION_ERROR (BUY 1 A_USD at 1.005): price: '1.005' has more",
      'than 2 decimals; round with market(symbol).roundPrice()',
      "MARKET_NOT_FOUND (BUY 1 B_USD at market): no market 'B_USD'",
      "details: papertape why 'a run' ref:2 (1 more code in run.json)",
    ])
    const reported = await cli('why', 'a run', 'ref:2')
    expect(reported).toMatchObject({ code: 0, stderr: '' })
    expect(reported.stdout.replace('\n  ', ' ')).toMatch(
      /^refused before it was sent: VALIDATION_ERROR \(price: '1\.005' has more than 2 decimals\)\n/,
    )
    expect(await cli('verify', 'a run')).toMatchObject({ code: 0, stderr: '' })
  })

  it.concurrent('the rate limit: what lets orders wait', async () => {
    const { firstRefusals } = await jsonRun(cli, 'backtest', 'many.js', ...TAPE)
    expect(firstRefusals).toMatchObject([
      { code: 'RATE_LIMITED', by: 'rate-budget', hint: 'use `--on-limit wait` to queue orders instead' },
    ])
  })

  it.concurrent('a refused cancel: the order that it was for', async () => {
    const { stdout } = await cli('backtest', 'cancels.js', ...TAPE)
    expect(linesUnder(stdout, 'refused')).toEqual([
      'cancel of order 77: no order 77',
      'for details, add --out DIR and run `papertape why DIR 77`',
    ])
  })

  it.concurrent('never more than 80 columns and 23 lines', async () => {
    const lines = (await cli('backtest', 'several.js', ...TAPE)).stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  })
})

describe('in orders.csv', () => {
  it.concurrent('each is a row of its request, with its reason', async () => {
    await cli('backtest', 'greedy.js', ...TAPE, '--out', 'greedy')
    const [header, first, ...others] = readFileSync(join(folder, 'greedy', 'orders.csv'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(header).toBe('id,symbol,side,type,status,price,qty,filled_qty,average_price,fee,created_at,tag,reason')
    expect(first).toBe(
      'ref:1,A_USD,BUY,MARKET,REFUSED,,1000,0,,0,2023-11-14T22:13:20.050Z,"all, of ""it""",INSUFFICIENT_BALANCE: not enough USD available',
    )
    expect(others).toHaveLength(4)
    const [, last = ''] = /^(ref:\d+),/.exec(others.at(-1) ?? '') ?? []
    expect((await cli('why', 'greedy', last)).stdout).toMatch(/^refused by the exchange: INSUFFICIENT_BALANCE /)
  })

  it.concurrent('a refused cancel is no order', async () => {
    await cli('backtest', 'cancels.js', ...TAPE, '--out', 'cancels')
    expect(
      readFileSync(join(folder, 'cancels', 'orders.csv'), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(1)
  })
})
