/**
 * A live process from its options to its reports, on an exchange in this process and clocks in hand.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concat, EMPTY, from, map, merge, mergeMap, NEVER, of, take, tap, timer } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ExchangeError } from '../../src/domain/errors.ts'
import type { RunReport } from '../../src/report/run/run-report.ts'
import type { LiveListener } from '../../src/run/live-options.ts'
import type { GivenLiveStrategy } from '../../src/run/live-strategies.ts'
import { buyLimit, buyMarket } from '../../src/strategy/orders.ts'
import { defineStrategy, type Strategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { LiveStage } from './rig/stand-in-account.ts'

const files = temporaryFiles()
let runs = 0
let out = ''
beforeEach(() => {
  runs += 1
  out = join(files.folder, `run-${runs}`)
})

type Run = Strategy['run']

const strategy = (name: string, run: Run, more: Partial<Strategy> = {}): GivenLiveStrategy => ({
  strategy: {
    ...defineStrategy({ name, params: z.object({ symbol: z.string() }), run: () => EMPTY }),
    ...more,
    run,
  },
})

/** A bid of 2 at 90 that rests. */
const resting = (name = 'resting'): GivenLiveStrategy =>
  strategy(name, () => concat(of(buyLimit('BTC_USD', 90, 2)), NEVER))

const journal = (directory: string): readonly { readonly type: string; readonly by?: string }[] =>
  readFileSync(join(directory, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })

const typesOf = (directory: string): readonly string[] => journal(directory).map(({ type }) => type)

const reportIn = (directory: string): RunReport =>
  JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as RunReport

describe('a session', () => {
  it.each(['quotes', 'depth', 'book'] as const)(
    'is refused at its start where its strategy asks for %s: a service reports what is traded alone',
    async (word) => {
      const asking = strategy('asking', (context) => {
        context[word]('BTC_USD')
        return NEVER
      })
      const stage = new LiveStage()
      await expect(
        stage.run({ strategies: [asking], symbol: 'BTC_USD', out }, files.folder, () => stage.pass(500)),
      ).rejects.toThrow(new RegExp(`^${word}\\('BTC_USD'\\): not available live or on paper`))
    },
  )

  it('that is stopped while it begins creates no files when the service answers later', async () => {
    let answer = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      answer = resolve
    })
    const stage = new LiveStage({ begun })
    const options = { strategies: [resting()], symbol: 'BTC_USD', out }
    await expect(stage.run(options, files.folder, () => stage.pass(50))).rejects.toThrow('aborted')
    answer()
    await stage.pass(200)
    expect([stage.happened.at(-1), existsSync(out)]).toEqual(['closed', false])
  })

  it('begins when the account is settled, trades, and ends with none of its orders open', async () => {
    const stage = new LiveStage()
    const result = await stage.run({ strategies: [resting()], symbol: 'BTC_USD', out }, files.folder, () =>
      stage.pass(500),
    )
    expect(stage.happened).toEqual(['begin BTC_USD', 'dropped resting', 'settled', 'audited', 'closed'])
    expect(result.fault).toBeUndefined()
    expect(typesOf(out).filter((type) => type !== 'credit')).toEqual([
      'run',
      'place',
      'acknowledged',
      'order',
      'balances',
      'cancel',
      'acknowledged',
      'order',
      'balances',
      'end',
    ])
    expect(reportIn(out)).toMatchObject({
      orders: 1,
      fills: 0,
      failure: null,
      digest: result.sessions[0]?.report.digest,
      live: { url: 'http://127.0.0.1:1/v1', owner: 'resting', session: 'session-1', openOrders: [], fault: null },
    })
    expect(readdirSync(out).sort()).toEqual([
      'candles.csv',
      'equity.csv',
      'fills.csv',
      'journal.jsonl',
      'orders.csv',
      'periods.csv',
      'received.csv',
      'run.json',
      'trades.csv',
    ])
  })

  it('has each line in its file before the request leaves that it describes', async () => {
    const written: (readonly string[])[] = []
    const stage = new LiveStage({ onRequest: () => written.push(typesOf(out)) })
    await stage.run({ strategies: [resting()], symbol: 'BTC_USD', out }, files.folder, () => stage.pass(100))
    expect(written.map((types) => types.at(-1))).toEqual(['place', 'cancel'])
  })

  it('leaves its orders where they are when it is asked to, and says so', async () => {
    const stage = new LiveStage()
    const options = { strategies: [resting()], symbol: 'BTC_USD', out, keepOrders: true }
    const { sessions } = await stage.run(options, files.folder, () => stage.pass(100))
    expect(typesOf(out)).not.toContain('cancel')
    expect(sessions[0]?.report.live?.openOrders).toHaveLength(1)
    expect(sessions[0]?.report.notices).toContain('1 order of this session is still open.')
  })

  it('reports which orders it could not cancel', async () => {
    const stage = new LiveStage({ ignoresCancels: true })
    const { sessions } = await stage.run({ strategies: [resting()], symbol: 'BTC_USD', out }, files.folder, () =>
      stage.pass(100),
    )
    expect(sessions[0]?.report.live?.openOrders).toHaveLength(1)
    expect(sessions[0]?.report.live?.fault).toContain('no answer')
    expect(sessions[0]?.left).toEqual([expect.stringMatching(/^order \d+ \(BUY /)])
    const cancels = typesOf(out).filter((type) => type === 'cancel').length
    expect(cancels).toBeGreaterThan(3)
    expect(cancels).toBeLessThan(20)
  })

  it('ends within the time that it is given', async () => {
    const stage = new LiveStage({ ignoresCancels: true })
    const options = { strategies: [resting()], symbol: 'BTC_USD', out, stopTimeout: '2s' }
    const { sessions } = await stage.run(options, files.folder, () => stage.pass(100))
    const { startedAt, endedAt } = sessions[0]?.report.live ?? { startedAt: 0, endedAt: 0 }
    expect(endedAt - startedAt).toBeLessThan(3_000)
    expect(sessions[0]?.report.live?.openOrders).toHaveLength(1)
  })

  it('has figures of its own fills, marked by the trades of others', async () => {
    const stage = new LiveStage()
    const buyer = strategy('buyer', ({ trades }) =>
      trades('BTC_USD').pipe(
        take(1),
        map(() => buyMarket('BTC_USD', 3)),
      ),
    )
    const { sessions } = await stage.run({ strategies: [buyer], symbol: 'BTC_USD', out }, files.folder, async () => {
      stage.other({ side: 'SELL', type: 'LIMIT', price: 100, qty: 10 })
      stage.other({ side: 'BUY', type: 'MARKET', qty: 1 })
      await stage.pass(100)
      stage.other({ side: 'SELL', type: 'LIMIT', price: 110, qty: 10 })
      stage.other({ side: 'BUY', type: 'MARKET', qty: 8 })
      await stage.pass(100)
    })
    const report = sessions[0]?.report
    // Three bought at 100, and the last price is 110; the million of BTC that was there is marked as well.
    expect(report).toMatchObject({ orders: 1, fills: 1, finalEquity: String(1_000_000 - 300 + 1_000_003 * 110) })
    expect(report?.audit).toMatchObject({ ok: true, assets: { USD: { held: '999700' }, BTC: { held: '1000003' } } })
    expect(report?.statistics.openTrips).toMatchObject([{ symbol: 'BTC_USD', qty: '3', unrealizedPnl: '30' }])
    expect(report?.fillQuality.BTC_USD?.taker.fills).toBe(1)
  })

  it('follows the loop with the time operators of RxJS, and is refused the clocks of the machine', async () => {
    const stage = new LiveStage()
    const seen: number[] = []
    const waiting = strategy('waiting', ({ now }) =>
      timer(1_000, 1_000).pipe(
        mergeMap(() => {
          seen.push(now() % 86_400_000)
          // eslint-disable-next-line papertape/no-clock -- what a strategy must not do
          if (seen.length === 3) setTimeout(() => undefined, 5)
          return EMPTY
        }),
      ),
    )
    const { sessions } = await stage.run({ strategies: [waiting], symbol: 'BTC_USD', out }, files.folder, () =>
      stage.pass(5_000),
    )
    expect(seen).toHaveLength(3)
    expect(sessions[0]?.report.failure?.message).toContain('setTimeout() is not available in a strategy')
  })
})

it('reports a rounded quantity when it first happens, and the number at the end', async () => {
  const logs: string[] = []
  let atFirst: readonly string[] = []
  const computing = strategy('computing', ({ trades }) =>
    trades('BTC_USD').pipe(
      take(2),
      map(({ price }) => buyLimit('BTC_USD', 90, price.div(30))),
    ),
  )
  const stage = new LiveStage()
  const listener = { onLog: (_owner: string, _time: number, message: string) => void logs.push(message) }
  await stage.run({ strategies: [computing], symbol: 'BTC_USD', out, listener }, files.folder, async () => {
    stage.other({ side: 'SELL', type: 'LIMIT', price: 100, qty: 10 })
    stage.other({ side: 'BUY', type: 'MARKET', qty: 1 })
    await stage.pass(500)
    atFirst = [...logs]
    stage.other({ side: 'BUY', type: 'MARKET', qty: 1 })
    await stage.pass(500)
  })
  expect(atFirst).toEqual([
    'quantity 3.33333333333333... was rounded down to 3 BTC; pass --rounding refuse to refuse such orders',
  ])
  expect(logs.slice(1)).toEqual([
    '2 quantities were rounded down to a multiple of 1 BTC; pass --rounding refuse to refuse such orders',
  ])
})

describe('several strategies of one key', () => {
  it('have orders, journals and directories of their own, also of one name', async () => {
    const stage = new LiveStage()
    const options = { strategies: [resting(), resting(), resting('other-name')], symbol: 'BTC_USD', out }
    const { sessions } = await stage.run(options, files.folder, () => stage.pass(200))
    expect(sessions.map(({ owner }) => owner).sort()).toEqual(['other-name', 'resting', 'resting-2'])
    expect(readdirSync(out).sort()).toEqual(['other-name', 'received.csv', 'resting', 'resting-2'])
    for (const { directory, report } of sessions) {
      expect(report.orders).toBe(1)
      expect(typesOf(directory).filter((type) => type === 'place')).toHaveLength(1)
    }
  })

  it('have names, parameters and limits of their own', async () => {
    const stage = new LiveStage()
    const strategies = [
      { ...resting(), name: 'careful', risk: { maxOrder: '1' } },
      { ...resting(), name: 'bold' },
    ]
    const { sessions } = await stage.run({ strategies, symbol: 'BTC_USD', out }, files.folder, () => stage.pass(200))
    const refused = Object.fromEntries(sessions.map(({ owner, report }) => [owner, report.riskRefusals]))
    expect(refused).toEqual({ careful: 1, bold: 0 })
    expect(readdirSync(out).sort()).toEqual(['bold', 'careful', 'received.csv'])
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['bold', /another strategy has the name/],
      ['a/b', /letters, digits/],
    ]
    for (const [name, error] of refusals) {
      const wrong = strategies.map((each, index) => (index === 0 ? { ...each, name } : each))
      const started = new LiveStage().run({ strategies: wrong, symbol: 'BTC_USD' }, files.folder, () => stage.pass(1))
      await expect(started).rejects.toThrow(error)
    }
  })

  it('go on when one throws, whose orders are cancelled', async () => {
    const stage = new LiveStage()
    const failing = strategy('failing', () =>
      merge(
        of(buyLimit('BTC_USD', 80, 1)),
        timer(300).pipe(
          map((): never => {
            throw new Error('broken')
          }),
        ),
      ),
    )
    const { sessions } = await stage.run(
      { strategies: [failing, resting()], symbol: 'BTC_USD', out },
      files.folder,
      async () => {
        await stage.pass(1_000)
        expect(reportIn(join(out, 'failing'))).toMatchObject({
          failure: { message: 'broken' },
          live: { openOrders: [] },
        })
        expect(existsSync(join(out, 'resting', 'run.json'))).toBe(false)
        expect(stage.adapters.get('resting')?.openOrders()).toHaveLength(1)
      },
    )
    expect(sessions.map(({ report }) => report.failure?.message)).toEqual(['broken', undefined])
  })

  it('do not keep one that throws from ending while the order of another has no outcome', async () => {
    const stage = new LiveStage({ unsettledOwner: 'resting' })
    const failing = strategy('failing', () =>
      timer(300).pipe(
        map((): never => {
          throw new Error('broken')
        }),
      ),
    )
    const options = { strategies: [failing, resting()], symbol: 'BTC_USD', out, stopTimeout: '5s' }
    let hasEnded = false
    await stage.run(options, files.folder, async () => {
      await stage.pass(2_000)
      hasEnded = existsSync(join(out, 'failing', 'run.json'))
    })
    expect(hasEnded).toBe(true)
    expect(reportIn(join(out, 'failing')).live?.fault).toBeNull()
    expect(reportIn(join(out, 'resting')).live?.fault).toContain('some orders still had no known outcome')
  })

  it('go on when one throws whose order stays and would expire later: after its end it does nothing', async () => {
    const stage = new LiveStage()
    const failing = strategy('failing', ({ now }) =>
      merge(
        of(buyLimit('BTC_USD', 80, 1, { expires: now() + 2_000 })),
        timer(300).pipe(
          map((): never => {
            throw new Error('broken')
          }),
        ),
      ),
    )
    const options = { strategies: [failing, resting()], symbol: 'BTC_USD', out, keepOrders: true }
    await stage.run(options, files.folder, async () => {
      await stage.pass(5_000)
      expect(typesOf(join(out, 'failing')).at(-1)).toBe('end')
      expect(existsSync(join(out, 'resting', 'run.json'))).toBe(false)
      expect(stage.adapters.get('failing')?.openOrders()).toHaveLength(1)
    })
  })
})

describe('what keeps a process from beginning', () => {
  it.each`
    why                             | options                                             | message
    ${'two markets, none named'}    | ${{}}                                               | ${"symbol: missing market of 'resting'; the service lists BTC_USD, ETH_USD"}
    ${'a market that is not there'} | ${{ symbol: 'X_USD' }}                              | ${"symbol: the service lists no market 'X_USD', only BTC_USD, ETH_USD"}
    ${'no strategy'}                | ${{ strategies: [] }}                               | ${'strategies: expected at least one strategy'}
    ${'a parameter of none'}        | ${{ paramTexts: { slow: '1' }, symbol: 'BTC_USD' }} | ${"strategy 'resting' has no such parameter"}
    ${'a form'}                     | ${{ reconcileMs: -1 }}                              | ${'reconcileMs: '}
  `('$why', async ({ options, message }) => {
    const stage = new LiveStage()
    const run = stage.run({ strategies: [resting()], out, ...options }, files.folder, () => Promise.resolve())
    await expect(run).rejects.toThrow(message)
    expect(existsSync(out)).toBe(false)
  })

  it('an account that cannot be read: no strategy runs', async () => {
    const beginFault = new ExchangeError('NO_ANSWER', 'nobody answers')
    const stage = new LiveStage({ beginFault })
    const started: string[] = []
    const seeing = strategy('seeing', () => {
      started.push('started')
      return NEVER
    })
    const run = stage.run({ strategies: [seeing], symbol: 'BTC_USD', out }, files.folder, () => Promise.resolve())
    await expect(run).rejects.toThrow('nobody answers')
    expect(started).toEqual([])
    expect(stage.happened).toEqual(['begin BTC_USD', 'closed'])
  })

  it('a directory that holds a run', async () => {
    const first = new LiveStage()
    await first.run({ strategies: [resting()], symbol: 'BTC_USD', out }, files.folder, () => first.pass(50))
    const second = new LiveStage()
    const run = second.run({ strategies: [resting()], symbol: 'BTC_USD', out }, files.folder, () => second.pass(50))
    await expect(run).rejects.toThrow('holds a run already')
  })
})

describe('an account that cannot be used any more', () => {
  it.each`
    code                    | why
    ${'INVALID_API_KEY'}    | ${'a key that cannot read may still cancel'}
    ${'EMAIL_NOT_VERIFIED'} | ${'so may one of an account that is not verified'}
    ${'SCHEMA_FAULT'}       | ${'and a service that answers oddly'}
  `('halts every session, and cancels what it can: $why', async ({ code }) => {
    const stage = new LiveStage()
    const warnings: string[] = []
    const listener = { onWarning: (text: string) => void warnings.push(text) }
    const { sessions, fault } = await stage.run(
      { strategies: [resting()], symbol: 'BTC_USD', out, listener },
      files.folder,
      async () => {
        await stage.pass(100)
        stage.adapters.get('resting')?.faults$.push(new ExchangeError(code, 'no more'))
        await stage.pass(1_000)
        expect(existsSync(join(out, 'run.json'))).toBe(true)
      },
    )
    expect(fault?.code).toBe(code)
    expect(warnings).toEqual(['HALTED: no more'])
    expect(journal(out).filter(({ type }) => type === 'cancel')).toHaveLength(1)
    expect(sessions[0]?.report.live).toMatchObject({ fault: 'no more' })
    expect(sessions[0]?.report.live?.openOrders).toEqual([])
    expect(sessions[0]?.report.states).toMatchObject([{ state: 'HALTED' }])
  })
})

it('an end that could not cancel keeps no later fault from halting the others', async () => {
  const stage = new LiveStage({ ignoresCancels: true })
  const failing = strategy('failing', () =>
    merge(
      of(buyLimit('BTC_USD', 80, 1)),
      timer(300).pipe(
        map((): never => {
          throw new Error('broken')
        }),
      ),
    ),
  )
  const warnings: string[] = []
  const listener = { onWarning: (text: string) => void warnings.push(text) }
  const idle = strategy('idle', () => NEVER)
  const options = { strategies: [failing, idle], symbol: 'BTC_USD', out, stopTimeout: '1s', listener }
  const { sessions } = await stage.run(options, files.folder, async () => {
    await stage.pass(3_000)
    expect(reportIn(join(out, 'failing')).live?.fault).toContain('no answer')
    stage.adapters.get('idle')?.faults$.push(new ExchangeError('INVALID_API_KEY', 'no more'))
    await stage.pass(2_000)
    expect(existsSync(join(out, 'idle', 'run.json'))).toBe(true)
  })
  expect(warnings).toEqual(['HALTED: no more'])
  expect(sessions.map(({ report }) => report.live?.fault)).toEqual([expect.stringContaining('no answer'), 'no more'])
})

describe('a listener of a program', () => {
  const buying: Run = ({ trades, log }) =>
    trades('BTC_USD').pipe(
      tap(() => log('seen')),
      take(1),
      map(() => buyMarket('BTC_USD', 1)),
    )

  const traded = async (listener: Partial<LiveListener>, stage = new LiveStage()): Promise<RunReport | undefined> => {
    const strategies = [strategy('buying', buying)]
    const { sessions } = await stage.run({ strategies, symbol: 'BTC_USD', out, listener }, files.folder, async () => {
      stage.other({ side: 'SELL', type: 'LIMIT', price: 100, qty: 10 })
      stage.other({ side: 'BUY', type: 'MARKET', qty: 1 })
      await stage.pass(500)
      // A warning, from within an event.
      stage.clocks.set(60_000)
      await stage.pass(2_000)
    })
    return sessions[0]?.report
  }

  /* eslint-disable papertape/no-clock -- a program has them all */
  it('may read the clock, take chance and set timers in every event, and so may the clocks that it brings', async () => {
    const events = new Set<string>()
    const use = (name: string) => (): void => {
      events.add(name)
      setTimeout(() => undefined, 0)
      expect(Date.now() + new Date().getTime() + Math.random()).toBeGreaterThan(0)
    }
    const stage = new LiveStage()
    const { clocks } = stage
    const wall = clocks.wall.bind(clocks)
    const monotonic = clocks.monotonic.bind(clocks)
    clocks.wall = () => wall() + 0 * Date.now()
    clocks.monotonic = () => monotonic() + 0 * performance.now()
    const names = ['onStart', 'onLog', 'onFill', 'onWarning', 'onEnd'] as const
    const listener = Object.fromEntries(names.map((name) => [name, use(name)]))
    const report = await traded(listener, stage)
    expect(report).toMatchObject({ fills: 1, failure: null })
    expect([...events]).toEqual(expect.arrayContaining([...names]))
  })

  /* eslint-enable papertape/no-clock */

  it('that throws, or whose promise rejects, is reported once and ends nothing', async () => {
    const warnings: string[] = []
    const fail = (): never => {
      throw new Error('the disk of the program is full')
    }
    const report = await traded({
      onLog: fail,
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- a program without types may
      onFill: () => Promise.reject(new Error('no network')),
      onWarning: (text) => {
        warnings.push(text)
        fail()
      },
    })
    expect(report).toMatchObject({ fills: 1, failure: null })
    const of = (name: string): readonly string[] => warnings.filter((text) => text.includes(`listener ${name} threw`))
    expect(of('onLog')).toHaveLength(1)
    expect(of('onFill')).toEqual([expect.stringContaining('no network')])
    expect(warnings).toContainEqual(expect.stringContaining('the clock jumped'))
  })
})

describe('what was there before', () => {
  it('of owners that do not run is reported, and left alone', async () => {
    const stage = new LiveStage({ absentOwners: ['yesterday'] })
    const warnings: string[] = []
    const listener = { onWarning: (text: string) => void warnings.push(text) }
    await stage.run({ strategies: [resting()], symbol: 'BTC_USD', out, listener }, files.folder, () => stage.pass(20))
    expect(warnings).toEqual(["'yesterday' is not running but has open orders; they are left alone"])
  })
})

describe('a strategy of promises', () => {
  it('may act in them, for the turn behind an event', async () => {
    const stage = new LiveStage()
    const run: Run = ({ trades }) =>
      trades('BTC_USD').pipe(
        take(1),
        mergeMap(() => from(Promise.resolve(buyLimit('BTC_USD', 90, 1)))),
      )
    const isAsync = [strategy('promising', run, { async: true }), strategy('sync', run)]
    const { sessions } = await stage.run({ strategies: isAsync, symbol: 'BTC_USD', out }, files.folder, async () => {
      stage.other({ side: 'SELL', type: 'LIMIT', price: 100, qty: 10 })
      stage.other({ side: 'BUY', type: 'MARKET', qty: 1 })
      await stage.pass(500)
    })
    const byOwner = new Map(sessions.map(({ owner, report }) => [owner, report]))
    expect(byOwner.get('promising')).toMatchObject({ orders: 1, failure: null })
    expect(byOwner.get('sync')?.failure?.message).toContain('set `async: true`')
  })
})

describe('operators', () => {
  it('find the sessions in the state that was said last, before a strategy acts, and are heard until the end', async () => {
    const heard: string[] = []
    const stage = new LiveStage({
      operators: (sessions) => ({
        start: () => {
          heard.push('start')
          sessions.setState('REDUCING', 'said before')
          sessions.setState('HALTED', 'by an operator')
        },
        stop: () => heard.push('stop'),
      }),
    })
    const options = { strategies: [resting()], symbol: 'BTC_USD', out }
    const { sessions } = await stage.run(options, files.folder, () => stage.pass(100))
    expect(heard).toEqual(['start', 'stop'])
    expect(sessions[0]?.report).toMatchObject({
      orders: 0,
      riskRefusals: 1,
      states: [{ state: 'REDUCING' }, { state: 'HALTED' }],
    })
    expect(typesOf(out)[0]).toBe('run')
  })
})
