/**
 * Whole backtests as a program asks for them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ignoreElements, map, take, tap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest, verify, type BacktestOptions, type BacktestProgress } from '../../src/run.ts'
import { IdealLiquidity } from '../../src/simulation/liquidity/ideal.ts'
import { buyLimit, buyMarket, sellMarket } from '../../src/strategy/orders.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000

/** Trades a second apart, their price up and down by 0.01 around 100. */
const tapeOf = (rows: number): string =>
  [
    'time,price,qty',
    ...Array.from({ length: rows }, (_, row) => `${START + row * 1000},${100 + (row % 3) / 100},1.25`),
  ].join('\n')

const tape = write(`${tapeOf(120)}\n`, 'tape.csv')

const trader = defineStrategy({
  name: 'trader',
  params: z.object({ symbol: z.string(), qty: z.string().default('0.5') }),
  run: ({ params: { symbol, qty }, trades }) =>
    trades(symbol).pipe(
      take(3),
      map((_, index) => (index === 0 ? buyMarket(symbol, qty, { tag: 'in' }) : sellMarket(symbol, '0.25'))),
    ),
})

const TERMS = { strategy: trader, tapes: { A_USD: tape }, liquidity: 'ideal' } as const

/** Message of the error that a backtest rejects with. */
const faultOf = async (options: unknown): Promise<string> =>
  await backtest(options as BacktestOptions).then(
    () => 'none',
    (error: unknown) => String(error),
  )

describe('a result', () => {
  it('has the report, with orders, fills and equity in exact decimals', async () => {
    const run = await backtest({ ...TERMS, credits: { USD: '1000' }, fees: { takerBps: '10' } })
    expect(run.report).toMatchObject({ orders: 3, fills: 3, quoteAsset: 'USD', failure: null, audit: { ok: true } })
    expect(run.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect([run.digest, run.statistics]).toEqual([run.report.digest, run.report.statistics])
    expect(run.orders[0]).toMatchObject({ side: 'BUY', status: 'FILLED', qty: '0.5', tag: 'in', symbol: 'A_USD' })
    expect(run.fills.map(({ qty, isMaker }) => [qty, isMaker])).toEqual([
      ['0.5', false],
      ['0.25', false],
      ['0.25', false],
    ])
    const fees = run.fills.map(({ fee }) => Number(fee)).reduce((sum, fee) => sum + fee, 0)
    expect(fees).toBeCloseTo(Number(run.statistics.fees.USD), 12)
    expect(run.equity.at(-1)?.equity).toBe(run.finalEquity)
    expect(structuredClone(run)).toEqual(run)
  })

  it('is the same for a strategy as it is, in a file, and again', async () => {
    const source = `import { defineStrategy, buyMarket, sellMarket } from 'papertape'
      import { map, take } from 'rxjs'
      import { z } from 'zod'
      export default defineStrategy({ name: 'trader', params: z.object({ symbol: z.string(), qty: z.string().default('0.5') }),
        run: ({ params: { symbol, qty }, trades }) => trades(symbol).pipe(take(3),
          map((_, index) => (index === 0 ? buyMarket(symbol, qty, { tag: 'in' }) : sellMarket(symbol, '0.25')))) })`
    const file = write(source, 'trader.ts')
    const [first, again, fromFile] = [
      await backtest(TERMS),
      await backtest(TERMS),
      await backtest({ ...TERMS, strategy: file }),
    ]
    expect([again.digest, fromFile.digest]).toEqual([first.digest, first.digest])
    expect(fromFile.strategy).toMatchObject({ path: file, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(first.strategy).toEqual({
      name: 'trader',
      file: 'trader',
      path: null,
      sha256: null,
      imports: [],
      packages: [],
    })
  })

  it('of a ready strategy needs but its name', async () => {
    const { strategy, params } = await backtest({
      ...TERMS,
      strategy: 'sma-cross',
      params: { interval: '1s', fast: 2, slow: 3 },
    })
    expect([strategy.name, params.symbol]).toEqual(['sma-cross', 'A_USD'])
  })

  it('reports that the strategy failed, and when', async () => {
    const failing = defineStrategy({
      name: 'failing',
      params: z.object({}),
      run: ({ trades }) =>
        trades('A_USD').pipe(
          tap(({ createdAt }) => {
            if (createdAt > START) throw new Error('enough')
          }),
          ignoreElements(),
        ),
    })
    const { failure, equity, statistics } = await backtest({ ...TERMS, strategy: failing })
    expect(failure).toEqual({ message: 'enough', time: START + 1000, place: null })
    // Nothing of what was recorded later is in the result.
    expect(equity.map(({ time }) => time)).toEqual([START, START + 1000])
    expect(statistics.periods).toBe(1)
  })

  it('can leave out its rows, and runs under a model of the program', async () => {
    const given = await backtest({ ...TERMS, liquidity: { model: () => new IdealLiquidity() }, keepRows: false })
    expect([given.orders, given.fills, given.report.fills]).toEqual([[], [], 3])
    expect(given.config).toMatchObject({ liquidity: '(given)', liquiditySha256: null })
  })

  it('is that of every tape, in the order in which they were named', async () => {
    const other = write(`${tapeOf(60)}\n`, 'other.csv')
    const second = write(`${tapeOf(61)}\n`, 'second.csv')
    const tapes = { B_USD: [{ file: other, qtyPrecision: 2 }], A_USD: [tape, second] }
    const { tapes: read } = await backtest({ ...TERMS, strategy: { ...trader }, params: { symbol: 'A_USD' }, tapes })
    expect(read.map(({ symbol, rows, qtyPrecision }) => [symbol, rows, qtyPrecision])).toEqual([
      ['B_USD', 60, 2],
      ['A_USD', 120, 2],
      ['A_USD', 61, 2],
    ])
  })
})

it('runs of one thread go one after another, whoever asks first', async () => {
  const alone = await backtest(TERMS)
  const together = await Promise.all([
    backtest(TERMS),
    backtest({ ...TERMS, params: { qty: '0.75' } }),
    backtest(TERMS),
  ])
  expect([together[0].digest, together[2].digest]).toEqual([alone.digest, alone.digest])
  expect(together[1].digest).not.toBe(alone.digest)
})

it('a run that was aborted or failed stands in the way of no other', async () => {
  const signal = AbortSignal.abort()
  const [aborted, next] = await Promise.allSettled([backtest({ ...TERMS, signal }), backtest(TERMS)])
  expect([aborted.status, next.status]).toEqual(['rejected', 'fulfilled'])
})

describe('the files of a run', () => {
  it('are where `out` says, and verify', async () => {
    const out = join(folder, 'made', 'run')
    const source = `export default { name: 'idle', params: z.object({}), run: ({ trades }) => trades('A_USD').pipe(ignoreElements()) }`
    const file = write(`import { z } from 'zod'\nimport { ignoreElements } from 'rxjs'\n${source}`, 'idle.ts')
    const run = await backtest({ ...TERMS, strategy: file, out })
    expect(readdirSync(out).sort()).toEqual([
      'candles.csv',
      'equity.csv',
      'fills.csv',
      'journal.jsonl',
      'orders.csv',
      'periods.csv',
      'run.json',
      'trades.csv',
    ])
    const { filesDigest, files, ...report } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
    expect(report).toEqual(run.report)
    expect([filesDigest, files['journal.jsonl']]).toEqual([expect.stringMatching(/^sha256:/), run.digest.slice(7)])
    expect(await verify(out)).toEqual({
      digest: run.digest,
      difference: undefined,
      otherFiles: [],
      strangers: [],
      ranBy: run.version,
    })
  })

  it.each`
    options                                                             | what
    ${{}}                                                               | ${'strategy'}
    ${{ strategy: 'sma-cross', liquidity: () => new IdealLiquidity() }} | ${'liquidity model'}
  `('of a $what that a program gave can be run again by that program alone', async ({ options, what }) => {
    const out = join(folder, `given-${what}`)
    await backtest({ ...TERMS, ...options, out })
    await expect(verify(out)).rejects.toThrow(
      `${out}/run.json: its ${what} came from a program, and only that program can run it again`,
    )
  })
})

describe('a signal', () => {
  const long = write(`${tapeOf(60_000)}\n`, 'long.csv')

  /** Aborts when `isReached` says so, and reports what was left behind. */
  async function abortedRun(isReached: (progress: BacktestProgress) => boolean, reason?: unknown): Promise<unknown> {
    const controller = new AbortController()
    const out = join(folder, 'aborted', 'run')
    const onProgress = (progress: BacktestProgress): void => {
      if (isReached(progress)) controller.abort(reason)
    }
    const resting = defineStrategy({
      name: 'resting',
      params: z.object({ symbol: z.string() }),
      run: ({ params: { symbol }, trades }) =>
        trades(symbol).pipe(
          take(1),
          map(() => buyLimit(symbol, '100', '1')),
        ),
    })
    const run = backtest({
      ...TERMS,
      strategy: resting,
      tapes: { A_USD: long },
      out,
      signal: controller.signal,
      onProgress,
    })
    const error: unknown = await run.catch((thrown: unknown) => thrown)
    expect(existsSync(join(folder, 'aborted'))).toBe(false)
    return error
  }

  it('that is aborted already rejects before anything is read', async () => {
    const missing = { ...TERMS, tapes: { A_USD: 'not-there.csv' }, signal: AbortSignal.abort() }
    await expect(backtest(missing)).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' })
  })

  it('that is aborted in the middle rejects with an AbortError, its reason as the cause, and leaves nothing behind', async () => {
    const error = await abortedRun(({ rows }) => rows > 0, 'no time')
    expect(error).toMatchObject({ name: 'AbortError', cause: 'no time' })
  })

  it('that is aborted at the end of the first run rejects before the bounds are run', async () => {
    expect(await abortedRun(({ rows }) => rows === 60_000)).toMatchObject({ name: 'AbortError' })
  })

  it('is heard while a tape in memory is played, which never waits for a disk', async () => {
    const controller = new AbortController()
    const seen: number[] = []
    const run = backtest({
      ...TERMS,
      tapes: { A_USD: long },
      signal: controller.signal,
      onProgress: ({ rows }) => void seen.push(rows),
      onLog: () => undefined,
    })
    /* eslint-disable papertape/no-clock -- an abort comes by the event loop */
    setImmediate(function abortSoon() {
      if (seen.length === 0) setImmediate(abortSoon)
      else controller.abort()
    })
    /* eslint-enable papertape/no-clock */
    await expect(run).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen.at(-1)).toBeLessThan(60_000)
  })

  it('that is never aborted changes nothing', async () => {
    const { signal } = new AbortController()
    expect((await backtest({ ...TERMS, signal })).digest).toBe((await backtest(TERMS)).digest)
  })

  it('leaves a directory that was there before', async () => {
    const out = join(folder, 'kept')
    mkdirSync(out)
    writeFileSync(join(out, 'mine.txt'), 'mine')
    const controller = new AbortController()
    const onProgress = (): void => {
      controller.abort()
    }
    await expect(
      backtest({ ...TERMS, tapes: { A_USD: long }, out, signal: controller.signal, onProgress }),
    ).rejects.toThrow()
    expect(readdirSync(out)).toEqual(['mine.txt'])
  })
})

describe('an option that is not as it should be is named', () => {
  it.each`
    options                                                                  | fault
    ${undefined}                                                             | ${'options: expected an object, got undefined'}
    ${{ ...TERMS, tape: 'x' }}                                               | ${"tape: no such option; did you mean 'tapes'?"}
    ${{ tapes: TERMS.tapes }}                                                | ${'strategy: expected a strategy'}
    ${{ ...TERMS, risk: { atLimit: 'flatten' } }}                            | ${"risk.atLimit: 'flatten' needs a limit at which it sells: risk.dayLoss or risk.drawdownPercent"}
    ${{ ...TERMS, strategy: null }}                                          | ${'strategy: expected a strategy'}
    ${{ ...TERMS, strategy: { name: 'x' } }}                                 | ${"the strategy: strategy 'x' has no function run"}
    ${{ ...TERMS, strategy: 'no-such' }}                                     | ${'no-such: no such file, and no ready strategy has this name; ready strategies: '}
    ${{ ...TERMS, params: { qt: '1' } }}                                     | ${"params.qt: strategy 'trader' has no such parameter; did you mean 'qty'?"}
    ${{ ...TERMS, params: { symbol: 'B_USD' } }}                             | ${"params.symbol: no tape has the symbol 'B_USD'; there is A_USD"}
    ${{ ...TERMS, tapes: undefined }}                                        | ${'tapes: expected an object, got undefined'}
    ${{ ...TERMS, tapes: {} }}                                               | ${'tapes: expected at least one tape'}
    ${{ ...TERMS, tapes: { A_USD: 7 } }}                                     | ${'tapes.A_USD: expected an object, got number'}
    ${{ ...TERMS, tapes: { A_USD: { columns: 'x' } } }}                      | ${'tapes.A_USD.file: expected the path of a file'}
    ${{ ...TERMS, tapes: { A_USD: { file: tape, colums: 'x' } } }}           | ${"tapes.A_USD.colums: no such option; did you mean 'columns'?"}
    ${{ ...TERMS, tapes: { A_USD: { file: tape, symbol: 'B_USD' } } }}       | ${"tapes.A_USD.symbol: expected 'A_USD', as the tape is called"}
    ${{ ...TERMS, tapes: { A_USD: { file: tape, qtyPrecision: 13 } } }}      | ${'tapes.A_USD.qtyPrecision: Too big'}
    ${{ ...TERMS, tapes: { AUSD: tape } }}                                   | ${'tapes: expected a symbol of the form BASE_QUOTE'}
    ${{ ...TERMS, tapes: { A_USD: 'none.csv' } }}                            | ${'none.csv: no such file'}
    ${{ ...TERMS, tapes: { A_USD: { file: tape, columns: 'time,price' } } }} | ${'columns: expected qty among the fields'}
    ${{ ...TERMS, credits: { USD: 5 } }}                                     | ${'credits.USD: expected a string, got number'}
    ${{ ...TERMS, credits: { EUR: '5' } }}                                   | ${"credits: no market has the asset 'EUR'"}
    ${{ ...TERMS, fees: { makerBps: '-1' } }}                                | ${'fees.makerBps: expected basis points from 0 to 10000'}
    ${{ ...TERMS, fees: { takerBps: 5 } }}                                   | ${'fees.takerBps: Invalid input: expected string'}
    ${{ ...TERMS, fees: { taker: '5' } }}                                    | ${"fees.taker: no such option; did you mean 'takerBps'?"}
    ${{ ...TERMS, latency: { orderMs: 1.5 } }}                               | ${'latency.orderMs: Invalid input: expected int'}
    ${{ ...TERMS, latency: 5 }}                                              | ${'latency: expected an object, got number'}
    ${{ ...TERMS, liquidity: 'tuoch' }}                                      | ${"liquidity: no liquidity model 'tuoch'; did you mean touch?"}
    ${{ ...TERMS, liquidity: { queueSize: -1 } }}                            | ${'liquidity.queueSize: Too small'}
    ${{ ...TERMS, liquidity: { depth: 1 } }}                                 | ${'liquidity.depth: no such option'}
    ${{ ...TERMS, liquidity: { levelSize: 2, depthClips: 2 } }}              | ${'liquidity.depthClips: is the former name of levelSize, which is given too: remove it'}
    ${{ ...TERMS, printFilter: 'off', believe: 'all' }}                      | ${'believe: is the former name of printFilter, which is given too: remove it'}
    ${{ ...TERMS, limits: { general: 1, mutations: 1 } }}                    | ${'limits'}
    ${{ ...TERMS, from: 'yesterday' }}                                       | ${'from: expected a date'}
    ${{ ...TERMS, from: '2024-01-02', to: '2024-01-01' }}                    | ${'to: expected a time after from, 2024-01-02'}
    ${{ ...TERMS, seed: 0.5 }}                                               | ${'seed: Invalid input: expected int'}
    ${{ ...TERMS, out: tape }}                                               | ${`out: '${tape}' is not a directory`}
  `('$fault', async ({ options, fault }) => expect(await faultOf(options)).toContain(`InputError: ${fault}`))
})
