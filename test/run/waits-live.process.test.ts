/**
 * A bracket in live sessions that follow each other on one state, before an emulator.
 */
import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { map } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { live } from '../../src/run/live.ts'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { buyMarket } from '../../src/strategy/orders.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { bracket } from '../../src/strategy/waiting.ts'
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

// Several libraries replace functions of files with their own, which read the clock: a strategy's turn refuses that.
const { closeSync } = fs
beforeAll(() => {
  fs.closeSync = (descriptor) => {
    // eslint-disable-next-line papertape/no-clock -- refused in a turn
    Date.now()
    closeSync(descriptor)
  }
  syncBuiltinESMExports()
})
afterAll(() => {
  fs.closeSync = closeSync
  syncBuiltinESMExports()
})

/** What the journal of a session reports of waiting: it ends when `isSeen` says so. */
async function session(name: string, keepOrders: boolean, isSeen: (waiting: readonly string[]) => boolean) {
  const end = new AbortController()
  const buyer = defineStrategy({
    name: 'buyer',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, trades, waitingOrders, market }) => {
      let isAsked = waitingOrders(symbol).length > 0
      return trades(symbol).pipe(
        map(({ priceNumber }) => {
          if (isSeen(waitingOrders(symbol).map(({ id }) => id))) end.abort()
          if (isAsked) return undefined
          isAsked = true
          return bracket(buyMarket(symbol, market(symbol).lotSize), { stop: Math.floor(priceNumber / 2) })
        }),
      )
    },
  })
  const out = join(files.folder, name)
  await live({
    strategies: [{ strategy: buyer }],
    url: emulator.baseUrl,
    apiKey: emulator.users[0]?.keys[0] ?? '',
    symbol: SYMBOL,
    out,
    keepOrders,
    state: join(files.folder, 'state'),
    signal: end.signal,
  })
  const lines = readFileSync(join(out, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.flatMap((line) => {
    const { type, id, isKept, why } = JSON.parse(line) as Readonly<Record<string, string | true | undefined>>
    const reported = [type, id, isKept === true ? 'kept' : undefined, why]
      .filter((each) => each !== undefined)
      .join(' ')
    return ['wait', 'taken-up', 'triggered', 'wait-over'].includes(type as string) ? [reported] : []
  })
}

it('goes on with its stop where orders are kept at the end, and gives it up where they are cancelled', async () => {
  const isWaiting = (waiting: readonly string[]): boolean => waiting.length > 0
  expect(await session('first', true, isWaiting)).toEqual(['wait w2'])
  expect(await session('second', true, isWaiting)).toEqual(['taken-up w1', 'wait w2 kept'])
  expect(await session('third', false, isWaiting)).toEqual(['taken-up w1', 'wait w2 kept', 'wait-over w2 ended'])
  expect(await session('fourth', false, isWaiting)).toEqual(['wait w2', 'wait-over w2 ended'])
})
