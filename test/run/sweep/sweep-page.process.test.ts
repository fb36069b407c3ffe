/**
 * The page that a sweep leaves beside its files: of what they say, and the same when it is made again of them.
 */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { unfolded } from '../../../src/report/folded-data.ts'
import type { SweepPageData } from '../../../src/report/page/sweep/sweep-page-data.ts'
import { sweepPageIn } from '../../../src/run/sweep/sweep-page.ts'
import { sweep, type SweepOptions } from '../../../src/run.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { candlesCsv, stepper } from './rig.ts'

const { folder, write } = temporaryFiles()
const tape = write(candlesCsv(400), 'candles.csv')
const TERMS = { strategy: stepper, tapes: { A_USD: tape }, statsPeriod: '1h', objective: 'return' } as const

let places = 0
async function swept(options: Partial<SweepOptions<typeof stepper.params>> = {}): Promise<string> {
  const out = join(folder, `out-${(places += 1)}`)
  await sweep({ ...TERMS, params: { every: '3..12/3', hold: [1, 2, 5] }, out, ...options })
  return out
}

const pageIn = (out: string): string => readFileSync(join(out, 'report.html'), 'utf8')

function dataIn(out: string): SweepPageData {
  const [, text = ''] = /<script id="data" type="application\/octet-stream">(.*?)<\/script>/.exec(pageIn(out)) ?? []
  return unfolded(text) as SweepPageData
}

describe('the page of a sweep', () => {
  let out = ''
  beforeAll(async () => {
    out = await swept()
  })

  it('has in its columns what sweep.csv has, digit for digit', () => {
    const [head = '', ...lines] = readFileSync(join(out, 'sweep.csv'), 'utf8').trimEnd().split('\n')
    const names = head.split(',')
    // Up to the first cell that is JSON, none has a comma in it.
    const cell = (line: string, name: string): string => line.split(',')[names.indexOf(name)] ?? ''
    const { params, figures, points } = dataIn(out)
    expect(points).toBe(lines.length)
    for (const { name, values, column } of params) {
      expect(column.map((index) => values[index])).toEqual(lines.map((line) => cell(line, name)))
    }
    for (const name of ['return', 'maxDrawdown', 'exposure']) {
      const column = figures.find((figure) => figure.name === name)?.column ?? []
      expect(column.map((value) => (value === null ? '' : String(value)))).toEqual(
        lines.map((line) => cell(line, name)),
      )
    }
  })

  it('names the best, the errors and the settings as sweep.json does', () => {
    const { ranking, params, errors, report, verdict, curves } = dataIn(out)
    const json = JSON.parse(readFileSync(join(out, 'sweep.json'), 'utf8')) as Record<string, unknown>
    expect(report).toEqual(json)
    const best = Object.fromEntries(
      params.map(({ name, values, column }) => [name, values[column[ranking[0] ?? -1] ?? -1]]),
    )
    expect(json.best).toMatchObject({ params: best })
    expect(errors).toHaveLength(1)
    expect(verdict.headline).toMatch(/^There is too little data .* The best of 12 points: return -?\d/)
    expect(verdict.doubts.map(({ text }) => text)).toContain('1 of 12 points failed.')
    expect(curves).toHaveLength(10)
    for (const { line } of curves) {
      expect(line.values[0]).toBe(1)
      expect(line.times).toHaveLength(line.values.length)
      expect(line.times.toSorted((a, b) => a - b)).toEqual(line.times)
    }
  })

  it.each([
    ['a grid', {}],
    ['a part of it', { where: 'hold < every and hold != 2' }],
    ['a draw', { random: 5, seed: 3 }],
    ['several objectives', { objective: ['return', 'maxDrawdown'] }],
    ['one that was held against luck', { null: 3, kfold: 3, monteCarlo: 100 }],
    ['a window', { from: 1_700_003_000_000, to: 1_700_020_000_000 }],
  ])('is made again of its directory as it was: %s', async (_, options) => {
    const place = await swept(options)
    expect(sweepPageIn(place)).toBe(pageIn(place))
  })

  it('has a view of each part that was asked for, and of a sweep.json from before there was one none', async () => {
    const place = await swept({ null: 3, kfold: 3, monteCarlo: 100, statsPeriod: '15m' })
    const { nullTapes, crossValidation, monteCarlo, walkForward } = dataIn(place)
    expect(nullTapes?.bests).toHaveLength(3)
    expect(crossValidation?.paths).toHaveLength(2)
    const [returned] = monteCarlo?.groups[0]?.spreads ?? []
    const { column, name } = dataIn(place).figures[0] ?? {}
    expect(name).toBe('return')
    expect(returned?.actual).toBeCloseTo(column?.[dataIn(place).ranking[0] ?? -1] ?? Number.NaN, 12)
    expect(walkForward).toBeNull()
    const path = join(place, 'sweep.json')
    const parts = ['nullTapes', 'crossValidation', 'monteCarlo', 'walkForward', 'verdict']
    const json = JSON.parse(readFileSync(path, 'utf8')) as object
    writeFileSync(
      path,
      JSON.stringify(Object.fromEntries(Object.entries(json).filter(([part]) => !parts.includes(part)))),
    )
    expect(sweepPageIn(place)).toContain('<script id="data"')
  })

  it('of a larger grid that goes on in the same directory has the points of that, and of it alone', async () => {
    const place = await swept({ params: { every: [3, 6, 9], hold: [1, 2] } })
    await sweep({ ...TERMS, params: { every: [3, 6], hold: [1] }, out: place })
    expect(dataIn(place).points).toBe(2)
    expect(sweepPageIn(place)).toBe(pageIn(place))
  })

  it.each([
    ['no sweep', (place: string) => rmSync(join(place, 'sweep.json')), /sweep\.json: is missing or not JSON/],
    [
      'another JSON',
      (place: string) => writeFileSync(join(place, 'sweep.json'), 'null'),
      /sweep\.json: is not from a sweep/,
    ],
    [
      'one that goes on',
      (place: string) => {
        const path = join(place, 'sweep.json')
        writeFileSync(path, readFileSync(path, 'utf8').replace('"isComplete": true', '"isComplete": false'))
      },
      /has not ended; run the same sweep again to continue it/,
    ],
    ['lost points', (place: string) => writeFileSync(join(place, 'points.jsonl'), ''), /lacks points of its sweep/],
    ['no points', (place: string) => rmSync(join(place, 'points.jsonl')), /points\.jsonl: cannot be read/],
    [
      'a bad line',
      (place: string) => appendFileSync(join(place, 'points.jsonl'), '{}\n'),
      /points\.jsonl:\d+: is not a point/,
    ],
  ])('is not made of %s', async (_, damage, message) => {
    const place = await swept({ params: { every: [3, 6], hold: [1] } })
    damage(place)
    expect(() => sweepPageIn(place)).toThrow(message)
  })

  it('is there at the end of a sweep that a function ranks, which no one else can ask', async () => {
    const place = await swept({
      objective: function tidy(statistics) {
        return 1 - statistics.maxDrawdown
      },
    })
    expect(dataIn(place).figures[0]).toMatchObject({ name: 'tidy', label: 'tidy', better: 'higher' })
    expect(() => sweepPageIn(place)).toThrow(
      /was ranked by 'tidy', which is not a statistic of papertape; run the same sweep again/,
    )
  })

  it('leaves what was half written by a killed sweep out of it', async () => {
    const place = await swept({ params: { every: [3, 6], hold: [1] } })
    appendFileSync(join(place, 'points.jsonl'), '{"key":"half')
    expect(sweepPageIn(place)).toBe(pageIn(place))
  })
})
