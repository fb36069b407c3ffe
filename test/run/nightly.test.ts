/** When the twins of a night run, and for which sessions they cannot. */
import { join } from 'node:path'
import { NEVER } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { LiveProcess } from '../../src/run/live-process.ts'
import { checkNightly, startNightly, type NightlyTwin } from '../../src/run/nightly/nightly.ts'
import { givenStrategy, loadStrategy } from '../../src/runtime/strategies/strategy-file.ts'
import { checkFreeSpace } from '../../src/store/free-space.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { FakeClocks } from '../runtime/live/rig/fake-clocks.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const [SECOND, DAY] = [1_000, 86_400_000]

it('runs them once after each UTC midnight, and not after the end', () => {
  const clocks = new FakeClocks(Date.UTC(2026, 10, 30, 23, 59, 58))
  const stop = new AbortController()
  const twins: NightlyTwin[] = []
  const listener = { onTwin: (twin: NightlyTwin) => void twins.push(twin) }
  const process = new LiveProcess({ clocks, signal: stop.signal, listener, warned: {} })
  let flushed = 0
  const flush = (): void => void (flushed += 1)
  // A session whose files are lost: its twin fails before a process is started.
  startNightly({ nightly: true, out: join(folder, 'lost') }, process, { flush, soFar: () => [] })
  const datesAfter = (ms: number): readonly string[] => {
    clocks.pass(ms)
    return twins.map(({ date }) => date)
  }
  expect(datesAfter(SECOND)).toEqual([])
  expect(datesAfter(3 * SECOND)).toEqual(['2026-11-30'])
  expect(twins[0]).toMatchObject({
    owner: undefined,
    total: undefined,
    message: expect.stringMatching(/^failed: ENOENT/),
  })
  expect(datesAfter(DAY - 10 * SECOND)).toEqual(['2026-11-30'])
  // After a sleep of days there is one, up to the last midnight.
  clocks.stall(3 * DAY)
  expect(datesAfter(SECOND)).toEqual(['2026-11-30', '2026-12-03'])
  expect(flushed).toBe(2)
  stop.abort()
  expect(datesAfter(DAY).length).toBe(2)
})

it('refuses at the start what no twin can repeat', async () => {
  const text = (more: string): string =>
    `import { defineStrategy } from 'papertape'\nimport { NEVER } from 'rxjs'\nimport { z } from 'zod'\n` +
    `export default defineStrategy({ name: 'still', params: z.object({}), ${more} run: () => NEVER })\n`
  const plain = await loadStrategy(write(text(''), 'plain.js'))
  const warm = await loadStrategy(write(text("warmup: { '1m': 5 },"), 'warm.js'))
  const own = givenStrategy(defineStrategy({ name: 'own', params: z.object({}), run: () => NEVER }))
  const on = { nightly: true, out: 'run' }
  expect(() => checkNightly({ out: undefined }, [{ loaded: own }])).not.toThrow()
  expect(() => checkNightly(on, [{ loaded: plain }])).not.toThrow()
  const needs = 'nightly: needs the trades as they arrive: pass --out, and do not pass --no-received'
  expect(() => checkNightly({ nightly: true }, [])).toThrow(needs)
  expect(() => checkNightly({ ...on, received: false }, [])).toThrow(needs)
  expect(() => checkNightly(on, [{ loaded: own }])).toThrow("nightly: strategy 'own' is an object of a program")
  expect(() => checkNightly(on, [{ loaded: warm }])).toThrow("nightly: strategy 'still' has a warm-up")
  expect(() => checkNightly(on, [{ loaded: plain }], { warmupMs: DAY })).toThrow('has a warm-up')
})

it('leaves the session enough of the disk', () => {
  expect(() => checkFreeSpace(folder, 1)).not.toThrow()
  expect(() => checkFreeSpace(folder, 1e18)).toThrow(
    /: 1000000000000 MB are needed for temporary files, and \d+ MB are free$/,
  )
})
