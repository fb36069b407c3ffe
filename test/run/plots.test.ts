/**
 * What strategies draw, in the files of a run, its result and its events: written, sealed, and the same when it is run
 * again.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { catchError, concatMap, EMPTY, finalize, ignoreElements, map, tap } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { backtest, backtestEvents, verify, type BacktestEvent, type BacktestOptions } from '../../src/run.ts'
import { buyMarket } from '../../src/strategy/orders.ts'
import type { StrategyContext } from '../../src/strategy/context.ts'
import { defineStrategy, type Strategy } from '../../src/strategy/strategy.ts'
import { plotRow } from '../../src/report/run/run-files.ts'
import { writePlottedValues } from '../../src/run/plotted-values.ts'
import { readReplayedFiles } from '../../src/run/replayed-files.ts'
import { sealedText } from '../../src/store/runs/run-seal.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000
let tape = ''
let shown = ''

/** From a file, so that it can be run again. */
const SHOWN = `import { defineStrategy } from 'papertape'
  import { tap, ignoreElements } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'shown',
    params: z.object({ symbol: z.string(), draws: z.coerce.boolean().default(true) }),
    run: ({ params: { symbol, draws }, trades, plot, note }) => trades(symbol).pipe(tap(({ price }) => {
      if (!draws) return
      plot('price, "last"', price)
      note('one\\ntwo, "three"\\r\\n= 4')
    }), ignoreElements()),
  })`

beforeAll(() => {
  const rows = Array.from({ length: 90 }, (_, row) => `${START + row * 1_000},${100 + (row % 3)}.10,1`)
  tape = write(`time,price,qty\n${rows.join('\n')}\n`, 'trades.csv')
  shown = write(SHOWN, 'shown.ts')
})

let runs = 0
const out = (): string => join(folder, `run-${(runs += 1)}`)
const options = (more: Partial<BacktestOptions>): BacktestOptions => ({
  strategy: shown,
  tapes: { A_USD: tape },
  limits: false,
  bounds: false,
  ...more,
})

type Context = StrategyContext<{ readonly symbol: string }>

const drawing = (run: (context: Context) => ReturnType<Strategy['run']>, more: Partial<Strategy> = {}): Strategy => ({
  ...defineStrategy({ name: 'drawing', params: z.object({ symbol: z.string() }), run: () => EMPTY }),
  ...more,
  run: run as unknown as Strategy['run'],
})

const each = (act: (context: Context, row: number) => void): Strategy =>
  drawing((context) => {
    let row = 0
    return context.trades(context.params.symbol).pipe(
      tap(() => {
        act(context, row)
        row += 1
      }),
      ignoreElements(),
    )
  })

const text = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8')
const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

/** Makes the seal fit, as somebody would who knows it. */
function resealed(directory: string): void {
  const { files, filesDigest, ...report } = JSON.parse(text(directory, 'run.json'))
  const names = Object.keys(files as object).filter((name) => existsSync(join(directory, name)))
  const added = ['plots.csv', 'notes.csv'].filter((name) => !names.includes(name) && existsSync(join(directory, name))) // prettier-ignore
  const hashes = [...names, ...added].map((name) => [name, hashOf(text(directory, name))])
  expect(filesDigest).toBeDefined()
  writeFileSync(join(directory, 'run.json'), sealedText(report, Object.fromEntries(hashes)))
}

describe('the files of a run', () => {
  it('have each row with its moment, quoted where it must be, and are sealed', async () => {
    const directory = out()
    const { plots, notes } = await backtest(options({ out: directory }))
    const [header, first] = text(directory, 'plots.csv').split('\n')
    expect([header, first]).toEqual(['time,name,value', `${START},"price, ""last""",100.1`])
    expect(text(directory, 'plots.csv').split('\n')).toHaveLength(92)
    expect(text(directory, 'notes.csv').startsWith(`time,text\n${START},"one\ntwo, ""three""\r\n= 4"\n${START + 1000},`)).toBe(true) // prettier-ignore
    expect(plots).toHaveLength(90)
    expect(plots[1]).toEqual({ time: START + 1_000, name: 'price, "last"', value: '101.1' })
    expect(notes[89]).toEqual({ time: START + 89_000, text: 'one\ntwo, "three"\r\n= 4' })
    const { files } = JSON.parse(text(directory, 'run.json'))
    expect(files).toMatchObject({
      'plots.csv': hashOf(text(directory, 'plots.csv')),
      'notes.csv': hashOf(text(directory, 'notes.csv')),
    })
  })

  it('are the same bytes the next time, and verified', async () => {
    const [first, second] = [out(), out()]
    for (const directory of [first, second]) await backtest(options({ out: directory }))
    for (const file of ['plots.csv', 'notes.csv']) expect(text(first, file)).toBe(text(second, file))
    expect(await verify(first)).toMatchObject({ difference: undefined, strangers: [] })
  })

  it('are none where nothing was drawn, and the journal has nothing of it', async () => {
    const [quiet, loud] = [out(), out()]
    const of = (draws: boolean) => each(({ plot }) => (draws ? plot('one', 1) : undefined))
    const { digest } = await backtest(options({ strategy: of(false), out: quiet }))
    expect(readdirSync(quiet).filter((name) => /plots|notes/.test(name))).toEqual([])
    expect(Object.keys(JSON.parse(text(quiet, 'run.json')).files)).not.toContain('plots.csv')
    const run = await backtest(options({ strategy: of(true), out: loud }))
    expect(run.digest).toBe(digest)
    expect(readdirSync(loud).filter((name) => /plots|notes/.test(name))).toEqual(['plots.csv'])
  })

  it('have nothing of the warm-up, in which a bad value is refused all the same', async () => {
    const strategy = each(({ plot, note, now }) => {
      plot('seconds', (now() - START) / 1_000)
      note(`at ${now()}`)
    })
    const from = START + 60_000
    const { plots, notes, report } = await backtest(options({ strategy, from, warmup: '30s' }))
    expect(report.failure).toBeNull()
    expect(plots.map(({ value }) => value)).toEqual(Array.from({ length: 30 }, (_, index) => String(60 + index)))
    expect(notes[0]).toEqual({ time: from, text: `at ${from}` })
    const bad = each(({ plot }) => plot('fast', Number.NaN))
    const { failure } = await backtest(options({ strategy: bad, from, warmup: '30s' }))
    expect(failure?.time).toBe(START + 30_000)
  })
})

describe('verify', () => {
  it.each(['plots.csv', 'notes.csv'])('reports %s that was removed', async (name) => {
    const directory = out()
    await backtest(options({ out: directory }))
    rmSync(join(directory, name))
    expect((await verify(directory)).difference).toContain(`${join(directory, name)}: is missing`)
    resealed(directory)
    const { difference } = await verify(directory)
    const header = name === 'plots.csv' ? 'time,name,value' : 'time,text'
    expect(difference).toBe(`${join(directory, name)}:1: the repeat differs\n  was (no line)\n  is  ${header}`)
  })

  it.each(['plots.csv', 'notes.csv'])('reports %s that the run did not write', async (name) => {
    const directory = out()
    await backtest(options({ params: { draws: false }, out: directory }))
    expect((await verify(directory)).difference).toBeUndefined()
    writeFileSync(join(directory, name), 'time,name,value\n1,a,2\n')
    expect((await verify(directory)).difference).toContain(`${join(directory, name)}: was changed after the run: expected sha256 none`) // prettier-ignore
    resealed(directory)
    const { difference } = await verify(directory)
    expect(difference).toBe(`${join(directory, name)}:1: the repeat differs\n  was time,name,value\n  is  (no line)`)
  })

  it('reports a row that was changed by its line, also inside of a text of several', async () => {
    const directory = out()
    await backtest(options({ out: directory }))
    const path = join(directory, 'notes.csv')
    writeFileSync(path, text(directory, 'notes.csv').replace('two', 'too'))
    resealed(directory)
    const { difference } = await verify(directory)
    expect(difference).toMatch(/^.*notes\.csv:3: the repeat differs\n {2}was too, .*\n {2}is {2}two, /)
  })
})

describe('more than 100,000 values', () => {
  const MANY = SHOWN.replace("plot('price, \"last\"', price)", "for (let n = 0; n < 600; n += 1) { plot('n', n / 3); plot('price, \"last\"', price) }") // prettier-ignore

  it('are in blocks, which are verified, replayed and written as rows', async () => {
    const [directory, csv] = [out(), join(folder, 'all.csv')]
    await backtest(options({ strategy: write(MANY, 'many.ts'), out: directory }))
    expect(readdirSync(directory).filter((name) => name.startsWith('plot'))).toEqual(['plot-blocks.csv'])
    expect((await verify(directory)).difference).toBeUndefined()
    writePlottedValues(directory, csv)
    const rows = readFileSync(csv, 'utf8').trimEnd().split('\n').slice(1)
    const [numbers, prices] = [rows.filter((row) => row.includes(',n,')), rows.filter((row) => row.includes('"'))]
    expect([numbers.length, prices.length]).toEqual([54_000, 54_000])
    expect(numbers[601]).toBe(`${START + 1_000},n,${1 / 3}`)
    expect(prices[601]).toBe(`${START + 1_000},"price, ""last""",101.1`)
    const lines = readReplayedFiles(directory).plots.get('A_USD') ?? []
    expect(lines.map(({ name, line }) => [name, line.values.length, line.values[601]])).toEqual([
      ['n', 54_000, 0.333333333],
      ['price, "last"', 54_000, 101.1],
    ])
    expect(() => writePlottedValues(directory, csv)).toThrow(csv)
  })

  it('that were damaged are reported briefly, and leave no file', async () => {
    const [directory, csv] = [out(), join(folder, 'damaged.csv')]
    await backtest(options({ strategy: write(MANY, 'many.ts'), out: directory }))
    expect(() => writePlottedValues(directory, join(directory, 'all.csv'))).toThrow(/all\.csv: is in the run directory/)
    const path = join(directory, 'plot-blocks.csv')
    const whole = text(directory, 'plot-blocks.csv')
    const middle = whole.length - 30_000
    writeFileSync(path, `${whole.slice(0, middle)}${whole[middle] === 'A' ? 'B' : 'A'}${whole.slice(middle + 1)}`)
    expect(writePlottedValues(directory, csv)).toEqual([expect.stringMatching(/plot-blocks\.csv: was changed after the run/)]) // prettier-ignore
    resealed(directory)
    const { difference = '' } = await verify(directory)
    expect(difference).toMatch(/plot-blocks\.csv:\d+: the repeat differs\n {2}was \.\.\..{200}\.\.\.\n {2}is {2}\.\.\..{200}\.\.\.$/) // prettier-ignore
    writeFileSync(path, whole.replace('0,n,', '0,%E0%A4%A,'))
    rmSync(csv)
    expect(() => writePlottedValues(directory, csv)).toThrow(/plot-blocks\.csv:\d+: its name is not percent-encoded/)
    expect(existsSync(csv)).toBe(false)
  })

  it('of an older papertape are in plots.csv, and verified all the same', async () => {
    const directory = out()
    const { plots, report } = await backtest(options({ strategy: write(MANY, 'many.ts'), out: directory }))
    const rows = plots.map(({ time, name, value }) => plotRow(String(time), name, value))
    rmSync(join(directory, 'plot-blocks.csv'))
    writeFileSync(join(directory, 'plots.csv'), `time,name,value\n${rows.join('')}`)
    // It was begun with the first plotted value.
    const names = ['journal.jsonl', 'orders.csv', 'fills.csv', 'trades.csv', 'plots.csv', 'notes.csv', 'equity.csv', 'periods.csv', 'candles.csv'] // prettier-ignore
    const hashes = names.map((name) => [name, hashOf(text(directory, name))])
    writeFileSync(join(directory, 'run.json'), sealedText(report, Object.fromEntries(hashes)))
    expect((await verify(directory)).difference).toBeUndefined()
  })
})

describe('a run that is replaced', () => {
  it('may have drawn', async () => {
    const directory = out()
    await backtest(options({ out: directory }))
    await backtest(options({ out: directory, params: { draws: false }, force: true }))
    expect(existsSync(join(directory, 'plots.csv'))).toBe(false)
    expect((await verify(directory)).difference).toBeUndefined()
  })

  it('does not take notes along that somebody has made', async () => {
    const directory = out()
    await backtest(options({ out: directory, params: { draws: false } }))
    writeFileSync(join(directory, 'notes.csv'), 'mine')
    await expect(backtest(options({ out: directory, force: true }))).rejects.toThrow(/has 'notes\.csv', which the run did not write/) // prettier-ignore
    expect(text(directory, 'notes.csv')).toBe('mine')
  })
})

describe('what is refused', () => {
  it('ends the run with its time and its line', async () => {
    const code = SHOWN.replace('plot(\'price, "last"\', price)', "plot('fast', price.gt(102) ? NaN : price)")
    const strategy = write(code, 'refused.ts')
    const { failure, plots } = await backtest(options({ strategy }))
    expect(plots).toHaveLength(2)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^plot\('fast'\): expected a finite number, found NaN: do not plot /) as string,
      time: START + 2_000,
      place: expect.stringMatching(/refused\.ts:9:5$/) as string,
    })
  })

  it('is what comes behind an await, whose time would be that of the machine, also where it is caught', async () => {
    const strategy = drawing(({ trades, plot, params }) =>
      trades(params.symbol).pipe(
        concatMap(async () => {
          await Promise.resolve()
          plot('late', 1)
        }),
        catchError(() => EMPTY),
        ignoreElements(),
      ),
    )
    const { failure, plots } = await backtest(options({ strategy }))
    expect(failure?.message).toMatch(/^a plot or a note was emitted outside an event, .*async: true/)
    expect(plots).toEqual([])
    const allowed = await backtest(options({ strategy: { ...strategy, async: true } }))
    expect(allowed.failure).toBeNull()
    expect(allowed.plots).toHaveLength(90)
  })

  it('is nothing at the end, when the strategy is over', async () => {
    const strategy = drawing(({ trades, note, params }) =>
      trades(params.symbol).pipe(
        ignoreElements(),
        finalize(() => note('over')),
      ),
    )
    const directory = out()
    const { failure, notes } = await backtest(options({ strategy, out: directory }))
    expect([failure, notes]).toEqual([null, []])
    expect(existsSync(join(directory, 'notes.csv'))).toBe(false)
  })
})

describe('a program', () => {
  it('hears of each row in its place among the others', async () => {
    const strategy = drawing(({ trades, plot, note, log, params }) =>
      trades(params.symbol).pipe(
        map(({ price }) => {
          plot('price', price)
          log('said')
          note('noted')
          return buyMarket(params.symbol, '1')
        }),
      ),
    )
    const events: BacktestEvent[] = []
    for await (const event of backtestEvents(options({ strategy, liquidity: 'ideal' })))
      if (event.type !== 'progress') events.push(event)
    // The order's own trade comes as a trade, too, before its fill is reported.
    const drawn = ['plot', 'log', 'note']
    expect(events.slice(0, 8).map(({ type }) => type)).toEqual([...drawn, ...drawn, 'fill', 'order'])
    const run = await backtest(options({ strategy, liquidity: 'ideal' }))
    expect(events.flatMap((event) => (event.type === 'plot' ? [event.plot] : []))).toEqual(run.plots)
    expect(events.flatMap((event) => (event.type === 'note' ? [event.note] : []))).toEqual(run.notes)
    expect(events.at(-1)).toMatchObject({ type: 'end', run: { plots: [], notes: [] } })
    expect(await backtest(options({ strategy, keepRows: false }))).toMatchObject({ plots: [], notes: [] })
  })

  it('meets the words at the start of a strategy too', async () => {
    const strategy = drawing(({ plot, note }) => {
      note('begins')
      plot('zero', '0')
      return EMPTY
    })
    const { notes, plots } = await backtest(options({ strategy }))
    expect([notes, plots]).toEqual([[{ time: START, text: 'begins' }], [{ time: START, name: 'zero', value: '0' }]])
  })
})
