import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { strategySource } from './rig/sample-files.ts'
import { cliFolderHere } from './rig/cli-here.ts'
import { expectInputError } from './rig/cli-result.ts'

const { cli, write, folder } = cliFolderHere()
const START = Date.UTC(2024, 0, 1)
const MOMENT = START + 3_600_000

const TAPE = [
  'time,price,qty',
  ...Array.from({ length: 600 }, (_, row) => {
    const price = 100 + 3 * Math.sin(row / 25)
    return `${START + row * 10_000},${price.toFixed(2)},50`
  }),
  '',
].join('\n')

const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')

const containing = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))

beforeAll(async () => {
  write(TAPE)
  const params = ['--param', 'fast=3', '--param', 'slow=8']
  const { code } = await cli('backtest', 'sma-cross', ...params, '--tape', 'A_USD=tape.csv', '--out', 'run')
  expect(code).toBe(0)
})

describe('papertape fork', () => {
  it('changes a parameter from a date on, and leaves a run, its page and one that compares both', async () => {
    const { code, stdout, stderr } = await cli('fork', 'run', '--at', '2024-01-01T01:00:00Z', '--set', 'fast=5')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('from 2024-01-01T01:00:00.000Z on: fast=5 (was 3).')
    expect(stdout).toMatch(/The \d+ lines of the journal before 2024-01-01T01:00:00\.000Z are the same\./)
    expect(stdout).toContain('settings (fork.from, fork.params.fast)')
    expect(existsSync(join(folder, 'run-fork', 'report.html'))).toBe(true)
    expect(read('run-fork.html')).toContain('<!doctype html>')
    expect(await cli('verify', 'run-fork')).toMatchObject({ code: 0 })
    expect(JSON.parse(read('run-fork', 'run.json')).notices.join()).toContain('A fork of sha256:')
  })

  it('prints the command for the page of a long run, and makes none', async () => {
    cpSync(join(folder, 'run'), join(folder, 'long run'), { recursive: true })
    const report = JSON.parse(read('long run', 'run.json')) as object
    writeFileSync(join(folder, 'long run', 'run.json'), JSON.stringify({ ...report, orders: 20_001 }))
    const { code, stdout, stderr } = await cli('fork', 'long run', '--at', '2024-01-01T01:00:00Z', '--set', 'fast=5')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain("page       papertape report 'long run' 'long run-fork' --out 'long run-fork.html'\n")
    expect(existsSync(join(folder, 'long run-fork.html'))).toBe(false)
  })

  it('says so when nothing differs, as with the parameters of before', async () => {
    const args = ['--at', '2024-01-01T01:00:00Z', '--set', 'fast=3', '--out', 'same', '--json']
    const { code, stdout } = await cli('fork', 'run', ...args)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ isSame: true, digest: JSON.parse(read('run', 'run.json')).digest })
  })

  it('takes the day on which the run begins for its beginning, and no day before', async () => {
    const late = 'time,price,qty\n1704110400000,100.00,5\n1704114000000,101.00,5\n'
    write(late, 'late.csv')
    await cli('backtest', 'sma-cross', '--tape', 'A_USD=late.csv', '--out', 'late')
    const forked = (day: string): ReturnType<typeof cli> =>
      cli('fork', 'late', '--at', day, '--set', 'fast=5', '--out', 'of-late')
    expect((await forked('2024-01-01')).stdout).toContain('from 2024-01-01T12:00:00.000Z on')
    expectInputError(await forked('2023-12-31'), /^--at: expected a moment of the run/)
  })

  it('leaves an order out, which the exchange refuses then', async () => {
    const [, , second = ''] = read('run', 'orders.csv').split('\n')
    const [id = ''] = second.split(',')
    const { code, stdout } = await cli('fork', 'run', '--without', id, '--out', 'without')
    expect(code).toBe(0)
    expect(stdout).toContain(`without order ${id}.`)
    expect(read('without', 'journal.jsonl')).toContain('"message":"left out by the fork"')
    expect(read('without', 'orders.csv').split('\n').length).toBeGreaterThan(3)
    expect(await cli('verify', 'without')).toMatchObject({ code: 0 })
  })

  it('leaves an order out at its own time only', async () => {
    const [, second = ''] = read('run', 'orders.csv').split('\n')
    const args = ['--without', second.split(',')[0] ?? '', '--at', '2024-01-01T01:00:00Z', '--out', 'never']
    expectInputError(await cli('fork', 'run', ...args), /^--at: order \d+ was placed at .*: leave it out$/)
  })

  it('adds an order at the time of a fill', async () => {
    const [, line = ''] = read('run', 'fills.csv').split('\n')
    const [tradeId = ''] = line.split(',')
    const order = ['--add', 'buy 0.25 A_USD at market', '--out', 'added']
    const { code, stdout } = await cli('fork', 'run', '--at', `fill:${tradeId}`, ...order)
    expect(code).toBe(0)
    expect(stdout).toContain('with an added order: buy 0.25 A_USD at market.')
    expect(read('added', 'journal.jsonl')).toContain('"side":"BUY","type":"MARKET","qty":"0.25"')
    expect(await cli('verify', 'added')).toMatchObject({ code: 0 })
  })

  it('reports that an added order was refused', async () => {
    const order = ['--add', 'buy 99999 A_USD', '--out', 'refused']
    const { code, stdout } = await cli('fork', 'run', '--at', '2024-01-01T01:00:00Z', ...order)
    expect(code).toBe(0)
    expect(stdout).toContain('The added order was refused: ')
    expect(await cli('verify', 'refused')).toMatchObject({ code: 0 })
  })

  it('leaves the earlier run in its place when the journal differs before the moment', async () => {
    const args = ['--at', '2024-01-01T01:00:00Z', '--set', 'fast=5', '--out', 'saved']
    expect(await cli('fork', 'run', ...args)).toMatchObject({ code: 0 })
    const before = read('saved', 'run.json')
    cpSync(join(folder, 'run'), join(folder, 'other'), { recursive: true })
    const journal = read('other', 'journal.jsonl').split('\n')
    journal.splice(2, 1)
    writeFileSync(join(folder, 'other', 'journal.jsonl'), journal.join('\n'))
    const refused = await cli('fork', 'other', ...args, '--force')
    expectInputError(refused, /^other\/journal\.jsonl:3: is not the same when the run is repeated/)
    expect(read('saved', 'run.json')).toBe(before)
  })

  it('replaces a strategy just before it fails, and refuses a moment after its end', async () => {
    const fails = strategySource({
      name: 'fails',
      run: `return trades(params.symbol).pipe(map((_, index) => {
        if (index === 400) throw new Error('boom')
        return undefined
      }))`,
    })
    write(fails, 'fails.js')
    const { code } = await cli('backtest', 'fails.js', '--tape', 'A_USD=tape.csv', '--out', 'failed')
    expect(code).toBe(1)
    const { time } = JSON.parse(read('failed', 'run.json')).failure as { time: number }
    const other = ['--strategy', 'sma-cross', '--out', 'mended', '--force']
    for (const at of [time, time - 1]) {
      expect(await cli('fork', 'failed', '--at', String(at), ...other)).toMatchObject({ code: 0 })
      expect(await cli('verify', 'mended')).toMatchObject({ code: 0 })
    }
    const late = await cli('fork', 'failed', '--at', String(time + 1), ...other)
    expectInputError(late, /^--at: the strategy failed at .*, and the run ended: expected a moment before it/)
  })

  it('warns when a strategy waits for orders from before, and starts it then with --restart', async () => {
    const change = ['--at', '2024-01-01T01:00:00Z', '--strategy', 'grid', '--out', 'grid', '--force']
    const waiting = await cli('fork', 'run', ...change)
    expect(waiting.stdout).toContain('start it at the moment with --restart')
    const { code, stdout } = await cli('fork', 'run', ...change, '--restart')
    expect(code).toBe(0)
    expect(stdout).not.toContain('--restart')
    expect(read('grid', 'orders.csv')).toContain('LIMIT')
    expect(await cli('verify', 'grid')).toMatchObject({ code: 0 })
  })

  it('changes fees, the liquidity model and limits from a date on', async () => {
    const args = ['--at', '2024-01-01T01:00:00Z', '--out', 'terms', '--force']
    const forked = async (...flags: string[]): Promise<string> => {
      const { code, stdout, stderr } = await cli('fork', 'run', ...args, ...flags)
      expect([code, stderr]).toEqual([0, ''])
      expect(await cli('verify', 'terms')).toMatchObject({ code: 0 })
      return stdout
    }
    const fees = await forked('--maker-fee', '5', '--taker-fee', '12.5', '--max-position', 'off')
    expect(fees).toContain('on: maker fee 5 bps (was 0 bps), taker fee 12.5 bps (was 0 bps).')
    expect(fees).toContain('settings (fork.from, fork.makerFeeBps, fork.takerFeeBps)')
    const fills = read('terms', 'fills.csv').trim().split('\n').slice(1)
    const isFree = fills
      .map((line) => line.split(','))
      .map(([, time, , , , , , , fee]) => [Number(time) < MOMENT, fee === '0'])
    expect(new Set(isFree.map(String))).toEqual(new Set(['true,true', 'false,false']))
    const model = await forked('--liquidity', 'ideal')
    expect(model).toContain('on: liquidity ideal (was tape).')
    expect(model).toContain('warning: Liquidity `ideal` fills any quantity')
    expect(await forked('--max-order', '50')).toContain('maxOrder 50 (was off).')
    expect(read('terms', 'journal.jsonl')).toContain('maxOrder: the order is worth')
    const losses = await forked('--drawdown-percent', '0.5', '--at-limit', 'flatten')
    expect(losses).toContain('drawdownPercent 0.5 (was off), atLimit flatten (was reduce).')
    expect(losses).toContain('The session was REDUCING from 2024-01-01T01:01:30.000Z')
    expect(await forked('--taker-fee', '0.0', '--liquidity', 'tape')).toContain('the digest is the same')
  })

  it('knows the peak from before the moment when a loss limit begins', async () => {
    const change = ['--at', '2024-01-01T01:05:00Z', '--drawdown-percent', '0.5', '--out', 'fallen']
    const { stdout } = await cli('fork', 'run', ...change)
    expect(stdout).toMatch(
      /The session was REDUCING from 2024-01-01T01:05:00\.000Z: the equity fell by .* from 10711\.95/,
    )
  })

  it.each([
    [['--at', '2024-01-01T01:00:00Z', '--taker-fee', '10001'], '--taker-fee: expected basis points from 0 to 10000'],
    [['--at', '2024-01-01T01:00:00Z', '--liquidity', 'tope'], "--liquidity: no liquidity model 'tope'"],
    [['--at', '2024-01-01T01:00:00Z', '--liquidity', 'book'], '--liquidity: book needs a recorded book or quotes'],
    [['--at', '2024-01-01T01:00:00Z', '--max-order', '-3'], '--max-order: expected a decimal above 0'],
    [['--at', '2024-01-01T01:00:00Z', '--orders-per-minute', '0'], '--orders-per-minute: expected'],
    [
      ['--at', '2024-01-01T01:00:00Z', '--at-limit', 'flatten'],
      "--at-limit: 'flatten' needs a limit at which it sells",
    ],
    [['--set', 'fast=5'], '--at: is missing: expected a date, order:ID or fill:ID'],
    [['--at', 'order:999999'], "--at: the run has no order '999999'"],
    [['--at', 'fill:999999'], "--at: the run has no fill '999999'"],
    [['--at', '2025-01-01'], '--at: expected a moment of the run, 2024-01-01T00:00:00.000Z to'],
    [['--at', 'noon'], '--at: expected a date such as'],
    [['--at', '2024-01-01T01:00:00Z', '--set', 'fats=5'], '--set fats: strategy'],
    [['--at', '2024-01-01T01:00:00Z', '--set', 'fast=x'], '--set fast: expected a number'],
    [['--at', '2024-01-01T01:00:00Z', '--add', 'hold 3'], "--add: expected an order such as 'buy 0.1 BTC_USD"],
    [['--at', '2024-01-01T01:00:00Z', '--add', 'buy 1 B_USD'], "--add: the run has no market 'B_USD'"],
    [['--without', '999999', '--at', '2024-01-01'], "--without: the run has no order '999999'"],
    [['--at', '2024-01-01T01:00:00Z', '--order-latency', 'slow'], '--order-latency: expected milliseconds'],
    [['--at', '2024-01-01T01:00:00Z', '--order-latency', '86400001'], '--order-latency: expected milliseconds'],
    [['--at', '2024-01-01T01:00:00Z', '--out', 'run'], '--out: is the run itself: name another one'],
  ])('refuses %j', async (args, message) => {
    expectInputError(await cli('fork', 'run', ...args), containing(message))
  })

  it('refuses what is no finished backtest, a fork, and a run that changed', async () => {
    expectInputError(await cli('fork', 'none', '--at', '2024-01-01'), containing('no such file'))
    const again = await cli('fork', 'run-fork', '--at', '2024-01-01T00:30:00Z')
    expectInputError(again, containing('is a fork already'))
    write(TAPE.replace(',50\n', ',51\n'))
    const changed = await cli('fork', 'run', '--at', '2024-01-01T01:00:00Z', '--out', 'changed')
    expectInputError(changed, containing('has changed: expected sha256'))
    expect(existsSync(join(folder, 'changed'))).toBe(false)
  })
})
