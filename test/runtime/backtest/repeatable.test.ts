/**
 * A run is the same in every zone and language, and what cannot be the same twice is reported with its place.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { backtest } from '../../../src/run.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { write } = temporaryFiles()
const tape = write('time,price,qty\n1700000000000,100,1\n1700000001000,101,1\n1700000002000,101,1\n', 'tape.csv')
const ZONES = ['America/New_York', 'Asia/Kolkata', 'UTC'] as const
const { TZ } = process.env

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

const source = (top: string, act: string): string => `import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'
${top}
export default defineStrategy({
  name: 'teller',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, now, trades, buyMarket }) => trades(symbol).pipe(take(1), map(() => {
    const tag = String(${act})
    return buyMarket(symbol, '1', { tag: tag.slice(0, 30) })
  })),
})
`

let runs = 0
async function runOf(top: string, act: string) {
  runs += 1
  const strategy = write(source(top, act), `teller-${runs}.ts`)
  return await backtest({ strategy, tapes: { A_USD: tape }, liquidity: 'ideal', bounds: false })
}

describe('in every zone and language', () => {
  it.each([
    'new Date(now()).getHours()',
    'new Date(now())',
    'new Date(2024, 0, 1).getTime()',
    'new Intl.DateTimeFormat().resolvedOptions().timeZone',
    'new Date(now()).toLocaleString()',
    '(1234.5).toLocaleString([])',
    "new Intl.Collator().resolvedOptions().locale + 'i'.toLocaleUpperCase()",
    "['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b))",
  ])('%s is the same', async (act) => {
    const digests = new Set<string>()
    for (const zone of ZONES) {
      process.env.TZ = zone
      const { digest, failure, orders } = await runOf('const AT_LOAD = new Date(0).getHours()', `AT_LOAD + ${act}`)
      expect([failure, orders.length]).toEqual([null, 1])
      digests.add(digest)
    }
    expect(digests.size).toBe(1)
  })

  it('the zone of the program is back afterwards', async () => {
    process.env.TZ = 'Asia/Kolkata'
    await runOf('', '1')
    // eslint-disable-next-line papertape/no-clock -- the zone is what is tested
    expect([process.env.TZ, new Date(0).getHours()]).toEqual(['Asia/Kolkata', 5])
  })
})

const noticeOf = async (top: string, act: string): Promise<string | undefined> => {
  const { notices, failure } = (await runOf(top, act)).report
  expect(failure).toBeNull()
  return notices.find((notice) => notice.startsWith('This run may not be repeatable'))
}

describe('what cannot be repeated', () => {
  it.each`
    top                                                                 | name
    ${'const x = Date.now()'}                                           | ${'Date.now()'}
    ${'const x = new Date()'}                                           | ${'new Date()'}
    ${'const x = Math.random()'}                                        | ${'Math.random()'}
    ${'const x = performance.now()'}                                    | ${'performance.now()'}
    ${'const x = process.hrtime()'}                                     | ${'process.hrtime()'}
    ${'const x = performance.timeOrigin'}                               | ${'performance.timeOrigin'}
    ${"const x = performance.mark('a')"}                                | ${'performance.mark()'}
    ${'const x = process.memoryUsage()'}                                | ${'process.memoryUsage()'}
    ${'const x = new Intl.DateTimeFormat().format()'}                   | ${'Intl.DateTimeFormat().format()'}
    ${'const x = new Intl.DateTimeFormat().formatToParts()'}            | ${'Intl.DateTimeFormat().format()'}
    ${'const x = process.hrtime.bigint()'}                              | ${'process.hrtime.bigint()'}
    ${'const x = crypto.randomUUID()'}                                  | ${'crypto.randomUUID()'}
    ${'const x = crypto.getRandomValues(new Uint8Array(1))'}            | ${'crypto.getRandomValues()'}
    ${"const x = (await import('node:crypto')).randomBytes(1)"}         | ${'crypto.randomBytes()'}
    ${'const x = process.pid'}                                          | ${'process.pid'}
    ${'const x = process.env.HOME'}                                     | ${'process.env.HOME'}
    ${'const x = setTimeout(() => undefined, 0)'}                       | ${'setTimeout()'}
    ${"const x = (await import('node:timers')).setTimeout(() => 0, 0)"} | ${'timers.setTimeout()'}
  `('is informed when it is used while the file is loaded: $top', async ({ top, name }) => {
    expect(await noticeOf(String(top), '1')).toMatch(
      new RegExp(`: ${String(name).replace(/[.()]/g, '\\$&')} at teller-\\d+\\.ts:4:\\d+\\.$`),
    )
  })

  it('is reported once each, however often', async () => {
    const notice = await noticeOf('for (let i = 0; i < 3; i += 1) { Date.now(); Math.random() }', '1')
    expect(notice).toMatch(/: Date\.now\(\) at teller-\d+\.ts:4:\d+, Math\.random\(\) at teller-\d+\.ts:4:\d+\.$/)
  })

  it('is reported when it comes after an await, and when a turn reads the process', async () => {
    const later = 'void Promise.resolve().then(() => Math.random()), process.env.LANG, process.pid'
    expect(await noticeOf('', `(${later})`)).toMatch(/process\.env\.LANG at .*process\.pid at .*Math\.random\(\) at /)
  })

  it('and modules of Node that read what no digest covers are', async () => {
    expect(await noticeOf("import { readFileSync } from 'node:fs'\nvoid readFileSync", '1')).toMatch(/: node:fs\.$/)
  })

  it('are not dates that are given to a format, which is the same function each time', async () => {
    const format = "new Intl.DateTimeFormat('en-GB')"
    const act = `[${format}.format(0), ${format}.formatToParts(now()).length, ((f: Intl.DateTimeFormat) => f.format === f.format)(${format})]`
    const { failure, notices } = (await runOf('', act)).report
    expect([failure, notices.filter((notice) => notice.includes('not be repeatable'))]).toEqual([null, []])
  })

  const REFUSED = ['performance.timeOrigin', "performance.mark('a')", 'new Intl.DateTimeFormat().format()']
  it.each(['process.hrtime()', 'process.uptime()', 'crypto.randomUUID()', 'process.exit(0)', ...REFUSED])(
    'ends the run in a turn: %s',
    async (act) => {
      const { failure } = await runOf('', act)
      expect(failure?.message).toMatch(/is not available in a strategy: /)
      expect(failure?.place).toMatch(/teller-\d+\.ts:9:\d+$/)
    },
  )

  it('is refused although it was taken while the file was loaded', async () => {
    const { failure } = await runOf('const { now: wallClock } = Date', 'wallClock()')
    expect(failure?.message).toBe('Date.now() is not available in a strategy: use now()')
  })

  it('is nothing in a run that leans on nothing', async () => {
    expect(await noticeOf('', 'now()')).toBeUndefined()
  })
})
