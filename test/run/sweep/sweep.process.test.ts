/**
 * Whole sweeps as a program asks for them. Threads run what is built: `npm test` builds first.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as Run from '../../../src/run.ts'
import { backtest, sweep, type SweepOptions, type SweepResult } from '../../../src/run.ts'
import { sweepPageIn } from '../../../src/run/sweep/sweep-page.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { candlesCsv, stepper, STEPPER_FILE } from './rig.ts'

/** As it ships. */
type Built = Pick<typeof Run, 'sweep'>

const { folder, write } = temporaryFiles()
const tape = write(candlesCsv(400), 'candles.csv')
const file = write(STEPPER_FILE, 'stepper.ts')
const built = (await import(new URL('../../../bundle/run.js', import.meta.url).href)) as Built

const TAPES = { A_USD: tape }
const GRID = { every: '3..12/3', hold: [1, 2, 5] } as const
const TERMS = { strategy: stepper, tapes: TAPES, params: GRID, objective: 'return' } as const

let places = 0
const place = (): string => join(folder, `out-${(places += 1)}`)

const filesIn = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['sweep.csv', 'sweep.json'].map((name) => [name, readFileSync(join(out, name), 'utf8')]))

const linesIn = (out: string): readonly string[] =>
  readFileSync(join(out, 'points.jsonl'), 'utf8').split('\n').slice(0, -1)

const faultOf = async (options: Partial<SweepOptions> & Record<string, unknown>): Promise<string> =>
  await sweep({ ...TERMS, ...options }).then(
    () => 'no fault',
    (error: unknown) => (error as Error).message,
  )

describe('a sweep', () => {
  it('has a point for every combination, each with what a backtest of it gives', async () => {
    const { points, report } = await sweep(TERMS)
    expect(points).toHaveLength(12)
    const good = points.filter(({ error }) => error === null)
    expect(good).toHaveLength(11)
    for (const { params, digest, statistics, finalEquity, orders } of good) {
      const values = { every: Number(params.every), hold: Number(params.hold) }
      const run = await backtest({ strategy: stepper, tapes: TAPES, params: values, bounds: false })
      expect({ digest, statistics, finalEquity, orders }).toEqual({
        digest: run.digest,
        statistics: run.report.statistics,
        finalEquity: run.finalEquity,
        orders: run.report.orders,
      })
      expect(orders).toBeGreaterThan(0)
    }
    expect(report).toMatchObject({ isComplete: true, points: 12, errors: 1, objective: ['return'] })
  })

  it('has the point that its schema refuses as an outcome with its error', async () => {
    const { points } = await sweep(TERMS)
    expect(points.filter(({ error }) => error !== null)).toEqual([
      {
        key: expect.any(String),
        params: { every: '3', hold: '5' },
        ...{ digest: null, statistics: null, initialEquity: null, finalEquity: null, orders: 0, periods: null },
        error: 'params.hold: expected hold to be smaller than every',
      },
    ])
  })

  it('ranks its points, and none without the objective', async () => {
    const { ranked, report } = await sweep(TERMS)
    const returns = ranked.map(({ statistics }) => statistics?.return ?? Number.NaN)
    expect(returns).toEqual(returns.toSorted((a, b) => b - a))
    expect(report.best).toMatchObject({
      key: ranked[0]?.key,
      digest: ranked[0]?.digest,
      objectives: { return: returns[0] },
    })
    expect((await sweep({ ...TERMS, objective: 'cagr' })).report.best).toBeNull()
  })

  it('gives the equity at the boundaries of its periods, on which its returns rest', async () => {
    const { points } = await sweep({ ...TERMS, statsPeriod: '1h', where: 'hold < every' })
    for (const { periods, statistics, initialEquity, finalEquity } of points) {
      const equity = (periods ?? []).map(Number)
      expect([periods?.[0], periods?.at(-1)]).toEqual([initialEquity, finalEquity])
      const returns = equity.slice(1).map((value, index) => value / (equity[index] ?? 1) - 1)
      expect(Math.max(...returns)).toBeCloseTo(statistics?.bestReturn ?? Number.NaN, 10)
      expect(Math.min(...returns)).toBeCloseTo(statistics?.worstReturn ?? Number.NaN, 10)
    }
  })

  it.each`
    options                                 | error
    ${{ params: { evry: '3' } }}            | ${"params.evry: strategy 'stepper' has no such parameter; did you mean 'every'?"}
    ${{ params: { every: [] } }}            | ${'params.every: expected at least one value'}
    ${{ params: [3] }}                      | ${'params: expected values by parameter'}
    ${{ params: { every: [{}] } }}          | ${'params.every: expected strings, numbers, true or false'}
    ${{ fixed: { every: 3 } }}              | ${'fixed.every: is also swept'}
    ${{ where: 'evry < 3' }}                | ${"where: column 1: the sweep has no parameter 'evry'"}
    ${{ where: 'every < 0' }}               | ${'where: excludes all of the 12 combinations'}
    ${{ objective: 'sharp' }}               | ${"objective: no statistic 'sharp'; did you mean 'sharpe'?"}
    ${{ objective: ['return', '-return'] }} | ${"objective: 'return' is given twice"}
    ${{ objective: [] }}                    | ${'objective: expected at least one statistic'}
    ${{ workers: 0 }}                       | ${'workers: '}
    ${{ random: 0 }}                        | ${'random: '}
    ${{ turnLimit: 'never' }}               | ${'turnLimit: '}
    ${{ bounds: true, symbol: 'x' }}        | ${'symbol: no such option'}
    ${{ credits: { EUR: '5' } }}            | ${'credits'}
    ${{ from: '2030-01-01' }}               | ${'from: nothing was recorded in that time'}
  `('refuses $options: $error', async ({ options, error }) => expect(await faultOf(options)).toContain(error))
})

describe('threads', () => {
  const options = { ...TERMS, strategy: file } as const

  it('give the same points and files, however many there are, and what this thread gives', async () => {
    const results: SweepResult[] = []
    const written: Readonly<Record<string, string>>[] = []
    for (const workers of [1, 3]) {
      const out = place()
      results.push(await built.sweep({ ...options, workers, out }))
      written.push(filesIn(out))
    }
    const own = await sweep(TERMS)
    for (const { points } of results) {
      expect(points.map(({ digest, statistics }) => ({ digest, statistics }))).toEqual(
        own.points.map(({ digest, statistics }) => ({ digest, statistics })),
      )
    }
    expect(new Set(written.map((files) => JSON.stringify(files))).size).toBe(1)
  })

  it('replace the one that a point has ended, and go on', async () => {
    const ends = write(
      STEPPER_FILE.replace(
        'const index = remembered++',
        `const index = remembered++
        if (every === 4) for (;;) {}
        if (every === 5) process.reallyExit(0)
        if (every === 6) throw new Error('mine')
        if (every === 7) { const heap = []; for (let n = 0; ; n++) heap.push({ n, text: String(n).repeat(50) }) }`,
      ),
      'ends.ts',
    )
    const { points } = await built.sweep({
      ...{ strategy: ends, tapes: TAPES, params: { every: '3..9', hold: '1' }, objective: 'return' },
      workers: 2,
      turnLimit: 3,
    })
    expect(points.map(({ error }) => error ?? 'fine')).toEqual([
      'fine',
      expect.stringMatching(
        /^handling the event at 2023-11-14T22:1\d:\d\d\.\d+Z did not end within 3 s( \(ends\.ts:\d+\))?$/,
      ),
      expect.stringContaining('process.reallyExit() is not available in a strategy'),
      expect.stringMatching(/^mine \(ends\.ts:\d+:\d+\)$/),
      expect.stringMatching(/^(out of memory at|handling the event at .* did not end within)/),
      'fine',
      'fine',
    ])
  })

  it('run a point again that the machine has ended, when the same sweep goes on', async () => {
    const halt = write('', 'halt')
    const halted = write(
      STEPPER_FILE.replace(
        'const index = remembered++',
        `const index = remembered++
        if (every === 4 && existsSync('${halt}')) for (;;) {}`,
      ).replace('import ', "import { existsSync } from 'node:fs'\nimport "),
      'halted.ts',
    )
    const sweptTo = (out: string): Promise<SweepResult> =>
      built.sweep({
        ...{ strategy: halted, tapes: TAPES, params: { every: '3..5', hold: '1' }, objective: 'return' },
        workers: 1,
        turnLimit: 2,
        out,
      })
    const out = place()
    const { points } = await sweptTo(out)
    expect(points.map(({ error, isOfMachine }) => [error !== null, isOfMachine])).toEqual([
      [false, undefined],
      [true, true],
      [false, undefined],
    ])
    rmSync(halt)
    const again = await sweptTo(out)
    expect(again.points.map(({ error }) => error)).toEqual([null, null, null])
    expect(linesIn(out)).toHaveLength(4)
    const whole = place()
    await sweptTo(whole)
    expect(filesIn(out)).toEqual(filesIn(whole))
    expect(sweepPageIn(out)).toBe(readFileSync(join(whole, 'report.html'), 'utf8'))
  })

  it('end with an error of the strategy that no point could do without', async () => {
    const broken = write('export default 5', 'broken.ts')
    await expect(built.sweep({ ...options, strategy: broken })).rejects.toThrow(
      `${broken}: its default export is a number`,
    )
    const endless = write('for (;;) {}', 'endless.ts')
    await expect(built.sweep({ ...options, strategy: endless, turnLimit: 1 })).rejects.toThrow(
      'loading did not end within 1 s',
    )
  })

  it('end with their signal, and the same sweep goes on', async () => {
    const [out, whole] = [place(), place()]
    const abort = new AbortController()
    const onProgress = ({ done }: { done: number }): void => {
      if (done === 4) abort.abort()
    }
    await expect(built.sweep({ ...options, out, signal: abort.signal, onProgress })).rejects.toThrow('aborted')
    const before = linesIn(out).length
    expect(before).toBeGreaterThanOrEqual(4)
    expect(before).toBeLessThan(12)
    expect(JSON.parse(readFileSync(join(out, 'sweep.json'), 'utf8'))).toMatchObject({ isComplete: false })
    let known = 0
    await built.sweep({ ...options, out, onProgress: (progress) => (known = progress.known) })
    expect(known).toBe(before)
    await built.sweep({ ...options, out: whole })
    expect(filesIn(out)).toEqual(filesIn(whole))
  })
})

describe('the files of a sweep', () => {
  const options = { ...TERMS, params: { every: [3, 4], hold: [1, 2] } } as const

  it('are the same after a cut at any line of points.jsonl', async () => {
    const out = place()
    await sweep({ ...options, out })
    const whole = filesIn(out)
    const points = readFileSync(join(out, 'points.jsonl'))
    const ends = [0, ...[...points.keys()].filter((at) => points[at] === 10).map((at) => at + 1)]
    for (const end of ends) {
      for (const cut of [end - 1, end, end + 1].filter((at) => at >= 0 && at <= points.length)) {
        writeFileSync(join(out, 'points.jsonl'), points.subarray(0, cut))
        const known: number[] = []
        await sweep({ ...options, out, onProgress: (progress) => known.push(progress.known) })
        expect(known[0]).toBe(ends.filter((at) => at > 0 && at <= cut).length)
        expect(filesIn(out)).toEqual(whole)
        expect(linesIn(out).toSorted()).toEqual(points.toString().split('\n').slice(0, -1).toSorted())
      }
    }
    expect(readdirSync(out).sort()).toEqual(['points.jsonl', 'report.html', 'sweep.csv', 'sweep.json'])
  })

  it('take a point of a smaller grid over into a larger one', async () => {
    const out = place()
    await sweep({ ...options, out })
    const known: number[] = []
    const larger = { ...options, params: { every: [3, 4, 5], hold: [1, 2] }, out }
    const { points } = await sweep({ ...larger, onProgress: (progress) => known.push(progress.known) })
    expect([known[0], points.length]).toEqual([4, 6])
  })

  it.each`
    other                                             | error
    ${{ seed: 2 }}                                    | ${'a sweep of another seed (1, now 2)'}
    ${{ fixed: { qty: '2' } }}                        | ${'a sweep of another params ({}, now {"qty":"2"})'}
    ${{ credits: { USD: '5' } }}                      | ${'a sweep of another credit'}
    ${{ fees: { takerBps: '5' } }}                    | ${'a sweep of another takerFeeBps ("0", now "5")'}
    ${{ strategy: 'sma-cross', params: { fast: 3 } }} | ${'a sweep of another strategy'}
  `('are not those of another sweep: $error', async ({ other, error }) => {
    const out = place()
    await sweep({ ...options, out })
    const before = filesIn(out)
    const run = 'strategy' in other ? built.sweep : sweep
    await expect(run({ ...options, ...other, out })).rejects.toThrow(error)
    expect(filesIn(out)).toEqual(before)
    await run({ ...options, ...other, out, force: true })
    expect(filesIn(out)).not.toEqual(before)
  })

  it('are not those of another source or tape', async () => {
    const out = place()
    const [source, market] = [write(STEPPER_FILE, 'mine.ts'), write(candlesCsv(100), 'mine.csv')]
    const mine = { ...options, strategy: source, tapes: { A_USD: market }, out } as const
    await built.sweep(mine)
    writeFileSync(source, `${STEPPER_FILE}\n// changed`)
    await expect(built.sweep(mine)).rejects.toThrow("another source of strategy 'stepper'")
    writeFileSync(source, STEPPER_FILE)
    writeFileSync(market, candlesCsv(101))
    await expect(built.sweep(mine)).rejects.toThrow('another tape of A_USD')
  })

  it('are refused where something else is', async () => {
    const out = place()
    mkdirSync(out)
    writeFileSync(join(out, 'notes.txt'), 'mine')
    expect(await faultOf({ ...options, out })).toContain(`out: '${out}' contains 'notes.txt' and no sweep`)
    const other = place()
    await sweep({ ...options, out: other })
    writeFileSync(join(other, 'points.jsonl'), `${linesIn(other).join('\n')}\nnonsense\n`)
    expect(await faultOf({ ...options, out: other })).toContain('points.jsonl:5: is not a point of a sweep')
    writeFileSync(join(other, 'points.jsonl'), `${linesIn(other)[0]?.replace('"every":"3"', '"every":"7"')}\n`)
    expect(await faultOf({ ...options, out: other })).toContain('points.jsonl:1: is not a point of this sweep')
    writeFileSync(join(other, 'sweep.json'), '{}')
    expect(await faultOf({ ...options, out: other })).toContain('is not from a sweep')
  })

  it('are not written over where it cannot be read what is there', async () => {
    const out = place()
    const report = join(out, 'sweep.json')
    mkdirSync(report, { recursive: true })
    const fault = await sweep({ ...options, out }).catch((error: unknown) => error)
    expect(fault).toMatchObject({ message: expect.stringContaining(`out: '${report}' cannot be read (EISDIR`) })
    expect(fault).toMatchObject({ cause: { code: 'EISDIR' } })
    expect(await faultOf({ ...options, out, force: true })).toContain(`out: cannot write to '${out}'`)
  })

  it('are for one sweep at a time', async () => {
    const out = place()
    let fault = ''
    await sweep({
      ...options,
      out,
      onProgress: ({ done }) => {
        if (done !== 1) return
        void faultOf({ ...options, out }).then((text) => (fault = text))
      },
    })
    await expect.poll(() => fault).toMatch(/another sweep is writing to|no fault/)
  })
})
