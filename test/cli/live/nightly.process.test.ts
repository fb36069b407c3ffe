/**
 * `--nightly`: the twin of a session that goes on. The clock of the process is half a day before or after midnight, as a
 * file says.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { NumberedEvent } from '../../../src/runtime/live/live-event.ts'
import type { Twins } from '../../../src/run.ts'
import { startHook } from '../rig/hook.ts'
import { liveCases, type LiveCase } from './rig/live-cases.ts'
import { eventually } from './rig/patience.ts'
import type { SessionOptions, SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()

/** Buys at the market at each trade of others below its ask. `isTwin` is true in the process of a twin. */
const buys = (name: string, more = ''): string => `
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

const isTwin = process.send !== undefined

export default defineStrategy({
  name: '${name}',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyMarket }) =>
    trades(symbol).pipe(
      filter(({ price, isOwn }) => !isOwn && price.lt(42050)),
      map(() => {
        ${more}
        return buyMarket(symbol, '0.01')
      }),
    ),
})
`

type TwinEvent = Extract<NumberedEvent, { type: 'twin' }>

interface NightlyCase extends LiveCase {
  readonly nightly: (source: string | readonly string[], options?: Partial<SessionOptions>) => SessionProcess
  /** Lets a day pass for the session, and resolves with its twins so far. */
  readonly midnight: (session: SessionProcess, twins: number) => Promise<readonly TwinEvent[]>
}

const nightlyCase = (body: (stage: NightlyCase) => Promise<void>): Promise<void> =>
  inCase({}, async (stage) => {
    const { folder, start, venue } = stage
    await venue.crowdOrder({ side: 'SELL', price: '42100.00', qty: '5' })
    const [clock, days] = [join(folder, 'clock.mjs'), join(folder, 'days')]
    // A byte is a day: a file that grows has no moment at which it is empty.
    writeFileSync(days, '')
    const offset = Date.UTC(2026, 10, 30, 12) - Date.now()
    const time = `now() + ${offset} + 86400000 * statSync(${JSON.stringify(days)}).size`
    writeFileSync(clock, `import { statSync } from 'node:fs'\nconst { now } = Date\nDate.now = () => ${time}\n`)
    const env = { NODE_OPTIONS: `--import=${clock}` }
    const nightly: NightlyCase['nightly'] = (source, { args = [], ...options } = {}) =>
      start(source, { env, args: ['--symbol', 'BTC_USD', '--nightly', ...args], ...options })
    const midnight: NightlyCase['midnight'] = (session, twins) => {
      appendFileSync(days, '.')
      return eventually(
        () => {
          const events = session.events('twin')
          return events.length >= twins && events
        },
        () => `${twins} twins: ${session.output}`,
      )
    }
    await body({ ...stage, nightly, midnight })
  })

const fillsOf = (session: SessionProcess, count: number): Promise<true> =>
  eventually(() => session.events('fill').length >= count, () => `${count} fills: ${session.output}`) // prettier-ignore

it('reports the gap since the start and its change to the terminal and a webhook, night by night', () =>
  nightlyCase(async ({ venue, nightly, midnight }) => {
    const hook = await startHook()
    await venue.emulator.fault({ fault: 'delay', route: 'POST /orders', probability: 1, ms: 400 })
    const session = nightly(buys('ours'), { args: ['--notify', `http://127.0.0.1:${hook.port}/`] })
    await session.started()
    await venue.trade('42001.00')
    await fillsOf(session, 1)
    const [first] = await midnight(session, 1)
    expect(first).toMatchObject({ owner: 'ours', date: '2026-11-30' })
    expect(first?.message).toMatch(/^the session made \d.* USD (?:less|more) than its twin: .*USD$/)
    expect(first?.change).toBeUndefined()

    await venue.trade('42003.00')
    await fillsOf(session, 2)
    const [, second] = await midnight(session, 2)
    const [before, total] = [first?.total, second?.total]
    expect(second?.date).toBe('2026-12-01')
    expect(total?.quoteAsset).toBe('USD')
    const sum = Object.values(total?.parts ?? {}).reduce((all, part) => all.plus(part), toDecimal(0))
    expect(sum.toFixed()).toBe(total?.gap)
    expect(second?.change).toBe(
      toDecimal(total?.gap ?? '')
        .minus(before?.gap ?? '')
        .toFixed(),
    )
    expect(second?.message).toContain(' USD since the twin before')

    const { strategies, totals } = JSON.parse(readFileSync(session.path('nightly/2026-12-01.json'), 'utf8')) as Twins
    expect(totals).toEqual([total])
    expect(strategies[0]?.orders.length).toBe(2)
    expect(existsSync(session.path('nightly/2026-12-01'))).toBe(false)
    expect(await session.stop()).toBe(0)
    expect(hook.events.filter(({ type }) => type === 'twin')).toEqual(JSON.parse(JSON.stringify([first, second])))
    await hook.close()
  }))

it('on paper has a twin of each strategy, and names the one that has none', () =>
  nightlyCase(async ({ folder, venue, nightly, midnight }) => {
    const session = nightly([buys('ours'), buys('theirs')], { command: 'paper' })
    await session.started()
    await venue.trade('42001.00')
    await fillsOf(session, 2)
    const both = await midnight(session, 3)
    expect(both.map(({ owner }) => owner)).toEqual(['ours', 'theirs', undefined])
    const [ours, theirs, all] = both.map(({ total }) => toDecimal(total?.gap ?? ''))
    expect(all?.toFixed()).toBe(theirs?.plus(ours ?? '').toFixed())

    appendFileSync(join(folder, 'strategies', 's2.ts'), '// changed\n')
    const [, , , again, changed] = await midnight(session, 5)
    expect(again).toMatchObject({ owner: 'ours', change: expect.any(String) })
    expect(changed?.message).toMatch(/^failed: .*s2\.ts: has changed: expected sha256 /)
    expect([changed?.owner, changed?.total]).toEqual(['theirs', undefined])
    expect(await session.stop()).toBe(0)
  }))

it('is lost without harm to the session, and ends with it', () =>
  nightlyCase(async ({ folder, venue, nightly, midnight }) => {
    const file = join(folder, 'pid')
    const more = `if (isTwin) { writeFileSync(${JSON.stringify(file)}, String(process.pid)); for (;;) {} }`
    const session = nightly(`import { writeFileSync } from 'node:fs'\n${buys('ours', more)}`)
    await session.started()
    await venue.trade('42001.00')
    await fillsOf(session, 1)
    const twin = async (): Promise<number> => {
      const pid = await eventually(() => existsSync(file) && (Number(readFileSync(file, 'utf8')) || false), () => session.output) // prettier-ignore
      writeFileSync(file, '')
      return pid
    }
    const lost = midnight(session, 1)
    process.kill(await twin(), 'SIGKILL')
    expect((await lost)[0]?.message).toBe('failed: its process was killed by SIGKILL')

    const late = midnight(session, 2)
    const pid = await twin()
    await venue.trade('42002.00')
    await fillsOf(session, 2)
    expect(await session.stop()).toBe(0)
    const words = `failed: the session ended first: run papertape twin ${session.out}`
    expect((await late).map(({ date, message }) => [date, message]).at(-1)).toEqual(['2026-12-01', words])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(existsSync(session.path('nightly/2026-12-01'))).toBe(false)
  }))

it('needs the received trades', () =>
  nightlyCase(async ({ nightly }) => {
    const session = nightly(buys('ours'), { args: ['--no-received'] })
    await session.ended
    const words = '--nightly: needs the trades as they arrive: pass --out, and do not pass --no-received'
    expect([session.end?.code, session.stderr]).toEqual([2, expect.stringContaining(words)])
  }))
