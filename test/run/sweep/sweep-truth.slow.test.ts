/**
 * What the best of a sweep is worth, over the real engine: chance is called chance, an edge is found, and no choice
 * knows the future.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backtest, sweep, type SweepOptions, type SweepResult, type TapeOptions } from '../../../src/run.ts'
import { runs } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { coins, csvOf, MINUTE_MS, movesOf, hidden, phases, START } from './truth-rig.ts'

const { folder, write } = temporaryFiles()

let files = 0
const tapeOf = (moves: readonly number[]): { readonly A_USD: TapeOptions } => ({
  // What the text of a price shows of its precision would be knowledge of the future.
  A_USD: { file: write(csvOf(moves), `tape-${(files += 1)}.csv`), pricePrecision: 2 },
})
const place = (): string => join(folder, `out-${(files += 1)}`)

const TERMS = { strategy: phases, params: { phase: '0..9' }, statsPeriod: '1m' } as const
const planted = tapeOf(movesOf(400, 5, 8))

const faultOf = async (options: Partial<SweepOptions> & Record<string, unknown>): Promise<string> =>
  await sweep({ ...TERMS, tapes: planted, ...options }).then(
    () => 'no fault',
    (error: unknown) => (error as Error).message,
  )

describe('the verdict', () => {
  it('finds an edge that is there, and says so', async () => {
    const tapes = tapeOf(movesOf(600, 5, 8))
    const terms = { strategy: hidden, params: { variant: '0..9' }, statsPeriod: '1m' } as const
    const { report } = await sweep({ ...terms, tapes, null: 19 })
    expect(report.best?.params).toEqual({ variant: '3' })
    const { verdict } = report
    expect(verdict).toMatchObject({ finding: 'likely real', trials: 10, trialsFrom: 'sweep', nullTapes: 19 })
    expect(verdict?.deflatedSharpe).toBeGreaterThan(0.95)
    expect(verdict?.pbo).toBeLessThan(0.1)
    expect(verdict?.pValue).toBe(1 / 20)
    expect(verdict?.text[0]).toBe('The best result is better than luck explains.')
    expect(verdict?.text[1]).toMatch(
      /^The best has a Sharpe ratio of [\d.]+\. In 10 trials, luck alone would reach [\d.]+\.$/,
    )
  })

  it('is as weak as the weakest test: in a rising market shuffled tapes do as well', async () => {
    const tapes = tapeOf(movesOf(400, 5, 0).map((move) => move + 8))
    const terms = { strategy: coins, params: { variant: '0..3' }, statsPeriod: '1m', tapes } as const
    const { verdict } = (await sweep({ ...terms, null: 19 })).report
    expect(verdict?.deflatedSharpe).toBeGreaterThan(0.95)
    expect(verdict?.pbo).toBeLessThan(0.5)
    expect(verdict?.pValue).toBeGreaterThan(0.05)
    expect(verdict?.finding).toBe('not shown')
    expect(verdict?.text[0]).toMatch(
      /^The best result may be luck: the p-value is [\d.]+ %, and at most 5\.0 % is required\.$/,
    )
  })

  it('is unknown if too few tapes were shuffled, and weak if the edge does not last', async () => {
    const found = { strategy: hidden, params: { variant: '0..9' }, statsPeriod: '1m' } as const
    const few = (await sweep({ ...found, tapes: tapeOf(movesOf(600, 5, 8)), null: 3 })).report.verdict
    expect(few).toMatchObject({ finding: 'unknown', pValue: 1 / 4 })
    expect(few?.text[0]).toMatch(/: the p-value needs at least 19 shuffled tapes \(--null 19\)\.$/)
    const ends = tapeOf([...movesOf(300, 5, 14), ...movesOf(300, 6, 0)])
    const faded = (await sweep({ ...found, tapes: ends, walkForward: 'train=5h,test=1h' })).report
    expect(faded.verdict?.deflatedSharpe).toBeGreaterThan(0.95)
    expect(faded.walkForward?.efficiency).toBeLessThan(0.5)
    expect(faded.verdict).toMatchObject({ finding: 'not shown' })
    expect(faded.verdict?.text[0]).toMatch(/^The best result may be luck: walk-forward (kept|returned) /)
  })

  it('calls chance chance', async () => {
    const found: SweepResult['report']['verdict'][] = []
    for (let seed = 0; seed < 12; seed += 1) {
      const terms = { strategy: coins, params: { variant: '0..15' }, statsPeriod: '1m' } as const
      found.push((await sweep({ ...terms, tapes: tapeOf(movesOf(160, 100 + seed, 0)) })).report.verdict)
    }
    const pbos = found.map((verdict) => verdict?.pbo ?? Number.NaN)
    const middle = pbos.reduce((all, pbo) => all + pbo, 0) / pbos.length
    expect(middle).toBeGreaterThan(0.3)
    expect(middle).toBeLessThan(0.7)
    expect(found.filter((verdict) => (verdict?.deflatedSharpe ?? 1) >= 0.95).length).toBeLessThanOrEqual(1)
    expect(found.filter((verdict) => verdict?.finding === 'likely real').length).toBeLessThanOrEqual(1)
  })

  it('reports what is unknown', async () => {
    const short = tapeOf(movesOf(3, 1, 0))
    const { report } = await sweep({ ...TERMS, tapes: short, objective: 'return', params: { phase: '1' } })
    expect(report.verdict).toMatchObject({ finding: 'unknown', deflatedSharpe: null, pbo: null, trials: 1 })
    expect(report.verdict?.text).toEqual(
      expect.arrayContaining([
        'There is too little data to tell whether the best result is more than luck.',
        expect.stringMatching(/It is the only trial/),
        expect.stringMatching(/^The probability of overfitting is unknown: /),
        expect.stringMatching(/^Too few neighbours of the best have a result/),
      ]),
    )
    const none = await sweep({ ...TERMS, tapes: short, params: { phase: '11' } })
    expect(none.report).toMatchObject({ best: null, verdict: null, errors: 1 })
  })

  it('counts every trial of the strategy on the tape that the ledger knows, each once', async () => {
    const db = { file: join(folder, 'ledger.db'), now: () => 1 }
    const trialsOf = async (options: Partial<SweepOptions>): Promise<number | undefined> =>
      (await sweep({ ...TERMS, tapes: planted, db, ...options })).report.verdict?.trials
    expect(await trialsOf({ params: { phase: '0..3' } })).toBe(4)
    expect(await trialsOf({ params: { phase: '2..5' } })).toBe(6)
    await backtest({ strategy: phases, tapes: planted, params: { phase: 3 }, statsPeriod: '1m', bounds: false, db })
    expect(await trialsOf({ params: { phase: '2..5' } })).toBe(6)
    await backtest({ strategy: phases, tapes: planted, params: { phase: 9 }, statsPeriod: '1m', bounds: false, db })
    expect(await trialsOf({ params: { phase: '2..5' } })).toBe(7)
    const alone = await sweep({ ...TERMS, tapes: planted, db: { ...db, isCounted: false }, params: { phase: '6,7' } })
    expect(alone.report.verdict).toMatchObject({ trials: 2, trialsFrom: 'left out' })
    expect(alone.report.verdict?.text.join(' ')).toContain('because it is not counted in the database')
    expect(await trialsOf({ params: { phase: '2..5' } })).toBe(7)
  })
})

describe('a walk-forward', () => {
  const WALK = 'train=60m,test=30m'
  const walked = async (options: Partial<SweepOptions>): Promise<NonNullable<SweepResult['report']['walkForward']>> => {
    const { report } = await sweep({ ...TERMS, tapes: planted, walkForward: WALK, ...options })
    if (report.walkForward === null) throw new Error('no walk-forward')
    return report.walkForward
  }

  it('trades each window as a backtest of it does, with the best of the one before', async () => {
    const { windows, equity, ...report } = await walked({ walkForward: `${WALK},purge=5m` })
    expect(windows).toHaveLength(12)
    for (const { trainFrom, trainTo, testFrom, testTo, params, digest, inSample } of windows.slice(0, 3)) {
      expect(testFrom - trainTo).toBe(5 * MINUTE_MS)
      const train = await sweep({ ...TERMS, tapes: planted, from: trainFrom, to: trainTo })
      expect(train.report.best).toMatchObject({ params, objectives: { sharpe: inSample } })
      const values = { phase: Number(params?.phase) }
      const terms = { statsPeriod: '1m', from: testFrom, to: testTo, bounds: false } as const
      expect((await backtest({ strategy: phases, tapes: planted, params: values, ...terms })).digest).toBe(digest)
    }
    expect(report).toMatchObject({ trainMs: 3_600_000, testMs: 1_800_000, purgeMs: 300_000, isAnchored: false })
    expect(report.return).toBeGreaterThan(0)
    expect(report.drift.phase?.values).toBeGreaterThan(0)
    expect(equity.times.every((time, index) => index === 0 || time > (equity.times[index - 1] ?? 0))).toBe(true)
    const product = windows.reduce((level, window) => level * (1 + (window.outOfSampleReturn ?? 0)), 1)
    expect(equity.values.at(-1)).toBeCloseTo(product, 9)
  })

  it('grows its train windows where they are anchored', async () => {
    const { windows } = await walked({ walkForward: `${WALK},anchored`, params: { phase: '0,5' } })
    expect(windows.every(({ trainFrom }) => trainFrom === START)).toBe(true)
    expect(windows.map(({ trainTo }) => trainTo - START).slice(0, 3)).toEqual([3_600_000, 5_400_000, 7_200_000])
  })

  it('chooses what it chose whatever the future becomes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 61, max: 239 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.boolean(),
        async (seed, cut, otherSeed, isAnchored) => {
          const moves = movesOf(240, seed, 3)
          const changed = [...moves.slice(0, cut), ...movesOf(240 - cut, otherSeed + 5_000, 0)]
          const walkForward = isAnchored ? `${WALK},anchored` : WALK
          const terms = { walkForward, params: { phase: '0..9/2' } }
          const [one, other] = [
            await walked({ ...terms, tapes: tapeOf(moves) }),
            await walked({ ...terms, tapes: tapeOf(changed) }),
          ]
          const end = START + cut * MINUTE_MS
          const known = one.windows.filter(({ trainTo }) => trainTo <= end)
          expect(known.length).toBeGreaterThan(0)
          const choice = (windows: typeof known): readonly unknown[] =>
            windows.map(({ params, inSample, trainFrom, trainTo }) => ({ params, inSample, trainFrom, trainTo }))
          expect(choice(other.windows.filter(({ trainTo }) => trainTo <= end))).toEqual(choice(known))
          const past = ({ testTo }: (typeof known)[number]): boolean => testTo <= end
          expect(other.windows.filter(past)).toEqual(one.windows.filter(past))
        },
      ),
      { numRuns: runs(5) },
    )
  })

  it.each`
    given                        | fault
    ${'train=30d'}               | ${'walkForward: expected test too, such as'}
    ${'train=60m,test=30m,x=1h'} | ${'walkForward: expected such as'}
    ${'train=1h,train=2h'}       | ${"walkForward: 'train' is given twice"}
    ${'train=0m,test=1h'}        | ${'walkForward: expected a length'}
    ${'train=30d,test=7d'}       | ${'walkForward: train and purge leave nothing to test on'}
    ${''}                        | ${'walkForward: expected such as'}
  `('refuses $given', async ({ given, fault }: { given: string; fault: string }) => {
    expect(await faultOf({ walkForward: given })).toContain(fault)
  })
})

describe('shuffled tapes and groups of time', () => {
  const ALL = { walkForward: 'train=60m,test=60m', kfold: 6, embargo: '2m', null: 3, monteCarlo: 100 } as const
  const filesIn = (out: string): readonly string[] =>
    ['sweep.csv', 'sweep.json', 'walk-forward.csv'].map((name) => readFileSync(join(out, name), 'utf8'))

  it('give the same files when they were broken off at any run, and progress counts every one', async () => {
    const whole = place()
    const reported: number[] = []
    const options = { ...TERMS, ...ALL, params: { phase: '0..3' }, tapes: planted }
    const { report } = await sweep({
      ...options,
      out: whole,
      onProgress: ({ done, points }) => reported.push(points - done),
    })
    expect(reported.at(-1)).toBe(0)
    expect(report.crossValidation).toMatchObject({ groups: 6, testGroups: 2, folds: 15, embargoMs: 120_000 })
    expect(report.crossValidation?.paths).toHaveLength(5)
    expect(report.crossValidation?.medianSharpe).toBeGreaterThan(0)
    expect(report.monteCarlo).toMatchObject({ rounds: 100, trips: { rounds: 100 }, equity: { rounds: 100 } })
    expect(report.nullTapes?.bests).toHaveLength(3)
    for (const stopAt of [3, 25, reported.length - 20]) {
      const out = place()
      const stop = new AbortController()
      const onProgress = ({ done }: { done: number }): void => {
        if (done >= stopAt) stop.abort()
      }
      await expect(sweep({ ...options, out, signal: stop.signal, onProgress })).rejects.toThrow()
      const { report: again } = await sweep({ ...options, out })
      expect(filesIn(out)).toEqual(filesIn(whole))
      expect(again).toEqual(report)
    }
  })

  it('take nothing away from the points of the sweep itself', async () => {
    const terms = { ...TERMS, params: { phase: '0..4' }, tapes: planted }
    const [plain, held] = [await sweep(terms), await sweep({ ...terms, ...ALL })]
    expect(held.points).toEqual(plain.points)
    expect(held.report.best).toEqual(plain.report.best)
    const shuffled = await sweep({ ...terms, null: 1 })
    expect(shuffled.report.nullTapes?.bests[0]).toBe(held.report.nullTapes?.bests[0])
  })

  it.each`
    options                             | fault
    ${{ embargo: '1h' }}                | ${'embargo: needs kfold'}
    ${{ kfold: 1 }}                     | ${"kfold: expected an integer from 2 to 20, got '1'"}
    ${{ kfold: 20, statsPeriod: '1h' }} | ${'kfold: 20 groups need two periods of 1h each, but there are only'}
    ${{ null: 0 }}                      | ${"null: expected an integer from 1 to 10000, got '0'"}
    ${{ null: 1.5 }}                    | ${"null: expected an integer from 1 to 10000, got '1.5'"}
    ${{ monteCarlo: 99 }}               | ${"monteCarlo: expected an integer from 100 to 100000, got '99'"}
    ${{ kfold: 5, embargo: 1 }}         | ${'embargo: expected a string such as 1h'}
  `('refuse $options', async ({ options, fault }: { options: Record<string, unknown>; fault: string }) => {
    expect(await faultOf(options)).toContain(fault)
  })
})
