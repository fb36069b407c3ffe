import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { jsonRun } from '../rig/cli-result.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'

const { folder, write, cli } = cliFolder()

const HEADER = 'id,time_ms,price,qty,side\n'
const row = (id: number): string =>
  `${id},${1_700_000_000_000 + id * 500},${(100 + (id % 9) / 4).toFixed(2)},${1 + (id % 3)},${id % 2 === 0 ? 'buy' : 'sell'}\n`
const rows = (from: number, to: number): string => Array.from({ length: to - from }, (_, at) => row(from + at)).join('')

const store = (name: string): string => join(folder, name)

/** Rows of the only market; 0 where there is no store, or nothing in it. */
function rowsIn(path: string): number {
  if (!existsSync(path)) return 0
  const database = TapeDatabase.read(path)
  try {
    return database.markets().reduce((sum, { entries }) => entries.reduce((all, each) => all + each.rows, sum), 0)
  } finally {
    database.close()
  }
}

describe('papertape import', () => {
  it('imports, reports what came of it, and what to do next', async () => {
    write(HEADER + rows(0, 100) + rows(110, 200), 'BTCUSDT-trades.csv')
    const { code, stdout, stderr } = await cli('import', 'BTCUSDT-trades.csv')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        'BTCUSDT-trades.csv: CSV with a header, BTC_USDT trades',
        '  190 rows: 190 imported, 0 duplicate, 0 bad',
        '  2023-11-14T22:13:20.000Z to 2023-11-14T22:14:59.500Z, times in ms',
        '  10 ids missing in 1 place; no period of more than an hour without trades',
        '  The market BTC_USDT was taken from the file name.',
        'papertape.db: 190 rows imported from 1 file',
        'next: papertape backtest sma-cross --tape papertape.db --symbol BTC_USDT',
        '',
      ].join('\n'),
    )
    expect(rowsIn(store('papertape.db'))).toBe(190)
  })

  it('prints an object a file with --json, and nothing with --quiet', async () => {
    write(HEADER + rows(0, 10), 'a.csv')
    const json = await cli('import', 'A_USD=a.csv', '--db', 'json.db', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject([
      { name: 'a.csv', rowsIn: 10, imported: 10, duplicate: 0, bad: 0, unit: 'ms' },
    ])
    const quiet = await cli('import', 'A_USD=a.csv', '--db', 'json.db', '--quiet')
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each`
    args                                                                 | message
    ${['nothing.csv', '--symbol', 'A_USD']}                              | ${'nothing.csv: no such file'}
    ${['bad.csv', '--symbol', 'A_USD']}                                  | ${"bad.csv:3:3: expected a price such as 12.5, got 'x'"}
    ${['bad.csv']}                                                       | ${'import: missing symbol of bad.csv: write SYMBOL=bad.csv or pass --symbol'}
    ${['a.csv', '--symbol', 'A_USD', '--max-bad', '1']}                  | ${'--max-bad: needs --skip-bad'}
    ${['a.csv', '--symbol', 'A_USD', '--out', 'a.csv2']}                 | ${"--out: expected a name that ends in .tape, got 'a.csv2'"}
    ${['a.csv', '--symbol', 'A_USD', '--out', 'a.tape', '--db', 'b.db']} | ${'--out: cannot be combined with --db; pass one of them'}
    ${['a.csv', '--symbol', 'A_USD', '--db', 'bad.csv']}                 | ${'bad.csv: is not a papertape database, or is damaged'}
    ${['a.csv', '--symbol', 'A_USD', '--time-unit', 'min']}              | ${"--time-unit: expected s or ms or us or ns, got 'min'"}
    ${['unsorted.csv', '--symbol', 'A_USD']}                             | ${'pass --sort to sort the rows'}
  `('refuses $args', async ({ args, message }: { args: string[]; message: string }) => {
    write(HEADER + rows(0, 10), 'a.csv')
    write(`${HEADER}${row(0)}1,1700000000500,x,1,buy\n`, 'bad.csv')
    write(
      HEADER.replace('id,', '') + [row(2), row(1)].map((line) => line.replace(/^\d+,/, '')).join(''),
      'unsorted.csv',
    )
    const { code, stdout, stderr } = await cli('import', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('takes the standard input', async () => {
    const importing = (content: string): Promise<{ code: number | null; stderr: string }> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [BIN, 'import', 'A_USD=-', '--db', 'stdin.db'], {
          cwd: folder,
          stdio: ['pipe', 'ignore', 'pipe'],
        })
        let stderr = ''
        child.stderr.on('data', (chunk) => (stderr += String(chunk)))
        child.on('close', (code) => {
          resolve({ code, stderr })
        })
        child.stdin.end(content)
      })
    expect(await importing(HEADER + rows(0, 50))).toEqual({ code: 0, stderr: '' })
    expect(rowsIn(store('stdin.db'))).toBe(50)
    const { code, stderr } = await importing(`${HEADER}1,2,x,1,buy\n`)
    expect(code).toBe(2)
    expect(stderr).toBe("papertape: -:2:3: expected a price such as 12.5, got 'x'\n")
  })

  it('gives the run that the file itself gives, from a store and from a .tape file', async () => {
    write(HEADER + rows(0, 5000), 'run.csv')
    await cli('import', 'A_USD=run.csv', '--db', 'run.db')
    await cli('import', 'A_USD=run.csv', '--out', 'run.tape')
    const run = (tape: string) =>
      jsonRun(cli, 'backtest', 'sma-cross', '--tape', tape, '--no-bounds', '--param', 'interval=1m')
    const { digest } = await run('A_USD=run.csv')
    expect((await run('run.db')).digest).toBe(digest)
    expect((await run('run.tape')).digest).toBe(digest)
    const window = (tape: string) =>
      jsonRun(
        cli,
        'backtest',
        'sma-cross',
        '--tape',
        tape,
        '--no-bounds',
        '--from',
        '2023-11-14T22:20:00Z',
        '--to',
        '2023-11-14T22:40:00Z',
      )
    expect((await window('run.tape')).digest).toBe((await window('A_USD=run.csv')).digest)
  })
})

describe('an import that is killed', () => {
  it('has changed nothing or everything, and succeeds when it is made again: at 25 moments', async () => {
    write(HEADER + rows(0, 1000), 'old.csv')
    write(HEADER + rows(500, 40_000), 'new.csv')
    const before = performance.now()
    await cli('import', 'A_USD=new.csv', '--db', 'timed.db')
    const takesMs = performance.now() - before
    let [old, whole] = [0, 0]
    for (let moment = 0; moment < 25; moment += 1) {
      const name = `killed-${moment % 5}.db`
      if (rowsIn(store(name)) === 0) await cli('import', 'A_USD=old.csv', '--db', name)
      const child = spawn(process.execPath, [BIN, 'import', 'A_USD=new.csv', '--db', name], {
        cwd: folder,
        stdio: 'ignore',
      })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), (takesMs * (moment + 1)) / 25)
        child.on('close', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      const count = rowsIn(store(name))
      expect([1000, 40_000]).toContain(count)
      if (count === 1000) old += 1
      else whole += 1
      if (moment % 5 === 4 || count === 40_000) {
        const again = await cli('import', 'A_USD=new.csv', '--db', name)
        expect(again).toMatchObject({ code: 0, stderr: '' })
        expect(rowsIn(store(name))).toBe(40_000)
      }
    }
    expect(old + whole).toBe(25)
    expect(old).toBeGreaterThan(0)
    expect(readdirSync(folder).filter((name) => name.startsWith('.papertape'))).toEqual([])
  })

  it('leaves no temporary name behind in a .tape file', () => {
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
    expect(readFileSync(store('run.tape')).subarray(0, 15).toString()).toBe('papertape tape ')
  })
})
