import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliFolderHere } from '../rig/cli-here.ts'

const { folder, write, cli } = cliFolderHere()
const START = 1_704_164_640_000

const trades = (count: number, odd = -1): string =>
  `id,createdAt,side,price,qty\n${Array.from({ length: count }, (_, at) => `${at < count / 2 ? at : at + 5},${START + at * 500},buy,${at === odd ? '150' : '100.25'},1`).join('\n')}\n`
const candles = 'time,open,high,low,close,volume\n2024-01-02T00:00:00Z,1,2,1,2,5\n2024-01-02T00:01:00Z,2,2,1,1,5\n'

async function store(): Promise<void> {
  if (existsSync(join(folder, 'papertape.db'))) return
  write(trades(1000), 'a.csv')
  write(candles, 'c.csv')
  await cli('import', 'BTC_USD=a.csv', 'BTC_USD=c.csv')
}

describe('papertape tapes', () => {
  it('lists what is there, in 80 columns and as JSON', async () => {
    await store()
    const { code, stdout, stderr } = await cli('tapes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.every((line) => line.length <= 80)).toBe(true)
    expect(lines[1]).toMatch(/^BTC_USD {2}trades +1,000 +\d\.\d kB +1 +[▁-█]{24}$/)
    expect(lines[2]).toContain('2024-01-02T03:04:00.000Z to 2024-01-02T03:12:19.500Z')
    expect(lines[3]).toMatch(/^BTC_USD {2}1m +2 +\d+ +B +0 /)
    expect(JSON.parse((await cli('tapes', '--json')).stdout)).toEqual([
      {
        symbol: 'BTC_USD',
        kind: 'trades',
        interval: null,
        rows: 1000,
        first: START,
        last: START + 499_500,
        bytes: expect.any(Number) as number,
        gaps: 1,
      },
      {
        symbol: 'BTC_USD',
        kind: 'candles',
        interval: '1m',
        rows: 2,
        first: 1_704_153_600_000,
        last: 1_704_153_660_000,
        bytes: expect.any(Number) as number,
        gaps: 0,
      },
    ])
  })

  it('checks every block, and says which is damaged', async () => {
    await store()
    expect(await cli('tapes', 'check')).toMatchObject({ code: 0, stderr: '' })
    await cli('import', 'BTC_USD=a.csv', '--out', 'a.tape')
    write(trades(10, 4), 'odd.csv')
    await cli('import', 'BTC_USD=odd.csv', '--out', 'odd.tape')
    const odd = await cli('tapes', 'check', 'odd.tape')
    expect(odd.code).toBe(0)
    expect(odd.stdout).toContain(
      'outlier: block 1 at 2024-01-02T03:04:02.500Z: the row before is 50 % from both of its neighbours',
    )
    const descriptor = openSync(join(folder, 'a.tape'), 'r+')
    writeSync(descriptor, Buffer.of(0xff, 0xff), 0, 2, 100)
    closeSync(descriptor)
    const damaged = await cli('tapes', 'check', 'a.tape')
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toContain('damaged: block 1')
    const run = await cli('backtest', 'sma-cross', '--tape', 'a.tape', '--no-bounds')
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/^papertape: a\.tape: block 1 of 1: is damaged/)
  })

  it('takes a market out, asked for plainly, and gives its space back', async () => {
    await store()
    write(trades(60_000), 'big.csv')
    await cli('import', 'ETH_USD=big.csv')
    const path = join(folder, 'papertape.db')
    const before = statSync(path).size
    expect(await cli('tapes', 'rm', 'ETH_USD')).toMatchObject({
      code: 2,
      stderr: 'papertape: --yes: required, because there is no terminal to confirm on\n',
    })
    expect(await cli('tapes', 'rm', 'XRP_USD', '--yes')).toMatchObject({
      code: 2,
      stderr: 'papertape: papertape.db: has no tape of XRP_USD\n',
    })
    expect(await cli('tapes', 'rm', 'ETH_USD', '--yes')).toMatchObject({ code: 0 })
    expect(statSync(path).size).toBeLessThan(before - 50_000)
    expect((await cli('tapes', '--json')).stdout).not.toContain('ETH_USD')
  })
})

describe('papertape export', () => {
  it('writes what a backtest reads back', async () => {
    await store()
    expect(await cli('export', '--symbol', 'BTC_USD', '--out', 'out.csv')).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8').split('\n').slice(0, 2)).toEqual([
      'id,createdAt,symbol,side,price,qty',
      `0,${START},BTC_USD,buy,100.25,1`,
    ])
    expect(await cli('export', '--symbol', 'BTC_USD', '--candle-interval', '1m', '--out', 'candles.csv')).toMatchObject(
      { code: 0 },
    )
    expect(readFileSync(join(folder, 'candles.csv'), 'utf8')).toBe(
      'time,open,high,low,close,volume\n2024-01-02T00:00:00.000Z,1,2,1,2,5\n2024-01-02T00:01:00.000Z,2,2,1,1,5\n',
    )
    expect(await cli('export', '--symbol', 'BTC_USD', '--out', 'out.csv')).toMatchObject({
      code: 2,
      stderr: 'papertape: out.csv: exists already: pass --force to overwrite it\n',
    })
    expect(await cli('export', '--symbol', 'X_Y', '--out', 'x.csv')).toMatchObject({
      code: 2,
      stderr: 'papertape: papertape.db: has no tape of X_Y; there is BTC_USD\n',
    })
  })
})
