/**
 * A strategy whose RxJS is another copy than that of papertape gets a message, before a timer of it is lost.
 */
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Rxjs from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy, type Intent } from '../../../src/index.ts'
import { otherRxjs } from '../../../src/runtime/sandbox/virtual-globals.ts'
import { testStrategy } from '../../../src/testing.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const OURS = dirname(dirname(dirname(createRequire(import.meta.url).resolve('rxjs'))))

it.each(['delay', 'timestamp'] as const)(
  '%s of another copy ends the run, and says which copy it is',
  async (operator) => {
    const copy = join(folder, 'node_modules/rxjs')
    for (const part of ['package.json', 'dist/cjs']) cpSync(join(OURS, part), join(copy, part), { recursive: true })
    const other = (await import(pathToFileURL(join(copy, 'dist/cjs/index.js')).href)) as typeof Rxjs
    const waits = defineStrategy({
      name: 'waits',
      params: z.object({ symbol: z.string() }),
      run: ({ params: { symbol }, trades, buyMarket }) => {
        const order = other.map((): Intent => buyMarket(symbol, '0.1'))
        return operator === 'delay'
          ? trades(symbol).pipe(other.delay(1_000), order)
          : trades(symbol).pipe(other.timestamp(), order)
      },
    })
    const { failure, orders } = await testStrategy(waits, { trades: '100 1m 101' })
    expect(orders).toEqual([])
    expect(failure?.message).toBe(
      `${operator === 'delay' ? 'setInterval' : 'Date.now'}() is not available in a strategy: use the RxJS that papertape provides, because ${copy} is another copy that the virtual clock does not control`,
    )
  },
)

it.each([
  [
    '    at Object.setInterval (/a b/node_modules/rxjs/dist/cjs/internal/scheduler/intervalProvider.js:35:28)',
    '/a b/node_modules/rxjs',
  ],
  [
    '    at Object.now (file:///a%20bot/node_modules/rxjs/dist/esm5/internal/scheduler/dateTimestampProvider.js:3:1)',
    '/a bot/node_modules/rxjs',
  ],
  ['    at map (/bot/node_modules/rxjs/dist/cjs/internal/operators/map.js:9:1)', undefined],
  ['    at run (/bot/strategies/mine.ts:9:1)', undefined],
  [undefined, undefined],
])('%s', (line, expected) => {
  expect(otherRxjs(line === undefined ? undefined : `Error\n${line}`)).toBe(expected)
})
