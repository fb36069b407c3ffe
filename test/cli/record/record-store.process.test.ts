/**
 * `papertape record` into a store, in processes of its own that are killed at many moments, against an emulator that replays a tape.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { isCandleBlock } from '../../../src/tape/tape.ts'
import type { DatabaseMarket } from '../../../src/store/tapes/database/market-reader.ts'
import { TapeDatabase } from '../../../src/store/tapes/database/tape-database.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { BIN, cliFolder } from '../rig/run-cli.ts'

const { cli, write, folder } = cliFolder()

const ROWS = 40_000
const KILLS = 6

const timeOf = (number: number): number => 1_700_000_000_000 + 80 * (number % 10 === 0 ? number - 1 : number)

/**
 * Twelve trades a second of its own time, whose prices report their number; every tenth shares a millisecond with the
 * one before.
 */
const tapeRows = (): string => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= ROWS; number += 1) {
    rows.push(`${number},${timeOf(number)},${(10_000 + number / 100).toFixed(2)},0.50${number % 7},${number % 3 === 0}`)
  }
  return `${rows.join('\n')}\n`
}

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({ replay: [{ file: write(tapeRows(), 'source.csv'), symbol: 'BTC_USD' }], speed: 10 })
})

afterAll(async () => {
  await emulator.close()
})

function startRecord(store: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const args = [BIN, 'record', '--url', emulator.baseUrl, '--symbols', 'BTC_USD', '--db', store, '--json']
  return spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME }, stdio: ['ignore', 'ignore', 'inherit'] })
}

function reading<T>(store: string, read: (market: DatabaseMarket | undefined) => T): T {
  const path = join(folder, store)
  if (!existsSync(path)) return read(undefined)
  const database = TapeDatabase.read(path)
  try {
    return read(database.markets()[0])
  } finally {
    database.close()
  }
}

/** A row as its number, which its price and its quantity confirm. */
const rowsOf = (store: string): readonly { readonly number: number; readonly time: number }[] =>
  reading(store, (market) =>
    (market?.entries ?? []).flatMap((_, index) => {
      const { block } = market?.read(index) ?? {}
      if (block === undefined || isCandleBlock(block)) throw new Error('expected trades')
      return Array.from({ length: block.length }, (__, row) => {
        const number = Number(block.ids?.[row])
        expect([block.price[row], block.qty[row]]).toEqual([1_000_000 + number, 500 + (number % 7)])
        return { number, time: block.time[row] ?? 0 }
      })
    }),
  )

async function untilItGrows(store: string, rows: number): Promise<void> {
  const count = (): number => {
    try {
      return rowsOf(store).length
    } catch (error) {
      // It is just being made.
      if (String(error).includes('InputError')) return 0
      throw error
    }
  }
  const until = count() + rows
  while (count() < until) await wait(20)
}

describe('a recording into a store', () => {
  it('ends with exit code 0, and is what a backtest takes, also while it goes on', async () => {
    const child = startRecord('whole.db')
    await untilItGrows('whole.db', 40)
    const during = (await jsonRun(cli, 'backtest', 'grid', '--tape', 'whole.db')).tapes[0]
    expect(during).toMatchObject({ symbol: 'BTC_USD', gaps: { count: 0 } })
    expect(during?.rows).toBeGreaterThanOrEqual(40)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    const numbers = rowsOf('whole.db').map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
    expect(reading('whole.db', (market) => market?.blockIds.every((id) => id > 0))).toBe(true)
  })

  it(`is killed ${KILLS} times in the middle of it: nothing that was committed is lost, and every hole is marked`, async () => {
    const store = 'killed.db'
    let before: readonly { readonly number: number }[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startRecord(store)
      await untilItGrows(store, 1)
      await wait(110 * kill)
      const seen = rowsOf(store)
      child.kill('SIGKILL')
      await once(child, 'close')
      const now = rowsOf(store)
      expect(now.slice(0, before.length)).toEqual(before)
      expect(now.slice(0, seen.length)).toEqual(seen)
      before = now
      // Now and then more is missed than the service still shows.
      if (kill % 4 === 3) await wait(6_000)
    }
    const child = startRecord(store)
    await untilItGrows(store, 10)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
    const ends = new Set(reading(store, (market) => market?.gaps?.map(({ to }) => to)))
    const reached = { next: 0, behindGap: 0 }
    let last: number | undefined
    for (const { number, time } of rowsOf(store)) {
      if (last !== undefined && number !== last + 1) {
        expect(number).toBeGreaterThan(last)
        expect(ends).toContain(time)
        reached.behindGap += 1
      } else reached.next += 1
      last = number
    }
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
    const [tape] = (await jsonRun(cli, 'backtest', 'grid', '--tape', store)).tapes
    expect(tape).toMatchObject({ gaps: { count: reached.behindGap } })
  })

  it('is of one process at a time, and lets an import in', async () => {
    const store = 'shared.db'
    const child = startRecord(store)
    await untilItGrows(store, 10)
    const args = ['record', '--url', emulator.baseUrl, '--symbols', 'BTC_USD', '--db', store]
    expectInputError(await cli(...args), 'shared.db: BTC_USD: is being recorded by another process')
    const [first] = rowsOf(store)
    const earlier = tapeRows().split('\n').slice(0, 4).join('\n')
    expect(first?.number).toBeGreaterThan(4)
    const { code } = await cli('import', `BTC_USD=${write(`${earlier}\n`, 'earlier.csv')}`, '--db', store, '--quiet')
    expect(code).toBe(0)
    await untilItGrows(store, 10)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    const numbers = rowsOf(store).map(({ number }) => number)
    expect(numbers.slice(0, 4)).toEqual([1, 2, 3, first?.number])
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('is either into a store or into a directory', async () => {
    const both = await cli('record', '--url', emulator.baseUrl, '--symbols', 'BTC_USD', '--db', 'a.db', '--out', 'a')
    expectInputError(both, '--out: cannot be combined with --db; pass one of them')
  })
})
