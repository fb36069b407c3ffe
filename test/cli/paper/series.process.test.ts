/**
 * A strategy's own data in sessions, on paper and live: rows that are added while it runs, files that are replaced or
 * go, kills, and the twin.
 */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { eventually, pause } from '../live/rig/patience.ts'
import { SessionProcess } from '../live/rig/session-process.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { strategySource } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()

/** Logs each row, and trades on it: buys at a positive value, sells at a negative one. */
const TRADER = strategySource({
  name: 'trader',
  run:
    "return series('mood', ['value']).pipe(tap((row) => log(`row ${row.value} early ${now() < row.timestamp}`))," +
    "map(({ value }) => value > 0 ? buyMarket(params.symbol, '1') : sellMarket(params.symbol, '1')))",
})

let emulator: Emulator
let key: string | undefined
const running: SessionProcess[] = []

beforeAll(async () => {
  const rows = ['trade_id,time_ms,price,qty,is_buyer_maker']
  for (let number = 1; number <= 20_000; number += 1)
    rows.push(`${number},${1_700_000_000_000 + 50 * number},${(100 + 2 * Math.sin(number / 40)).toFixed(2)},5.00,false`)
  emulator = await startEmulator({ replay: [{ file: write(`${rows.join('\n')}\n`, 'source.csv'), symbol: 'A_USD' }] })
  key = emulator.users[0]?.keys[0]
  write(TRADER, 'trader.js')
})

afterAll(async () => {
  await Promise.all(running.map((each) => each.kill()))
  await emulator.close()
})

const path = (name: string): string => join(folder, name)
const rowNow = (value: string, afterMs = 0): string => `${Date.now() + afterMs},${value}\n`

function start(command: 'live' | 'paper', name: string, out: string, ...args: string[]): SessionProcess {
  const state = path(`${command}-state`)
  const isStated = command === 'paper' && !args.includes('--state')
  const flags = ['--series', `mood=${name}`, ...(isStated ? ['--state', state] : []), ...args]
  const session = new SessionProcess({
    ...{ command, strategies: ['trader.js'], url: emulator.baseUrl, key: command === 'live' ? key : undefined },
    ...{ cwd: folder, out: path(out), state, args: flags },
  })
  running.push(session)
  return session
}

const rowsOf = (session: SessionProcess): readonly string[] =>
  session.events('log').flatMap(({ message }) => /^row (\S+) early false$/.exec(message)?.[1] ?? [])

const received = (session: SessionProcess, ...values: readonly string[]): Promise<true> =>
  eventually(() => rowsOf(session).join(' ') === values.join(' '), () => `${values.join(' ')} in ${session.output}`) // prettier-ignore

const placed = (out: string): readonly string[] =>
  [...readFileSync(path(`${out}/journal.jsonl`), 'utf8').matchAll(/"t":\d+,"type":"place".*/g)].map(String)

describe.each(['paper', 'live'] as const)('a series of papertape %s', (command) => {
  const file = `${command}.csv`

  it('gets the rows that are added, each once, also after a kill', async () => {
    writeFileSync(path(file), `timestamp,value\n1700000000000.0,-7\n${rowNow('1', -5_000)}`)
    const first = start(command, file, `${command}-1`)
    await first.started()
    await received(first, '1')
    // In pieces: the line counts when it is complete.
    const [beginning, end] = [rowNow('-2').slice(0, 15), rowNow('-2').slice(15)]
    appendFileSync(path(file), beginning)
    appendFileSync(path(file), `${end}wrong\n`)
    await first.until(`${file}:5:2: expected 2 columns, got 1; the row is left out`)
    await received(first, '1', '-2')
    // A new file in its place, with all rows and a later one.
    writeFileSync(path('new.csv'), `${readFileSync(path(file), 'utf8')}${rowNow('3', 1_500)}`)
    renameSync(path('new.csv'), path(file))
    await received(first, '1', '-2', '3')
    await eventually(() => first.journal('fill').length === 3, () => first.output) // prettier-ignore
    expect(first.events('warning')).toHaveLength(1)
    // The state has what the files have.
    await pause(1_500)
    await first.kill()

    appendFileSync(path(file), `${rowNow('-4')}${rowNow('5', 1)}`)
    const second = start(command, file, `${command}-2`)
    await second.started()
    // The present value comes first, and no order from it.
    await received(second, '3', '-4', '5')
    await eventually(() => second.journal('fill').length === 2, () => second.output) // prettier-ignore
    expect(await second.stop()).toBe(0)
    expect(placed(`${command}-2`)).toHaveLength(2)
    expect(second.report().series).toMatchObject([{ name: 'mood', file, rows: 3, columns: ['value'], leftOut: 1 }])

    const { code, stdout } = await cli('twin', `${command}-2`, '--out', `${command}-twin`)
    expect([code, placed(`${command}-twin`)]).toEqual([0, placed(`${command}-2`)])
    if (command === 'paper') expect(stdout).toMatch(/^trader: the session made what its twin made/)
    expectInputError(await cli('verify', `${command}-2`), /run\.json: its market data was live/)
  })

  it('goes on when its file changes, disappears, and is back', async () => {
    const name = `${command}-moved.csv`
    writeFileSync(path(name), `timestamp,value\n${rowNow('1', -60_000)}${rowNow('-2', -50_000)}`)
    const session = start(command, name, `${command}-3`)
    await session.started()
    await received(session, '-2')
    writeFileSync(path(name), `timestamp,value\n${rowNow('3')}`)
    await session.until(`${name}: rows up to `)
    await received(session, '-2', '3')
    renameSync(path(name), path('away.csv'))
    await session.until(`${name}: no such file; the session goes on without new rows of 'mood'`)
    appendFileSync(path('away.csv'), rowNow('-4'))
    renameSync(path('away.csv'), path(name))
    await session.until(`${name}: can be read again`)
    await received(session, '-2', '3', '-4')
    expect(await session.stop()).toBe(0)
    const { code, stdout } = await cli('report', `${command}-3`)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/report\.html/)])
  })
})

describe('a series of a session', () => {
  it('gets no row again from a file that was emptied between two sessions', async () => {
    const [first, second] = [rowNow('1', -9_000), rowNow('-2', -8_000)]
    writeFileSync(path('anew.csv'), `timestamp,value\n${first}${second}`)
    const former = start('paper', 'anew.csv', 'anew-1', '--state', path('anew-state'))
    await former.started()
    await received(former, '-2')
    expect(await former.stop()).toBe(0)
    writeFileSync(path('anew.csv'), `timestamp,value\n${first}`)
    const later = start('paper', 'anew.csv', 'anew-2', '--state', path('anew-state'))
    await later.started()
    await received(later, '1')
    appendFileSync(path('anew.csv'), `${second}${rowNow('3')}`)
    await received(later, '1', '3')
    expect(await later.stop()).toBe(0)
  })

  it('has the rows of a warm-up first, and sends no order because of them', async () => {
    const name = 'warm.csv'
    writeFileSync(
      path(name),
      `timestamp,value\n${['1', '2', '3'].map((value, index) => rowNow(value, (index - 3) * 100_000)).join('')}`,
    )
    const session = start('paper', name, 'warm', '--state', path('warm-state'), '--warmup', '4m')
    await session.started()
    await received(session, '1', '2', '3')
    await session.until('warm-up: 3 orders were not sent')
    appendFileSync(path(name), rowNow('4'))
    await received(session, '1', '2', '3', '4')
    await eventually(() => session.journal('place').length === 1, () => session.output) // prettier-ignore
    expect(await session.stop()).toBe(0)
    expect(placed('warm')).toHaveLength(1)
  })

  it.each`
    name             | content                     | line                                                         | why
    ${'empty.csv'}   | ${''}                       | ${/empty\.csv: expected a complete line/}                    | ${'no header'}
    ${'times.csv'}   | ${'timestamp,value\nx,1\n'} | ${/times\.csv:2:1: expected Unix seconds/}                   | ${'no row is right'}
    ${'columns.csv'} | ${'timestamp,other\n1,1\n'} | ${/series\('mood'\): has no column 'value'; there is other/} | ${'the strategy lacks a column'}
  `('is refused at the start: $why', async ({ name, content, line }) => {
    write(content as string, name as string)
    const flags = ['--symbol', 'A_USD', '--series', `mood=${name as string}`, '--out', `refused-${name as string}`]
    expectInputError(await cli('paper', 'trader.js', '--url', emulator.baseUrl, ...flags), line as RegExp)
  })
})
