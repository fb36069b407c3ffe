/** The state that a strategy keeps, in a backtest: journaled, repeatable, and in the explanation of an order. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { journalFacts } from '../../src/report/page/journal-facts.ts'
import { explanationText, orderExplanation } from '../../src/report/order-explanation/order-explanation.ts'
import { ReplayedRun } from '../../src/report/replay/replayed-run.ts'
import { backtest, verify } from '../../src/run.ts'
import { journalLines } from '../../src/runtime/journal/journal-reader.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000

/** Counts its orders in its state: one each 20 s, after the warm-up. */
const COUNTER = `import { defineStrategy } from 'papertape'
  import { map } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'counter',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, every, state, log, buyMarket }) => {
      const memory = state(z.object({ orders: z.int().default(0), last: z.string().default('') }))
      log('starts with ' + memory.value.orders)
      return every('20s').pipe(map((time) => {
        memory.set({ orders: memory.value.orders + 1, last: new Date(time).toISOString() })
        return buyMarket(symbol, '0.01')
      }))
    },
  })`

let tape = ''
let counter = ''

beforeAll(() => {
  const rows = Array.from({ length: 90 }, (_, row) => `${START + row * 1_000},${100 + (row % 3)}.10,1`)
  tape = write(`time,price,qty\n${rows.join('\n')}\n`, 'trades.csv')
  counter = write(COUNTER, 'counter.ts')
})

const run = (name: string, from?: string) =>
  backtest({ strategy: counter, tapes: { A_USD: tape }, limits: false, bounds: false, out: join(folder, name), from })

const statesOf = (name: string): readonly unknown[] =>
  readFileSync(join(folder, name, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"strategy-state"'))
    .map((line) => JSON.parse(line) as unknown)

describe('a state in a backtest', () => {
  it('starts empty, is in the journal with each change, and repeats', async () => {
    await run('plain')
    const iso = (time: number): string => new Date(time).toISOString()
    const times = [1, 2, 3, 4].map((count) => START + count * 20_000)
    expect(statesOf('plain')).toEqual([
      { t: START, type: 'strategy-state', value: { orders: 0, last: '' } },
      ...times.map((t, index) => ({ t, type: 'strategy-state', value: { orders: index + 1, last: iso(t) } })),
    ])
    expect((await verify(join(folder, 'plain'))).difference).toBeUndefined()
  })

  it('is in the explanation of an order, of the page too, and at each moment of a replay', async () => {
    await run('explained')
    const path = join(folder, 'explained', 'journal.jsonl')
    const text = explanationText(orderExplanation(journalLines(path), 'ref:2'))
    expect(text.replaceAll(/\n */g, ' ')).toContain('strategy state: {"orders":2,"last":"2023-11-14T22:14:00.000Z"}')
    const facts = [...journalFacts(journalLines(path), 10).explanations]
    for (const [key, lines] of facts)
      expect(orderExplanation(lines, key)).toEqual(orderExplanation(journalLines(path), key))
    expect(facts.length).toBe(4)
    const replayed = new ReplayedRun(journalLines(path))
    expect(replayed.moment(0).strategyState).toBeUndefined()
    expect(replayed.moment(replayed.atTime(START + 45_000)).strategyState).toContain('{"orders":2,')
    const [event] = replayed.events(0, replayed.length).filter(({ type }) => type === 'strategy-state')
    expect(event?.words).toBe('{"orders":0,"last":""}')
  })

  it('does not change during a warm-up', async () => {
    const from = new Date(START + 50_000).toISOString()
    await backtest({
      ...{ strategy: counter, tapes: { A_USD: tape }, limits: false, bounds: false, from, warmup: '50s' },
      out: join(folder, 'warmed'),
    })
    const states = statesOf('warmed') as readonly { readonly t: number; readonly value: { readonly orders: number } }[]
    expect(states.map(({ t, value }) => [t - START, value.orders])).toEqual([
      ...[[50_000, 0], [60_000, 1], [80_000, 2]], // prettier-ignore
    ])
  })
})
