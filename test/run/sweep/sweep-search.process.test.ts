/**
 * Whole sweeps whose points are chosen by what came of those before. Threads run what is built: `npm test` builds
 * first.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as Run from '../../../src/run.ts'
import { backtest, sweep, type SweepOptions } from '../../../src/run.ts'
import { sweepPageIn } from '../../../src/run/sweep/sweep-page.ts'
import { SEARCH_NAMES } from '../../../src/sweep/point-search.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { candlesCsv, stepper, STEPPER_FILE } from './rig.ts'

const { folder, write } = temporaryFiles()
const tape = write(candlesCsv(400), 'candles.csv')
const file = write(STEPPER_FILE, 'stepper.ts')
const built = (await import(new URL('../../../bundle/run.js', import.meta.url).href)) as Pick<typeof Run, 'sweep'>

const TERMS = {
  strategy: stepper,
  tapes: { A_USD: tape },
  objective: 'return',
  statsPeriod: '1h',
  params: { every: '2..40', hold: '1..12' },
  search: 'tpe',
  trials: 40,
} as const

let places = 0
const place = (): string => join(folder, `out-${(places += 1)}`)
const NAMES = ['sweep.csv', 'sweep.json', 'report.html']
const filesIn = (out: string): readonly string[] => NAMES.map((name) => readFileSync(join(out, name), 'utf8'))
const linesIn = (out: string): readonly string[] =>
  readFileSync(join(out, 'points.jsonl'), 'utf8').split('\n').slice(0, -1)

const faultOf = async (options: Partial<SweepOptions> & Record<string, unknown>): Promise<string> =>
  await sweep({ ...TERMS, ...options }).then(
    () => 'no fault',
    (error: unknown) => (error as Error).message,
  )

describe.each(SEARCH_NAMES)('a sweep that searches by %s', (search) => {
  const terms = { ...TERMS, search } as const

  it('runs as many points as it may, each with what a backtest of it gives', async () => {
    const { points, report } = await sweep({ ...terms, where: 'hold < every' })
    expect(report).toMatchObject({ isComplete: true, points: 40, errors: 0, search, trials: 40, random: null })
    expect(new Set(points.map(({ key }) => key)).size).toBe(40)
    for (const { params, digest } of points.slice(-3)) {
      const values = { every: Number(params.every), hold: Number(params.hold) }
      const run = await backtest({ strategy: stepper, tapes: terms.tapes, params: values, bounds: false })
      expect(digest).toBe(run.digest)
    }
  })

  it('gives the same files whatever the number of threads, and after each abort', async () => {
    // The points before the search begins, and two batches of it.
    const some = { ...terms, strategy: file, trials: 26 }
    const written: (readonly string[])[] = []
    for (const workers of [1, 3]) {
      const out = place()
      await built.sweep({ ...some, workers, out })
      written.push(filesIn(out))
    }
    const out = place()
    for (const stop of [1, 19]) {
      const abort = new AbortController()
      const onProgress = ({ done }: { done: number }): void => {
        if (done >= stop) abort.abort()
      }
      const options = { ...some, out, signal: abort.signal, onProgress }
      await expect(built.sweep(options)).rejects.toThrow('aborted')
      expect(linesIn(out).length).toBeLessThan(26)
    }
    await built.sweep({ ...some, out })
    expect(linesIn(out)).toHaveLength(26)
    written.push(filesIn(out))
    expect(new Set(written.map((files) => JSON.stringify(files))).size).toBe(1)
  })

  it('goes on with more trials in the same directory, and runs none again', async () => {
    const [out, whole] = [place(), place()]
    await sweep({ ...terms, out })
    const known: number[] = []
    await sweep({ ...terms, trials: 60, out, onProgress: (progress) => known.push(progress.known) })
    expect(known.at(-1)).toBe(40)
    await sweep({ ...terms, trials: 60, out: whole })
    expect(filesIn(out)).toEqual(filesIn(whole))
  })

  it('is counted to its end where there are fewer combinations than trials', async () => {
    let last: object = {}
    const params = { every: '3..6', hold: '1,2' }
    const { report } = await sweep({ ...terms, params, where: 'hold < 2', onProgress: (progress) => (last = progress) })
    expect(report).toMatchObject({ points: 4, trials: 40 })
    expect(last).toMatchObject({ done: 4, points: 4 })
  })

  it('has a page that is made again of its directory as it was', async () => {
    const out = place()
    await sweep({ ...terms, out, where: 'every % 2 == 0', seed: 9 })
    expect(sweepPageIn(out)).toBe(readFileSync(join(out, 'report.html'), 'utf8'))
    expect(sweepPageIn(out)).not.toBe('')
  })

  it('searches again on each window and on each shuffled tape, and says that luck helps a search', async () => {
    const out = place()
    const options = { ...terms, trials: 20, walkForward: 'train=2h,test=1h', null: 2, out }
    const { report } = await sweep(options)
    const keys = new Set(
      linesIn(out)
        .map((line) => (JSON.parse(line) as { params: unknown }).params)
        .map(String),
    )
    expect(keys.size).toBeGreaterThan(0)
    expect(report.walkForward?.windows.length).toBeGreaterThan(1)
    expect(report.verdict?.text.join(' ')).toContain('The search picked points by earlier results')
    const again = await sweep({ ...options, out: undefined })
    expect(again.report).toEqual(report)
  })
})

describe('a search', () => {
  it('by cma leaves a text of which there is one as it is', async () => {
    const { report } = await sweep({
      ...TERMS,
      search: 'cma',
      params: { ...TERMS.params, symbol: 'A_USD' },
      trials: 12,
    })
    expect(report).toMatchObject({ points: 12, errors: 0 })
    expect(report.best?.params).toMatchObject({ symbol: 'A_USD' })
  })

  it.each`
    options                                                      | error
    ${{ search: 'grid' }}                                        | ${"search: expected tpe or cma, got 'grid'"}
    ${{ search: 5 }}                                             | ${'search: expected tpe or cma, got 5'}
    ${{ trials: undefined }}                                     | ${"trials: missing: the number of points that search: 'tpe' runs"}
    ${{ search: undefined }}                                     | ${'trials: needs search'}
    ${{ trials: 0 }}                                             | ${'trials: expected an integer from 1 to 10000, got 0'}
    ${{ trials: 10_001 }}                                        | ${'trials: expected an integer from 1 to 10000, got 10001'}
    ${{ trials: '5' }}                                           | ${"trials: expected an integer from 1 to 10000, got '5'"}
    ${{ random: 5 }}                                             | ${'random: cannot be combined with search; pass one of them'}
    ${{ objective: ['return', 'sharpe'] }}                       | ${'objective: search optimizes one objective, got 2'}
    ${{ where: 'every < 0' }}                                    | ${'where: excludes all of the'}
    ${{ search: 'cma', params: { every: '2..9', hold: 'a,b' } }} | ${"search: cma searches numbers only, and hold has other values; use search: 'tpe', or give hold one value"}
  `('refuses $options: $error', async ({ options, error }) => expect(await faultOf(options)).toContain(error))
})
