/** The series of a session by a clock of the test: when rows arrive, and what is counted and reported. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LiveProcess } from '../../src/run/live-process.ts'
import { SessionSeries } from '../../src/run/session-series.ts'
import { pause } from '../cli/live/rig/patience.ts'
import { FakeClocks } from '../runtime/live/rig/fake-clocks.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const NOW = 1_700_000_000_000
const { folder, write } = temporaryFiles()
let tests = 0

interface Followed {
  readonly clocks: FakeClocks
  readonly stop: AbortController
  readonly series: SessionSeries
  readonly warnings: readonly string[]
  /** Rows as a strategy gets them: `<series> <value> at <milliseconds since the start>`. */
  readonly got: readonly string[]
  /** The saved times, in milliseconds since the start. */
  readonly saved: readonly number[]
  readonly path: (name: string) => string
  /** Passes a second, in which the files are read again. */
  readonly second: () => Promise<void>
}

/** @param texts  of files by name of their series @param parts  how far an earlier session had them */
async function followed(
  texts: Readonly<Record<string, string>>,
  parts: { seenTo?: number; isListening?: () => boolean } = {},
): Promise<Followed> {
  tests += 1
  const file = (name: string): string => `${tests}-${name}.csv`
  const path = (name: string): string => `${folder}/${file(name)}`
  for (const [name, text] of Object.entries(texts)) write(text, file(name))
  const [warnings, got, saved] = [[] as string[], [] as string[], [] as number[]]
  const clocks = new FakeClocks(NOW)
  const stop = new AbortController()
  const warned = { onWarning: (text: string) => void warnings.push(text.replaceAll(`${folder}/${tests}-`, '')) }
  const process = new LiveProcess({ clocks, signal: stop.signal, warned })
  const named = Object.fromEntries(Object.keys(texts).map((name) => [name, path(name)]))
  const series = await SessionSeries.open(named, process)
  const store = { load: () => parts.seenTo, save: (_: unknown, time: number) => void saved.push(time - NOW) }
  series.begin({ feedMs: 0, store })
  for (const { name, arrived$ } of series.live)
    arrived$.subscribe(({ value }) => got.push(`${name} ${String(value)} at ${process.loop.now() - NOW}`))
  series.follow(0, parts.isListening ?? (() => true))
  const second = async (): Promise<void> => {
    clocks.pass(1_000)
    // Time for the handful of calls that read a file.
    await pause(30)
  }
  return { clocks, stop, series, warnings, got, saved, second, path }
}

const csv = (...rows: readonly (readonly [time: number, value: string])[]): string =>
  `timestamp,value\n${rows.map(([time, value]) => `${time},${value}\n`).join('')}`

it('delivers a backlog of several series in the order of the rows, each in an event of its own', async () => {
  const before = NOW - 10_000
  const { clocks, got, saved } = await followed(
    {
      a: csv([before, 'past'], [before + 1, '1'], [before + 4, '4'], [before + 5, '5']),
      b: csv([before, 'past'], [before + 2, '2'], [before + 3, '3'], [NOW + 7, '6']),
    },
    { seenTo: before },
  )
  expect(got).toEqual([])
  clocks.pass(10)
  expect(got).toEqual(['a 1 at 1', 'b 2 at 2', 'b 3 at 3', 'a 4 at 4', 'a 5 at 5', 'b 6 at 7'])
  // Both files as they were, and then each row.
  expect(saved).toHaveLength(8)
})

it('delivers and counts no row after the end of the process, also one that is due', async () => {
  const { clocks, stop, got, saved, series } = await followed({ mood: csv([NOW, '0'], [NOW + 5, '1'], [NOW + 9, '2']) })
  clocks.pass(5)
  stop.abort()
  clocks.pass(5_000)
  expect([got, saved.at(-1), series.reports[0]?.rows]).toEqual([['mood 1 at 5'], 5, 2])
})

it('holds rows back while a strategy is warming up', async () => {
  let isListening = false
  const { got, saved, second } = await followed(
    { mood: csv([NOW, '0'], [NOW + 5, '1'], [NOW + 9, '2']) },
    { isListening: () => isListening },
  )
  await second()
  expect([got, saved]).toEqual([[], [0]])
  isListening = true
  await second()
  await second()
  expect(got.map((text) => text.slice(0, 6))).toEqual(['mood 1', 'mood 2'])
})

it('counts and reports a wrong row once, wherever its line is after the file was replaced', async () => {
  const [first, later, wrong] = [`${NOW - 2},1\n`, `${NOW - 1},2\n`, 'x,3\n']
  const { path, second, series, warnings } = await followed({ mood: `timestamp,value\n${first}${later}${wrong}` })
  // The oldest row is gone, and there is another wrong one of the same kind.
  writeFileSync(path('mood'), `timestamp,value\n${later}${wrong}${NOW},4\n${wrong}`)
  await second()
  await second()
  expect(series.reports[0]?.leftOut).toBe(2)
  expect(warnings.map((text) => text.slice(0, 11))).toEqual(['mood.csv:4:', 'mood.csv: r'])
})

it('reports a last line that stays without its line feed, once', async () => {
  const { path, warnings, second, got } = await followed({ mood: csv([NOW - 1, '0']) })
  appendFileSync(path('mood'), `${NOW},1`)
  for (let seconds = 0; seconds < 15; seconds += 1) await second()
  expect(warnings).toEqual(['mood.csv: the last line waits for its line feed, and is not read before'])
  appendFileSync(path('mood'), '\n')
  await second()
  await second()
  expect(got).toHaveLength(1)
})
