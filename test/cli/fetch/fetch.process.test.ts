/**
 * `papertape fetch` in processes of its own: killed at many moments, two at once, and on a full disk.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { isCandleBlock } from '../../../src/tape/tape.ts'
import { BIN, cliFolder, runCli } from '../rig/run-cli.ts'
import { publish, testArchive } from './rig/archive-server.ts'

const { cli, folder } = cliFolder()
const archive = testArchive()

const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1)
const DAYS = 8
const ROWS = 20_000
const KILLS = 6

const dateOf = (day: number): string => new Date(START + day * DAY_MS).toISOString().slice(0, '2024-01-01'.length)

function publishDays(pair: string, rows = ROWS): void {
  for (let day = 0; day < DAYS; day += 1) {
    const lines = Array.from({ length: rows }, (_, row) => {
      const id = 1 + day * rows + row
      return `${id},${(42_000 + (id % 97) / 7).toFixed(2)},0.00${1 + (id % 9)},${id},${id},${START + day * DAY_MS + row * 4_000},True,True`
    })
    publish(archive, `aggTrades/${pair}`, `${pair}-aggTrades-${dateOf(day)}`, `${lines.join('\n')}\n`)
  }
}

const argsOf = (db: string, market = 'BTC_USDT'): string[] =>
  ['fetch', 'binance', market, '--trades', '--from', dateOf(0), '--to', dateOf(DAYS), '--url', archive.url, '--db', db] // prettier-ignore

function start(db: string, market?: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const args = [BIN, ...argsOf(db, market)]
  return spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME }, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Ids of each market. */
function idsIn(db: string): Readonly<Record<string, readonly number[]>> {
  const database = TapeDatabase.read(join(folder, db))
  try {
    const idsOf = (market: ReturnType<TapeDatabase['markets']>[number]): readonly number[] =>
      market.entries.flatMap((_, index) => {
        const { block } = market.read(index)
        return isCandleBlock(block) ? [] : [...(block.ids ?? [])].map(Number)
      })
    return Object.fromEntries(database.markets().map((market) => [market.head.symbol, idsOf(market)]))
  } finally {
    database.close()
  }
}

const ALL = Array.from({ length: DAYS * ROWS }, (_, row) => row + 1)

it('continues after being killed at any moment: no row is lost or stored twice', async () => {
  publishDays('BTCUSDT')
  // Slowly, in parts, so that most of the time a file is half there.
  archive.fault = ({ url, range }, response) => {
    const body = archive.files.get(url)
    if (body === undefined || !url.endsWith('.zip')) return false
    const from = Number(/\d+/.exec(range ?? '')?.[0] ?? 0)
    const headers = { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}`, 'content-length': body.length - from } // prettier-ignore
    response.writeHead(range === undefined ? 200 : 206, headers)
    const send = (at: number): void => {
      if (at >= body.length) response.end()
      else response.write(body.subarray(at, at + 40_000), () => setTimeout(send, 40, at + 40_000))
    }
    send(from)
    return true
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    const requests = archive.requests.length
    const child = start('killed.db')
    const closed = once(child, 'close')
    while (archive.requests.length < requests + 3) await wait(5)
    await wait(kill * 60)
    child.kill('SIGKILL')
    await closed
  }
  archive.fault = () => false
  const { code, stdout } = await cli(...argsOf('killed.db'))
  expect(code).toBe(0)
  expect(stdout).toContain('  160,000 rows stored, ')
  expect(idsIn('killed.db').BTC_USDT).toEqual(ALL)
  expect(archive.requests.some(({ range }) => range !== undefined)).toBe(true)
  expect(existsSync(join(folder, 'killed.db.fetch'))).toBe(false)
})

it('ends at Ctrl-C with what was fetched, and says how to continue', async () => {
  publishDays('BTCUSDT')
  archive.fault = ({ url }) => url.includes(dateOf(3))
  const child = start('stopped.db')
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const closed = once(child, 'close')
  while (!archive.requests.some(({ url }) => url.includes(dateOf(3)))) await wait(5)
  child.kill('SIGINT')
  expect(await closed).toEqual([130, null])
  expect(stderr).toBe('stopped: what was fetched is stored; run the same command again to continue\n')
  archive.fault = () => false
  await cli(...argsOf('stopped.db'))
  expect(idsIn('stopped.db').BTC_USDT).toEqual(ALL)
})

it('fetches two markets into one database at once, and refuses the same market by the other process', async () => {
  publishDays('BTCUSDT')
  publishDays('ETHUSDT')
  const [first, second] = [start('both.db'), start('both.db', 'ETH_USDT')]
  const ends = Promise.all([once(first, 'close'), once(second, 'close')])
  while (!archive.requests.some(({ url }) => url.includes('BTCUSDT'))) await wait(5)
  const { code, stderr } = await cli(...argsOf('both.db'))
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `papertape: both.db: BTC_USDT: is being fetched by another process (pid ${String(first.pid)})\n`,
  })
  expect(await ends).toEqual([[0, null], [0, null]]) // prettier-ignore
  expect(idsIn('both.db')).toEqual({ BTC_USDT: ALL, ETH_USDT: ALL })
})

it('says that a disk is full, and continues once it has room', async () => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  // Only root may.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status !== 0) return
  try {
    publishDays('BTCUSDT')
    await cli('fetch', 'binance', 'BTC_USDT', '--trades', '--from', dateOf(0), '--to', dateOf(1), '--url', archive.url, '--db', 'disk/x.db') // prettier-ignore
    const other = join(disk, 'other')
    expect(() => {
      for (;;) appendFileSync(other, Buffer.alloc(4096))
    }).toThrow('ENOSPC')
    const none = await cli(...argsOf('disk/x.db'))
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toMatch(/^papertape: disk\/x\.db: [^\n]+: free some disk space, or choose another place\n$/)
    // Room for the database, but not for a file.
    truncateSync(other, statSync(other).size - 150_000)
    const little = await cli(...argsOf('disk/x.db'))
    expect(little).toMatchObject({ code: 2, stdout: '' })
    expect(little.stderr).toMatch(
      /^papertape: \S+\/x\.db\.fetch\/BTC_USDT-trades\/\S+: cannot be written \(ENOSPC[^\n]+: free some disk space, or choose another place\n$/,
    )
    rmSync(other)
    expect((await cli(...argsOf('disk/x.db'))).code).toBe(0)
    expect(idsIn('disk/x.db').BTC_USDT).toEqual(ALL)
    expect(readdirSync(disk).filter((name) => name.includes('fetch'))).toEqual([])
  } finally {
    spawnSync('umount', [disk])
  }
})

it.each`
  source        | variable                    | path
  ${'binance'}  | ${'PAPERTAPE_BINANCE_URL'}  | ${'/data/spot/daily/klines/BTCUSD/1d/BTCUSD-1d-2024-01-01.zip.CHECKSUM'}
  ${'coinbase'} | ${'PAPERTAPE_COINBASE_URL'} | ${'/products/BTC-USD/candles?granularity=86400&start=2024-01-01T00:00:00.000Z&end=2024-01-01T00:00:00.000Z'}
`('takes the address of $source from $variable', async ({ source, variable, path }) => {
  const args = ['fetch', String(source), 'BTC_USD', '--candles', '1d', '--from', dateOf(0), '--to', dateOf(1)]
  const { code } = await runCli(args, { cwd: folder, env: { [String(variable)]: `${archive.url}/` } })
  expect(code).toBe(2)
  expect(archive.requests[0]?.url).toBe(path)
})
