/**
 * What strategies draw in live sessions before an emulator: each in the files of its own run, sealed, and from a
 * restart on in new ones.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finalize, ignoreElements, tap } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { live } from '../../src/run/live.ts'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { sealFaults } from '../../src/store/runs/run-seal.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const SYMBOL = 'BTC_USD'

const files = temporaryFiles()
let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator({})
})
afterAll(async () => {
  await emulator.close()
})

/**
 * Two strategies with a line of the same name, until each has drawn a value: rows of plots.csv and notes.csv of each.
 */
async function session(name: string) {
  const end = new AbortController()
  const drawn = new Set<string>()
  const drawing = (own: string, value: number) =>
    defineStrategy({
      name: own,
      params: z.object({ symbol: z.string() }),
      run: ({ params: { symbol }, trades, plot, note }) => {
        note(`${name}: ${own} begins`)
        return trades(symbol).pipe(
          tap(() => {
            plot('line', value)
            drawn.add(own)
            if (drawn.size === 2) end.abort()
          }),
          ignoreElements(),
          finalize(() => note('is over')),
        )
      },
    })
  const out = join(files.folder, name)
  await live({
    strategies: [{ strategy: drawing('one', 1) }, { strategy: drawing('two', 2) }],
    url: emulator.baseUrl,
    apiKey: emulator.users[0]?.keys[0] ?? '',
    symbol: SYMBOL,
    out,
    state: join(files.folder, 'state'),
    signal: end.signal,
  })
  return ['one', 'two'].map((own) => {
    const rows = (file: string): readonly string[] =>
      readFileSync(join(out, own, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((row) => row.slice(row.indexOf(',') + 1))
    return { plots: new Set(rows('plots.csv')), notes: rows('notes.csv'), faults: sealFaults(join(out, own)) }
  })
}

it('are kept apart by strategy and by session, and end with the strategy', async () => {
  for (const name of ['first', 'second']) {
    const of = (own: string, value: string) => ({
      plots: new Set(['name,value', `line,${value}`]),
      notes: ['text', `${name}: ${own} begins`],
      faults: [],
    })
    expect(await session(name)).toEqual([of('one', '1'), of('two', '2')])
  }
})
