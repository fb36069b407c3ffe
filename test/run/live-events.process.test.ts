/** Sessions in real time as async iterators, against an emulator. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { first, map } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startEmulator, type Emulator } from '../../src/emulator.ts'
import { liveEvents, paperEvents, type LiveEvent, type PaperEvent } from '../../src/run.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
let emulator: Emulator

const buys = defineStrategy({
  name: 'buys',
  params: z.object({ symbol: z.string() }),
  run: ({ trades, buyMarket, log, params: { symbol } }) =>
    trades(symbol).pipe(
      first(),
      map(() => {
        log('buys one')
        return buyMarket(symbol, '0.01')
      }),
    ),
})

beforeAll(async () => {
  emulator = await startEmulator()
})

afterAll(async () => {
  await emulator.close()
})

const typesOf = (events: readonly { readonly type: string }[]): readonly string[] => [
  ...new Set(events.map(({ type }) => type)),
]

it('a paper session yields its events, and ends in good order when the loop is left', async () => {
  const [events, out]: [PaperEvent[], string] = [[], join(folder, 'paper')]
  const options = { strategy: { strategy: buys }, url: emulator.baseUrl, symbol: 'BTC_USD', out }
  for await (const event of paperEvents(options)) {
    events.push(event)
    if (event.type === 'fill') break
  }
  expect(typesOf(events)).toEqual(expect.arrayContaining(['start', 'log', 'status', 'fill']))
  expect(existsSync(join(out, 'run.json'))).toBe(true)
})

it('a live session yields its events up to its result, and those of its own listener, too', async () => {
  const [events, out, end]: [LiveEvent[], string, AbortController] = [[], join(folder, 'live'), new AbortController()]
  const heard: string[] = []
  const options = {
    strategies: [{ strategy: buys, params: { symbol: 'BTC_USD' } }],
    url: emulator.baseUrl,
    apiKey: emulator.users[0]?.keys[0] ?? '',
    state: join(folder, 'state'),
    out,
    signal: end.signal,
    listener: {
      onFill: (owner: string) => {
        heard.push(owner)
        throw new Error('a listener that throws')
      },
    },
  }
  for await (const event of liveEvents(options)) {
    events.push(event)
    if (event.type === 'fill') end.abort()
  }
  expect(typesOf(events)).toEqual(expect.arrayContaining(['start', 'log', 'fill', 'warning', 'session-end']))
  expect(new Set(heard)).toEqual(new Set(['buys']))
  expect(events.at(-1)).toMatchObject({ type: 'end', result: { sessions: [{ owner: 'buys' }] } })
})

it('a wrong option is refused at the first event', async () => {
  await expect(liveEvents({ strategies: [], url: 'x', apiKey: '' }).next()).rejects.toThrow()
})
