/**
 * Strategies that throw, wait, or never end: the run ends with an explanation, the virtual time of it, and the real
 * world back.
 */
import * as rx from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { InputError, InvariantError, StrategyError } from '../../../src/domain/errors.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { MarketTrade } from '../../../src/strategy/market-data.ts'
import { buyLimit, buyMarket } from '../../../src/strategy/orders.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestRun, type TestStrategy } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'
const ROWS = Array.from({ length: 11 }, (_, second): RecordedRow => [second * 1_000, 100 + second, 5])
const tapes = [memoryTape(ROWS, { blockRows: 3 })]

const boom = (): never => {
  throw new Error('boom')
}

/** `time: message` of the failure. */
const failureOf = ({ result }: TestRun): string | undefined =>
  result.failure === undefined ? undefined : `${result.failure.time}: ${result.failure.message}`

const realNow = Reflect.get(Date, 'now') as unknown

afterEach(() => {
  expect(Reflect.get(Date, 'now')).toBe(realNow)
  expect(rx.config.onUnhandledError).toBeNull()
})

describe('a strategy that throws', () => {
  it.each<[string, string, TestStrategy['run']]>([
    ['in run', '0: boom', boom],
    ['in an operator', '3000: boom', ({ trades }) => trades(BTC).pipe(rx.skip(3), rx.map(boom))],
    [
      'in a subscriber of its own',
      '3000: boom',
      ({ trades }) => (trades(BTC).pipe(rx.skip(3)).subscribe(boom), rx.NEVER),
    ],
    ['in a timer', '1500: boom', () => rx.timer(1_500).pipe(rx.map(boom))],
    ['in a subscriber of a timer', '1500: boom', () => (rx.timer(1_500).subscribe(boom), rx.NEVER)],
    ['in an action that it scheduled', '1500: boom', () => (rx.asyncScheduler.schedule(boom, 1_500), rx.NEVER)],
    [
      'in a subscriber of its outcomes',
      '50: boom',
      ({ outcomes$ }) => (outcomes$.subscribe(boom), rx.of(buyMarket(BTC, 1))),
    ],
    ['in a subscriber of its fills', '50: boom', ({ fills$ }) => (fills$.subscribe(boom), rx.of(buyMarket(BTC, 1)))],
    ['in an error of its own stream', '0: boom', () => rx.throwError(() => new Error('boom'))],
    ['at the last moment', '10000: boom', () => (rx.timer(10_000).subscribe(boom), rx.NEVER)],
    [
      'when it is left',
      '10000: 1 errors occurred during unsubscription:\n1) Error: boom',
      () => rx.NEVER.pipe(rx.finalize(boom)),
    ],
    [
      'something that is no error',
      '1000: just text',
      () => rx.timer(1_000).pipe(rx.mergeMap(() => rx.throwError(() => 'just text'))),
    ],
  ])('%s ends the run there', async (_name, failure, run) => {
    expect(failureOf(await runStrategy({ run }, { tapes }))).toBe(failure)
  })

  it('in a promise that no one handles', async () => {
    const run: TestStrategy['run'] = ({ trades }) => {
      trades(BTC)
        .pipe(rx.take(1))
        .subscribe(() => void Promise.reject(new Error('boom')))
      return rx.NEVER
    }
    expect(failureOf(await runStrategy({ run }, { tapes }))).toMatch(/: boom$/)
  })

  it('at an operator between two decimals is reported with the methods', async () => {
    const run: TestStrategy['run'] = ({ trades }) =>
      trades(BTC).pipe(
        rx.pairwise(),
        rx.filter(([before, trade]) => trade.price > before.price),
        rx.map(() => buyMarket(BTC, 1)),
      )
    const { result } = await runStrategy({ run }, { tapes })
    expect(result.failure).toBeInstanceOf(StrategyError)
    expect(result.failure?.time).toBe(1_000)
    expect(result.failure?.message).toMatch(
      /^a Decimal has no \+ - \* \/ < > or ==: use plus, .*, greaterThan, equals;/,
    )
  })

  it('keeps its error as the cause', async () => {
    const error = new RangeError('mine')
    const { result } = await runStrategy({ run: () => rx.throwError(() => error) }, { tapes })
    expect(result.failure).toBeInstanceOf(StrategyError)
    expect(result.failure?.cause).toBe(error)
  })

  const ASKED = [
    {
      run: ({ market }) => rx.of(market('DOGE_USD')).pipe(rx.ignoreElements()),
      reported: "symbol: no market 'DOGE_USD'; there is BTC_USD",
    },
    {
      run: ({ trades }) => trades('DOGE_USD').pipe(rx.ignoreElements()),
      reported: "symbol: no market 'DOGE_USD'; there is BTC_USD",
    },
    {
      run: ({ balance }) => rx.of(balance('DOGE')).pipe(rx.ignoreElements()),
      reported: "balance: no market has the asset 'DOGE'",
    },
    {
      run: ({ candles }) => candles(BTC, '7min' as '5m').pipe(rx.ignoreElements()),
      reported:
        "interval: no candles of '7min'; there are 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d, 1w, 1M, and multiples up to 366d, such as 10m or 2h",
    },
  ] satisfies readonly { run: TestStrategy['run']; reported: string }[]

  it.each(ASKED)(
    'for what it asked of its context at the start is input to be mended: $reported',
    async ({ run, reported }) => {
      await expect(runStrategy({ run }, { tapes })).rejects.toThrow(
        new InputError(...(reported.split(/: (.*)/) as [string, string])),
      )
    },
  )

  it.each(ASKED)(
    'for what it asked of its context later is informed what there is: $reported',
    async ({ run, reported }) => {
      const later: TestStrategy['run'] = (context) => rx.timer(1).pipe(rx.switchMap(() => run(context)))
      const { result } = await runStrategy({ run: later }, { tapes })
      expect(result.failure?.cause).toBeInstanceOf(InputError)
      expect(result.failure?.message).toBe(reported)
    },
  )

  it('twice has failed once, at first', async () => {
    const run = (): IntentStream => {
      rx.timer(1_000).subscribe(boom)
      return rx.timer(1_000, 500).pipe(rx.map(() => rx.identity(boom())))
    }
    expect(failureOf(await runStrategy({ run }, { tapes }))).toBe('1000: boom')
  })

  it('sends nothing more, is shown nothing more, and what it began goes no further', async () => {
    const log: string[] = []
    const run = await runStrategy(
      {
        run: ({ trades, outcomes$, now }) => {
          trades(BTC).subscribe(({ price }) => log.push(`trade ${price.toFixed()}`))
          outcomes$.subscribe(() => log.push('outcome'))
          rx.interval(700).subscribe(() => log.push(`timer ${now()}`))
          return rx.concat(
            rx.of(buyLimit(BTC, 90, 1)),
            rx.timer(1_990).pipe(rx.map(() => buyLimit(BTC, 91, 1))),
            rx.timer(10).pipe(rx.map(boom)),
          )
        },
      },
      { tapes, settings: { responseLatencyMs: 30 } },
    )
    expect(failureOf(run)).toBe('2000: boom')
    expect(log).toEqual(['trade 100', 'outcome', 'timer 700', 'trade 101', 'timer 1400', 'trade 102'])
    expect(run.journal.at(-1)?.t).toBeLessThanOrEqual(2_030)
    expect(run.result.unsent).toBe(1)
  })

  it('is answered what had arrived, in the journal', async () => {
    const run = await runStrategy(
      {
        run: () => rx.merge(rx.of(buyMarket(BTC, 1)), rx.timer(60).pipe(rx.map(boom))),
      },
      { tapes, settings: { responseLatencyMs: 30 } },
    )
    expect(run.journal.slice(2).map(({ t, type }) => `${t} ${type}`)).toEqual([
      ...['0 place', '80 acknowledged', '80 order', '80 fill', '80 order', '80 balances', '80 end'],
    ])
  })
})

describe('what is no strategy', () => {
  it.each([undefined, null, 5, Promise.resolve()])('returns %s', async (value) => {
    await expect(runStrategy({ run: () => value as unknown as IntentStream }, { tapes })).rejects.toThrow(InputError)
  })

  it.each([null, 5, 'buy', {}, { type: 'none' }, [null]])('emits %j', async (value) => {
    const { result } = await runStrategy({ run: () => rx.of(value as unknown as Intent) }, { tapes })
    expect(result.failure).toBeInstanceOf(StrategyError)
  })

  it('emits it with others: those before it are sent, those behind it are not', async () => {
    const list = [buyMarket(BTC, 1), { type: 'none' }, buyMarket(BTC, 2)] as unknown as readonly Intent[]
    const run = await runStrategy({ run: () => rx.of(list) }, { tapes })
    expect(run.journal.filter(({ type }) => type === 'place')).toHaveLength(1)
    expect(run.result.failure?.message).toBe('expected an intent, such as buyMarket(symbol, qty), got {"type":"none"}')
  })
})

describe('a bug of ours', () => {
  it('is not the strategy’s, wherever it comes to light', async () => {
    const bug = (): never => {
      throw new InvariantError('a bug')
    }
    for (const run of [
      () => rx.timer(1_000).pipe(rx.map(bug)),
      () => (rx.timer(1_000).subscribe(bug), rx.NEVER),
      bug,
    ] satisfies TestStrategy['run'][]) {
      await expect(runStrategy({ run }, { tapes })).rejects.toThrow(InvariantError)
    }
  })
})

describe('an intent after an await', () => {
  const OUT_OF_TURN =
    'an intent was emitted outside an event, after an await or in a promise: ' +
    "emit it while the event is handled, or set `async: true` in the definition of 'test'"

  const afterAwait =
    (turns: number): TestStrategy['run'] =>
    ({ trades }) =>
      // The second trade is the order of the first.
      trades(BTC).pipe(
        rx.take(2),
        rx.mergeMap(async () => {
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
          return buyMarket(BTC, 1)
        }),
      )

  it('is refused with what to do', async () => {
    const { result } = await runStrategy({ run: afterAwait(1) }, { tapes })
    expect(result.failure?.message).toBe(OUT_OF_TURN)
  })

  it('is refused in run itself, and at the end of the tape', async () => {
    const inRun = await runStrategy({ run: () => rx.from(Promise.resolve(buyMarket(BTC, 1))) }, { tapes })
    expect(inRun.result.failure?.message).toBe(OUT_OF_TURN)
    const late = async (): Promise<Intent> => {
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
      return buyMarket(BTC, 1)
    }
    const atEnd = await runStrategy({ run: () => rx.timer(10_000).pipe(rx.mergeMap(late)) }, { tapes })
    expect(atEnd.result.failure?.message).toBe(OUT_OF_TURN)
  })

  it.each([1, 2, 10, 100])(
    'is sent under `async: true`, at the moment of its event, after %d of them',
    async (turns) => {
      const run = await runStrategy({ async: true, run: afterAwait(turns) }, { tapes })
      expect(run.result.failure).toBeUndefined()
      expect(run.journal.filter(({ type }) => type === 'place').map(({ t }) => t)).toEqual([0, 50])
    },
  )

  it('is sent under `async: true` in run itself', async () => {
    const run = await runStrategy({ async: true, run: () => rx.from(Promise.resolve(buyMarket(BTC, 1))) }, { tapes })
    expect(run.result.failure).toBeUndefined()
    expect(run.fills).toHaveLength(1)
  })

  it('gives the same journal as one without, when it only awaits what is there', async () => {
    const trade = ({ priceNumber }: MarketTrade): readonly Intent[] =>
      priceNumber % 2 === 0 ? [buyMarket(BTC, 1)] : []
    const sync = await runStrategy({ run: ({ trades }) => trades(BTC).pipe(rx.map(trade)) }, { tapes })
    const async = await runStrategy(
      { async: true, run: ({ trades }) => trades(BTC).pipe(rx.concatMap((each) => Promise.resolve(trade(each)))) },
      { tapes },
    )
    expect(async.lines).toEqual(sync.lines)
  })

  it('that waits for the outside is refused under `async: true`, with what that means', async () => {
    const outside = new rx.Subject<Intent>()
    const run = await runStrategy(
      { async: true, run: () => outside },
      { tapes, watcher: { onProgress: () => void Promise.resolve().then(() => outside.next(buyMarket(BTC, 1))) } },
    )
    expect(run.result.failure?.message).toMatch(/too late after its event/)
  })
})

describe('a strategy that never ends a moment', () => {
  it('because it answers its own answers is stopped', async () => {
    const { result } = await runStrategy(
      { run: ({ outcomes$ }) => rx.merge(rx.of(buyMarket(BTC, 0)), outcomes$.pipe(rx.map(() => buyMarket(BTC, 0)))) },
      { tapes, settings: { orderLatencyMs: 0, limits: null } },
    )
    expect(result.failure?.message).toBe(
      'more than 10000 orders and cancels at the same moment, as in an endless loop: does the strategy react to itself? if they are intended, raise --max-orders-at-once',
    )
  })

  it('because it is refused here, before anything leaves, is stopped', async () => {
    const { result } = await runStrategy(
      {
        run: ({ outcomes$ }) =>
          rx.merge(rx.of(buyMarket(BTC, '1.5')), outcomes$.pipe(rx.map(() => buyMarket(BTC, '1.5')))),
      },
      { tapes },
    )
    expect(result.failure?.message).toMatch(/as in an endless loop: does the strategy react to itself/)
  })

  it('because of its timers is stopped', async () => {
    const { result } = await runStrategy({ run: () => rx.timer(0).pipe(rx.repeat(), rx.ignoreElements()) }, { tapes })
    expect(result.failure?.message).toBe('more than 100000 timers were set at one moment: no time can pass')
  })

  it('may want a lot at one moment all the same', async () => {
    const many = Array.from({ length: 10_000 }, () => buyMarket(BTC, 0))
    const { result } = await runStrategy({ run: () => rx.of(many) }, { tapes, settings: { limits: null } })
    expect([result.failure, result.record.refusals.get('ORDER_REJECTED')]).toEqual([undefined, 10_000])
  })
})
