import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, IDEAL, START, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]
const FILES = [
  ...['candles.csv', 'equity.csv', 'fills.csv', 'journal.jsonl', 'orders.csv', 'periods.csv'],
  ...['report.html', 'run.json', 'trades.csv'],
]

const textOf = (directory: string, file: string): string => readFileSync(join(folder, directory, file), 'utf8')
const rowsOf = (directory: string, file: string): string[][] =>
  textOf(directory, file)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const contentsOf = (directory: string): Record<string, string> =>
  Object.fromEntries(readdirSync(join(folder, directory)).map((file) => [file, textOf(directory, file)]))

/** Two trades of its own, an order that rests, and one that is refused. */
const BUSY = strategySource({
  name: 'busy',
  params: 'fail: z.boolean().default(false)',
  run: `
    const { symbol } = params
    return merge(
      timer(0).pipe(map(() => [buyMarket(symbol, '2', { tag: 'in, "quoted"' }), buyLimit(symbol, '90', '1'), buyLimit(symbol, '9', '9999')])),
      timer(2500).pipe(map(() => { if (params.fail) throw new Error('half-way'); return sellMarket(symbol, '0.5') }))
    )`,
}).replace('buyMarket, buyLimit', 'buyMarket, sellMarket, buyLimit')

/** An order a millisecond for two seconds. */
const CHATTY = strategySource({
  name: 'chatty',
  run: `return interval(1).pipe(take(2000), map(() => buyLimit(params.symbol, '9', '0.1')))`,
})

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(CHATTY, 'chatty.js')
  write(BUY_AND_HOLD, 'hold.js')
  write(BUSY, 'busy.js')
})

describe('--out', () => {
  beforeAll(async () => {
    const flags = ['--out', 'deep/run', '--taker-fee', '7.5', '--maker-fee', '1', '--credit', '1000:USD', '--seed', '9']
    expect(await cli('backtest', 'busy.js', ...TAPE, ...flags, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('makes the directory, with the five files of a run and nothing else', () => {
    expect(readdirSync(join(folder, 'deep/run')).sort()).toEqual(FILES)
  })

  it('run.json holds what was run and what came of it', () => {
    const sourceHash = sha256(BUSY)
    expect(JSON.parse(textOf('deep/run', 'run.json'))).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      strategy: { name: 'busy', sha256: sourceHash, file: 'busy.js', path: join(folder, 'busy.js') },
      params: { symbol: 'A_USD', fail: false },
      tapes: [
        {
          symbol: 'A_USD',
          kind: 'trades',
          file: 'tape.csv',
          path: join(folder, 'tape.csv'),
          sha256: sha256(TRADES),
          rows: 6,
          emptyCandles: 0,
          from: START,
          to: START + 120_000,
          pricePrecision: 2,
          qtyPrecision: 1,
          notices: [],
          reading: {},
        },
      ],
      config: {
        credit: { USD: '1000' },
        makerFeeBps: '1',
        takerFeeBps: '7.5',
        liquidity: 'ideal',
        orderLatencyMs: 50,
        responseLatencyMs: 0,
        feedLatencyMs: 0,
        onLimit: 'refuse',
        limits: { general: 600, mutations: 30, windowSeconds: 60 },
        from: null,
        to: null,
        seed: 9,
      },
      digest: `sha256:${sha256(textOf('deep/run', 'journal.jsonl'))}`,
      failure: null,
      audit: {
        ok: true,
        assets: {
          A: { credited: '0', held: '0', fees: '0', difference: '0' },
          // Fees of 7.5 basis points of 200.00 and of 0.5 at 100.25: 0.15 and 0.03759375, rounded up to the third digit.
          USD: { credited: '1000', held: '999.812', fees: '0.188', difference: '0' },
        },
      },
      initialEquity: '1000',
      // 1000 - 200 - 0.15 + 50.125 - 0.038 in cash, and 1.5 at the last price of 102.00.
      finalEquity: '1002.937',
      quoteAsset: 'USD',
      partial: false,
      // Locked for the order that rests: 90.00 and the higher of the fees, 0.0675, rounded up.
      balances: { A: { available: '1.5', locked: '0' }, USD: { available: '759.869', locked: '90.068' } },
      orders: 3,
      fills: 2,
      refusals: { INSUFFICIENT_BALANCE: 1 },
      statistics: {
        return: expect.closeTo(0.002937, 12),
        buyAndHoldReturn: expect.closeTo(0.02, 12),
        maxDrawdown: expect.any(Number),
        roundTrips: 0,
        // All that the run made, for nothing was closed.
        openTrips: [{ side: 'BUY', qty: '1.5', entryPrice: '100', lastPrice: '102.00', unrealizedPnl: '2.937' }],
        winRate: null,
        fees: { USD: '0.188' },
        exposure: expect.any(Number),
      },
      notices: expect.any(Array),
    })
  })

  it('orders.csv holds every order once, in its last state, and each refused one when it was refused, with the reason', () => {
    const text = textOf('deep/run', 'orders.csv')
    expect(text.split('\n')).toEqual([
      'id,symbol,side,type,status,price,qty,filled_qty,average_price,fee,created_at,tag,reason',
      expect.stringMatching(
        /^\d+,A_USD,BUY,MARKET,FILLED,,2\.0,2\.0,100,0\.15,2023-11-14T22:13:20\.050Z,"in, ""quoted""",$/,
      ),
      'ref:3,A_USD,BUY,LIMIT,REFUSED,9,9999,0,,0,2023-11-14T22:13:20.050Z,,INSUFFICIENT_BALANCE: not enough USD available',
      expect.stringMatching(/^\d+,A_USD,SELL,MARKET,FILLED,,0\.5,0\.5,100\.25,0\.038,2023-11-14T22:13:22\.550Z,,$/),
      expect.stringMatching(/^\d+,A_USD,BUY,LIMIT,OPEN,90\.00,1\.0,0\.0,,0,2023-11-14T22:13:20\.050Z,,$/),
      '',
    ])
  })

  it('fills.csv holds every fill, oldest first, and belongs to the orders', () => {
    const [header, ...rows] = rowsOf('deep/run', 'fills.csv')
    expect(header?.join(',')).toBe('trade_id,time_ms,symbol,side,price,qty,order_id,is_maker,fee,fee_asset')
    expect(
      rows.map(([, time, symbol, side, price, qty, , isMaker, fee, asset]) => [
        time,
        symbol,
        side,
        price,
        qty,
        isMaker,
        fee,
        asset,
      ]),
    ).toEqual([
      [String(START + 50), 'A_USD', 'BUY', '100.00', '2.0', 'false', '0.15', 'USD'],
      [String(START + 2550), 'A_USD', 'SELL', '100.25', '0.5', 'false', '0.038', 'USD'],
    ])
    const orderIds = new Set(rowsOf('deep/run', 'orders.csv').map(([id]) => id))
    for (const row of rows) expect(orderIds).toContain(row[6])
  })

  it('equity.csv goes in steps from the beginning to the end of the tape, from the initial to the final equity', () => {
    const [header, ...rows] = rowsOf('deep/run', 'equity.csv')
    expect(header).toEqual(['time_ms', 'equity'])
    expect(rows.at(0)).toEqual([String(START), '1000'])
    expect(rows.at(-1)).toEqual([String(START + 120_000), '1002.937'])
    const times = rows.map(([time]) => Number(time))
    expect(times).toEqual(times.map((_, index) => START + index * 1000))
  })

  it('journal.jsonl holds a JSON object a line, from the run to its end, in the order of time', () => {
    const text = textOf('deep/run', 'journal.jsonl')
    const entries: { t: number; type: string }[] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(text.endsWith('\n')).toBe(true)
    expect(entries.at(0)?.type).toBe('run')
    expect(entries.at(-1)?.type).toBe('end')
    for (const type of ['credit', 'place', 'acknowledged', 'refused', 'order', 'fill', 'balances']) {
      expect(entries.map((entry) => entry.type)).toContain(type)
    }
    expect(entries.map(({ t }) => t)).toEqual(entries.map(({ t }) => t).toSorted((a, b) => a - b))
  })

  it('no file knows a path or the clock of the machine but run.json, and the page that shows it', () => {
    for (const file of FILES.filter((name) => name !== 'run.json' && name !== 'report.html'))
      expect(textOf('deep/run', file)).not.toContain(folder)
    const year = String(new Date().getUTCFullYear())
    expect(textOf('deep/run', 'run.json')).not.toContain(`"${year}-`)
  })

  it('the same run gives the same files, byte for byte', async () => {
    const flags = ['--taker-fee', '7.5', '--maker-fee', '1', '--credit', '1000:USD', '--seed', '9']
    await cli('backtest', 'busy.js', ...TAPE, ...flags, '--quiet', '--out', 'again')
    // The page says by which name the run goes.
    const [again, before] = ['again', 'deep/run'].map((run) => ({ ...contentsOf(run), 'report.html': '' }))
    expect(again).toEqual(before)
  })
})

describe('a run without an order', () => {
  it('writes files that have their headers', async () => {
    write(strategySource({ run: 'return NEVER' }), 'noop.js')
    await cli('backtest', 'noop.js', ...TAPE, '--quiet', '--out', 'empty')
    expect(rowsOf('empty', 'orders.csv')).toHaveLength(1)
    expect(rowsOf('empty', 'fills.csv')).toHaveLength(1)
    expect(rowsOf('empty', 'equity.csv')).toHaveLength(122)
    expect(textOf('empty', 'journal.jsonl').trimEnd().split('\n')).toHaveLength(3)
  })
})

describe('the files of an earlier run', () => {
  const earlier = async (out: string): Promise<Record<string, string>> => {
    expect((await cli('backtest', 'hold.js', ...TAPE, '--quiet', '--out', out)).code).toBe(0)
    return contentsOf(out)
  }

  it.concurrent('stay as they are when a later one cannot begin', async () => {
    const before = await earlier('kept')
    expectInputError(
      await cli('backtest', 'hold.js', '--tape', 'A_USD=none.csv', '--out', 'kept', '--force'),
      'none.csv: no such file',
    )
    expect(contentsOf('kept')).toEqual(before)
  })

  it.concurrent('give way to those of the tape that was hashed, though its file has changed since', async () => {
    await earlier('hashed')
    // The strategy runs after the tape was read.
    const append = `appendFileSync('growing.csv', '7,${START + 180_000},102,1,true\\n')`
    const run = `import('node:fs').then(({ appendFileSync }) => ${append}); return NEVER`
    write(TRADES, 'growing.csv')
    write(strategySource({ run, more: 'async: true,' }), 'grows.js')
    const result = await cli('backtest', 'grows.js', '--tape', 'A_USD=growing.csv', '--out', 'hashed', '--force')
    expect(result.code).toBe(0)
    expect(textOf('hashed', 'run.json')).toContain(`"${sha256(TRADES)}"`)
    expect(textOf('.', 'growing.csv').length).toBeGreaterThan(TRADES.length)
  })

  it.skipIf(process.platform === 'win32')(
    'stay as they are when the disk takes no more in the middle of a later one (skipped on Windows)',
    async () => {
      const before = await earlier('full')
      // No file of this process may be larger than 32 KiB.
      const args = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, BIN, 'backtest', 'chatty.js', ...TAPE]
      const result = spawnSync('sh', [...args, '--out', 'full', '--force'], { cwd: folder, encoding: 'utf8' })
      expect(result.stderr).toBe(
        'papertape: full/journal.jsonl: cannot be written (EFBIG: file too large, write): ' +
          'raise the limit of the size of a file (ulimit -f), or choose another place\n',
      )
      expect(result.status).toBe(2)
      expect(contentsOf('full')).toEqual(before)
    },
  )

  it.concurrent('are replaced, all of them, when the strategy of a later one fails half-way', async () => {
    const before = await earlier('replaced')
    const result = await cli(
      'backtest',
      'busy.js',
      ...TAPE,
      '--param',
      'fail=true',
      '--quiet',
      '--out',
      'replaced',
      '--force',
    )
    expect(result.code).toBe(1)
    const after = contentsOf('replaced')
    expect(Object.keys(after).sort()).toEqual(FILES)
    // Neither has closed a round trip.
    for (const file of FILES) if (file !== 'trades.csv') expect(after[file]).not.toBe(before[file])
    expect(JSON.parse(after['run.json'] ?? '')).toMatchObject({ failure: { message: 'half-way', time: START + 2500 } })
    expect(JSON.parse(after['run.json'] ?? '').digest).toBe(`sha256:${sha256(after['journal.jsonl'] ?? '')}`)
  })

  it.concurrent('other files in the directory are left alone: a run into it is refused by their name', async () => {
    mkdirSync(join(folder, 'shared'))
    writeFileSync(join(folder, 'shared', 'notes.txt'), 'mine')
    const result = await cli('backtest', 'hold.js', ...TAPE, '--quiet', '--out', 'shared')
    expectInputError(result, "--out: 'shared' has 'notes.txt', which is not a file of a run: use another directory")
    expect(contentsOf('shared')).toEqual({ 'notes.txt': 'mine' })
  })
})

describe('a run that is ended from outside', () => {
  const ended = (by: string): string => strategySource({ name: 'ended', run: `process.${by}; return NEVER` })
  const leftIn = (directory: string): string[] => readdirSync(join(folder, directory)).sort()

  it.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s leaves nothing', async (signal) => {
    write(ended(`kill(process.pid, '${signal}')`), `${signal}.js`)
    const args = [BIN, 'backtest', `${signal}.js`, ...TAPE, '--out', `of-${signal}/run`]
    const result = await new Promise((resolve) => {
      spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }).on('exit', (code, by) => resolve({ code, by }))
    })
    expect(result).toEqual({ code: null, by: signal })
    expect(existsSync(join(folder, `of-${signal}`))).toBe(false)
  })

  it.concurrent('by a kill leaves what the next one takes away', async () => {
    mkdirSync(join(folder, 'killed'))
    write(ended(`kill(process.pid, 'SIGKILL')`), 'killed.js')
    const args = [BIN, 'backtest', 'killed.js', ...TAPE, '--out', 'killed/run']
    await new Promise((resolve) => {
      spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }).on('exit', resolve)
    })
    expect(leftIn('killed')).toEqual(['.run.papertape'])
    expect((await cli('backtest', 'hold.js', ...TAPE, '--quiet', '--out', 'killed/run')).code).toBe(0)
    expect(leftIn('killed')).toEqual(['run'])
    expect(leftIn('killed/run')).toEqual(FILES)
  })
})

describe('a directory that cannot be written', () => {
  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)(
    'is refused before the run, and nothing is left in it (skipped for root)',
    async () => {
      mkdirSync(join(folder, 'read-only'))
      chmodSync(join(folder, 'read-only'), 0o555)
      const result = await cli('backtest', 'hold.js', ...TAPE, '--out', 'read-only')
      expectInputError(result, "--out: cannot write to 'read-only'")
      expect(readdirSync(join(folder, 'read-only'))).toEqual([])
    },
  )

  it('is not made when the run cannot begin', async () => {
    await cli('backtest', 'hold.js', '--tape', 'A_USD=none.csv', '--out', 'never')
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })
})
