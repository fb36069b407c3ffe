import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'

const { folder, write, cli } = cliFolderHere()
const START = 1_704_067_200_000

const trades = `id,createdAt,side,price,qty\n${Array.from({ length: 1000 }, (_, at) => `${at},${START + at * 60_000},${at % 2 === 0 ? 'buy' : 'sell'},${100 + (at % 7)}.05,0.1`).join('\n')}\n`
const candles = 'time,open,high,low,close,volume\n2024-01-02T00:00:00Z,1,2,1,2,5\n2024-01-02T00:01:00Z,2,2,1,1.5,5\n'

const rowsOf = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await cli('query', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  write(trades, 'a.csv')
  write(candles, 'c.csv')
  await cli('import', 'A_USD=a.csv', 'A_USD=c.csv')
  for (const levels of ['4', '6'])
    await cli('backtest', 'grid', '--tape', 'A_USD=a.csv', '--param', `levels=${levels}`, '--out', `run${levels}`)
})

describe('papertape query', () => {
  it('reads the tapes of a database with exact decimals', async () => {
    expect(
      await rowsOf('SELECT symbol, count(*) AS n, sum(price * qty) AS notional FROM trades GROUP BY symbol'),
    ).toEqual([{ symbol: 'A_USD', n: 1000, notional: '10304.700' }])
    expect(await rowsOf('SELECT * FROM candles ORDER BY time')).toEqual([
      expect.objectContaining({ time: '2024-01-02T00:00:00Z', candle_interval: '1m', open: '1.0', close: '2.0' }),
      expect.objectContaining({ time: '2024-01-02T00:01:00Z', symbol: 'A_USD', close: '1.5' }),
    ])
  })

  it('reads a part of a tape, and recordings', async () => {
    const window = ['--from', '2024-01-01T01:00:00Z', '--to', '2024-01-01T02:00:00Z']
    const sql = 'SELECT min(time) AS first, count(*) AS n FROM trades'
    const expected = [{ first: '2024-01-01T01:00:00Z', n: 60 }]
    expect(await rowsOf(sql, ...window)).toEqual(expected)
    expect(await rowsOf(sql, 'A_USD=a.csv', ...window)).toEqual(expected)
    write('time_ms,price,qty\n1,100,1\n', 'early.csv')
    expect(await rowsOf(sql, 'A_USD=a.csv', 'B_USD=early.csv', ...window)).toEqual(expected)
    expectInputError(
      await cli('query', sql, 'B_USD=early.csv', ...window),
      'B_USD of early.csv: no rows of trades there, or none in that time',
    )
  })

  it('compares runs, also those saved in a database', async () => {
    const rows = await rowsOf(
      "SELECT run, params->>'levels' AS levels, final_equity FROM runs ORDER BY run",
      'run4',
      'run6',
    )
    expect(rows).toEqual([
      { run: 'run4', levels: '4', final_equity: expect.stringMatching(/^\d+\.\d+$/) as string },
      { run: 'run6', levels: '6', final_equity: expect.stringMatching(/^\d+\.\d+$/) as string },
    ])
    const sql = 'SELECT count(*) AS n, sum(qty) AS qty FROM fills'
    const ofDirectory = await rowsOf(sql, 'run4')
    await cli('runs', 'add', 'run4', '--db', 'runs.db')
    expect(await rowsOf(sql, 'runs.db')).toEqual(ofDirectory)
  })

  it('prints an aligned table, CSV or a Parquet file', async () => {
    const sql = 'SELECT time, price FROM trades ORDER BY time LIMIT 2'
    const table = 'time                   price\n2024-01-01T00:00:00Z  100.05\n2024-01-01T00:01:00Z  101.05\n'
    expect(await cli('query', sql)).toEqual({ code: 0, stdout: table, stderr: '' })
    const csv = 'time,price\n2024-01-01T00:00:00Z,100.05\n2024-01-01T00:01:00Z,101.05\n'
    expect(await cli('query', sql, '--csv')).toMatchObject({ stdout: csv })
    await cli('query', sql, '--parquet', 'out.parquet')
    const { compressors } = await import('hyparquet-compressors')
    const file = await asyncBufferFromFile(join(folder, 'out.parquet'))
    expect(await parquetReadObjects({ file, compressors })).toEqual([
      { time: new Date(START), price: 100.05 },
      { time: new Date(START + 60_000), price: 101.05 },
    ])
    expectInputError(
      await cli('query', sql, '--parquet', 'out.parquet'),
      'out.parquet: exists already: pass --force to overwrite it',
    )
    const long = await cli('query', 'SELECT * FROM trades')
    expect(long.stdout.split('\n')).toHaveLength(202)
    expect(long.stderr).toBe('only the first 200 rows: use LIMIT, --csv, --json or --parquet\n')
  })

  it('multiplies decimals of many digits', async () => {
    write('time_ms,price,qty\n1704067200000,12345.12345678,1234.87654321\n', 'digits.csv')
    expect(await rowsOf('SELECT sum(price * qty) AS sum FROM trades', 'A_USD=digits.csv')).toEqual([
      { sum: '15244703.3798091722374638' },
    ])
    expect(await rowsOf('SELECT sum(price * qty) > 0 AS sum FROM fills', 'run4')).toEqual([{ sum: true }])
  })

  it('prints nothing of a query that fails in its last rows', async () => {
    const sql = 'SELECT range::INT * 20000 AS x FROM range(110000)'
    expectInputError(
      await cli('query', sql, '--csv'),
      /^query: Out of Range Error: Overflow in multiplication of INT32/,
    )
  })

  it('reads comments at the end, and prints times in UTC', async () => {
    expect(await rowsOf("SELECT '; -- x' AS text, to_timestamp(0) AS time; -- end")).toEqual([
      { text: '; -- x', time: '1970-01-01T00:00:00Z' },
    ])
  })

  it('lists tables and columns', async () => {
    for (const sql of ['SELECT name FROM sqlite_master', 'SELECT name FROM (DESCRIBE)', 'SHOW TABLES'])
      expect(await rowsOf(sql)).toEqual([{ name: 'candles' }, { name: 'trades' }])
    expectInputError(
      await cli('query', 'EXPLAIN SELECT 1', '--parquet', 'plan.parquet'),
      'query: expected a query with rows for --parquet, got EXPLAIN',
    )
    const { stdout } = await cli('query', '--tables', 'papertape.db', 'run4')
    expect(stdout).toMatch(/^trades +price +decimal\(38,2\)$/m)
    expect(stdout).toMatch(/^candles +candle_interval +varchar$/m)
    expect(stdout).toMatch(/^orders +created_at +timestamp$/m)
  })

  it.each`
    sql                                            | message                                                   | why
    ${'selec 1'}                                   | ${'query:1: Parser Error: syntax error at or near'}       | ${'syntax'}
    ${'SELECT x FROM trades'}                      | ${'query:1: Binder Error: Referenced column "x" not'}     | ${'column'}
    ${'SELECT * FROM fill'}                        | ${'query: there is no table fill; the sources can have'}  | ${'table'}
    ${'SELECT * FROM notes'}                       | ${'query: there is no table notes; the sources can have'} | ${'no such table'}
    ${"SELECT 'x'::INT"}                           | ${'query:1: Conversion Error: Could not convert string'}  | ${'value'}
    ${'SELECT 1; SELECT 2'}                        | ${'query: expected one statement, got 2'}                 | ${'several'}
    ${'CREATE TABLE x AS SELECT 1'}                | ${'query: expected a statement that reads, such as SEL'}  | ${'writes'}
    ${"COPY (SELECT 1) TO 'x.csv'"}                | ${'query: Permission Error: Cannot access file'}          | ${'writes a file'}
    ${"ATTACH 'x.db'"}                             | ${'query: expected a statement that reads, such as SEL'}  | ${'writes a database'}
    ${'INSTALL httpfs'}                            | ${'query: expected a statement that reads, such as SEL'}  | ${'extension'}
    ${"SELECT * FROM read_csv('a.csv')"}           | ${'query:1: Permission Error: Cannot access file'}        | ${'another file'}
    ${"SELECT * FROM 'https://127.0.0.1:9/x.csv'"} | ${'query: Permission Error: Cannot access file'}          | ${'network'}
    ${"SET memory_limit = '99GB'"}                 | ${'query: expected a statement that reads, such as SEL'}  | ${'setting'}
  `('refuses in one line: $why', async ({ sql, message }) => {
    const before = readdirSync(folder)
    const { code, stdout, stderr } = await cli('query', sql as string)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`papertape: ${message as string}`)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(readdirSync(folder)).toEqual(before)
  })

  it('refuses sources that it cannot read', async () => {
    expectInputError(await cli('query', 'SELECT 1', 'missing.db'), 'missing.db: no such file')
    expectInputError(await cli('query', 'SELECT 1', '.'), '.: expected the directory of a run: it has no run.json')
    expectInputError(await cli('query', 'SELECT * FROM trades', 'a.csv'), /^query: missing symbol of a\.csv: /)
    writeFileSync(join(folder, 'bad.csv'), 'time,price\n1,2\n')
    expectInputError(
      await cli('query', 'SELECT * FROM trades', 'A_USD=bad.csv'),
      /^bad\.csv:1: found no column for qty /,
    )
  })

  it('leaves no temporary files', () => {
    expect(existsSync(join(folder, 'x.csv'))).toBe(false)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`papertape-query-${process.pid}-`))).toEqual([])
  })
})
