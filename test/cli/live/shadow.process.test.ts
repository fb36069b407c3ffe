/**
 * `papertape live --shadow`: a candidate on paper next to a live strategy. It sends nothing to the account, whatever
 * happens to it does not concern the live session, and both are compared at the end.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ShadowComparison } from '../../../src/report/run/shadow-comparison.ts'
import { liveCases, type LiveCase } from './rig/live-cases.ts'
import { eventually } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()

/** Buys at the market at each trade of others, so often, and logs each trade, its process and its key. */
const buys = (name: string, more = ''): string => `
import { defineStrategy } from 'papertape'
import { filter, map, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: '${name}',
  params: z.object({ symbol: z.string(), qty: z.string().default('0.01'), most: z.int().default(1) }),
  run: ({ params: { symbol, qty, most }, trades, balance, log, buyMarket }) => {
    log('pid ' + process.pid + ', key ' + process.env.PAPERTAPE_API_KEY + ', ' + balance('USD').available.toFixed() + ' USD')
    return trades(symbol).pipe(
      filter(({ isOwn }) => !isOwn),
      map(({ price }) => {
        log('sees ' + price.toFixed(2))
        ${more}
        return buyMarket(symbol, qty)
      }),
      take(most),
    )
  },
})
`

interface ShadowCase extends LiveCase {
  /** Starts the live strategy with this source as its shadow. */
  readonly shadow: (source: string | undefined, ...args: readonly string[]) => SessionProcess
}

/** With asks of the crowd, which market orders take. */
const withShadow = (body: (stage: ShadowCase) => Promise<void>): Promise<void> =>
  inCase({}, async (stage) => {
    await stage.venue.crowdOrder({ side: 'SELL', price: '42100.00', qty: '5' })
    const shadow: ShadowCase['shadow'] = (source, ...args) => {
      const path = join(stage.folder, 'new.ts')
      if (source !== undefined) writeFileSync(path, source)
      return stage.start(buys('ours'), { args: ['--symbol', 'BTC_USD', '--shadow', path, ...args] })
    }
    await body({ ...stage, shadow })
  })

const logOf = (session: SessionProcess): string => {
  const path = session.path('shadow.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const isLogged = (session: SessionProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  eventually(() => pattern.exec(logOf(session)) ?? undefined, () => `${String(pattern)} in ${logOf(session)} ${session.output}`) // prettier-ignore

/** Orders of the shadow that its exchange has taken. */
const acknowledged = (session: SessionProcess, count: number): Promise<true> =>
  eventually(() => session.journal('acknowledged', 'shadow').length === count, () => session.output) // prettier-ignore

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const pidOf = async (session: SessionProcess): Promise<number> => Number((await isLogged(session, /pid (\d+)/))[1])

/** The live strategy trades, and ends in order. */
async function goesOn(session: SessionProcess, { venue }: LiveCase): Promise<void> {
  await session.started()
  await venue.trade('42002.00')
  await session.until('"type":"fill"')
  expect(await session.stop()).toBe(0)
  expect((await venue.fills()).length).toBe(1)
}

/** From an order on, papertape knows the user of the account. */
const known = ({ venue }: LiveCase): Promise<unknown> => venue.foreignOrder({ side: 'BUY', price: '100.00' })

const warningsOf = (session: SessionProcess): readonly string[] =>
  session.events('warning').flatMap(({ message }) => (message.includes('shadow') ? [message] : []))

const comparisonIn = (session: SessionProcess): ShadowComparison =>
  JSON.parse(readFileSync(session.path('comparison.json'), 'utf8')) as ShadowComparison

it('is compared with the live strategy at the end, and sends nothing to the service', () =>
  withShadow(async (stage) => {
    const { venue, shadow } = stage
    await known(stage)
    const session = shadow(buys('new'), '--param', 'qty=0.02', '--shadow-param', 'most=2')
    await session.until('started ')
    await session.until('new.ts started on paper, run directory ')
    await isLogged(session, /key undefined, 1000000 USD/)
    await venue.trade('42001.00')
    await session.until('"type":"fill"')
    await venue.trade('42002.00')
    await acknowledged(session, 2)
    expect(await session.stop()).toBe(0)

    // What the live strategy took is no market data of the shadow.
    expect([...logOf(session).matchAll(/sees ([\d.]+)/g)].map(([, price]) => price)).toEqual(['42001.00', '42002.00'])
    expect((await venue.allOrders()).map(({ qty, filledQty }) => [qty, filledQty])).toEqual([
      ['0.02000000', '0.02000000'],
      ['0.01000000', '0.00000000'],
    ])
    expect([session.report().orders, session.report('shadow').orders]).toEqual([1, 2])
    expect(session.report('shadow').params).toEqual({ symbol: 'BTC_USD', qty: '0.02', most: 2 })
    expect(session.report('shadow').config.credit).toEqual({ BTC: '10', USD: '1000000' })
    expect(session.hasReport('shadow')).toBe(true)

    const { live, shadow: its, difference } = comparisonIn(session)
    expect(session.output).toContain(`{"type":"comparison","live":${JSON.stringify(live)},"shadow"`)
    expect([its.initialEquity, live.orders, its.orders, difference.orders]).toEqual([live.initialEquity, 1, 2, 1])
    expect(Number(difference.finalEquity)).toBeCloseTo(Number(its.finalEquity) - Number(live.finalEquity))
    expect(warningsOf(session)).toEqual([])
    const pid = await pidOf(session)
    await eventually(() => !isRunning(pid), () => 'the end of the shadow') // prettier-ignore
  }))

it.each([
  ['throws', buys('new', "throw new Error('no luck')"), [], /^the shadow ended early: no luck \(.*new\.ts:\d+:\d+\); the live session goes on$/],
  ['throws while it is loaded', "throw new Error('at once')", [], /early: .*new\.ts.*at once.*; the live session goes on$/],
  ['is not there', undefined, [], /early: .*new\.ts.*no such file/],
  ['has no such parameter', buys('new'), ['--shadow-param', 'mots=2'], /early: params\.mots: .* did you mean 'most'\?; /],
  ['has a wrong parameter', buys('new'), ['--shadow-param', 'most=many'], /early: params\.most: expected a number, got 'many'; /],
] as const)('leaves the live session alone when it %s', (_, source, args, warning) =>
  withShadow(async (stage) => {
    const session = stage.shadow(source, ...args)
    if (args.length === 0 && source?.includes('pid') === true) {
      await pidOf(session)
      await stage.venue.trade('42001.00')
    }
    await session.until('; the live session goes on')
    await goesOn(session, stage)
    expect(warningsOf(session)).toEqual([expect.stringMatching(warning)])
  }),
) // prettier-ignore

it('is killed when it never ends its turn, and the live session trades meanwhile', () =>
  withShadow(async (stage) => {
    const session = stage.shadow(buys('new', 'for (;;) {}'))
    const pid = await pidOf(session)
    await stage.venue.trade('42001.00')
    await isLogged(session, /sees 42001.00/)
    await session.until('"type":"fill"')
    await session.until('the shadow ended early: it did not respond for 20 s; the live session goes on')
    await eventually(() => !isRunning(pid), () => 'the end of the shadow') // prettier-ignore
    expect(await session.stop()).toBe(0)
    expect(existsSync(session.path('comparison.json'))).toBe(false)
  }))

it('leaves the live session alone after kill -9', () =>
  withShadow(async (stage) => {
    const session = stage.shadow(buys('new'))
    process.kill(await pidOf(session), 'SIGKILL')
    await session.until('the shadow ended early: its process was killed by SIGKILL')
    await goesOn(session, stage)
    expect(warningsOf(session).length).toBe(1)
  }))

it.each([
  ['ends in order', ''],
  ['is ended in an endless loop', 'for (;;) {}'],
])('%s when the live process is killed', (_, more) =>
  withShadow(async ({ venue, shadow }) => {
    const session = shadow(buys('new', more))
    const pid = await pidOf(session)
    await venue.trade('42001.00')
    await isLogged(session, /sees 42001.00/)
    await session.kill()
    await eventually(() => !isRunning(pid), () => 'the end of the shadow') // prettier-ignore
    expect(session.hasReport('shadow') || existsSync(session.path('run.json', 'shadow'))).toBe(more === '')
  }),
)

it('is for one live strategy, and may be in the config file', () =>
  withShadow(async ({ folder, start, venue, shadow }) => {
    const two = start([buys('ours'), buys('theirs')], { args: ['--symbol', 'BTC_USD', '--shadow', 'new.ts'] })
    await two.ended
    expect([two.end?.code, two.stderr]).toEqual([2, expect.stringContaining('--shadow: expected one live strategy')])
    const none = start(buys('ours'), { args: ['--symbol', 'BTC_USD', '--shadow-param', 'most=2'] })
    await none.ended
    expect([none.end?.code, none.stderr]).toEqual([2, expect.stringContaining('--shadow: missing, although')])

    writeFileSync(join(folder, 'new.ts'), buys('new'))
    const file = { strategy: 'strategies/s1.ts', params: { symbol: 'BTC_USD' }, live: { shadow: 'new.ts' } }
    writeFileSync(join(folder, 'papertape.config.json'), JSON.stringify(file))
    const session = start([])
    await session.until('new.ts started on paper')
    await venue.trade('42001.00')
    await acknowledged(session, 1)
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(comparisonIn(session).shadow.orders).toBe(1)
    expect(shadow).toBeDefined()
  }))
