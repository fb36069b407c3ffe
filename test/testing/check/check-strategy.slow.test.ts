/**
 * The check on strategies with one seeded fault each, on honest ones, and on those that come with papertape.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { map, NEVER, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readyStrategies } from '../../../src/runtime/strategies/ready-strategies.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import { checkStrategy, type CheckResult } from '../../../src/testing/check/check-strategy.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(HERE, folder)).map((file) => join(HERE, folder, file))
const nameOf = (file: string): string => basename(file, '.ts')

/** Beyond what a module remembers. */
const KIND_OF: Readonly<Record<string, string>> = { 'memory-beyond': 'memory', silence: 'throws' }
const MAX_ROWS = 20

const check = (strategy: string, runs: number, seed = 1): Promise<CheckResult> =>
  checkStrategy({ strategy, runs, seed })
const kindsIn = ({ findings }: CheckResult): readonly string[] => findings.map(({ kind }) => kind)

describe('a seeded fault', () => {
  it.each(filesIn('faulty').map((file) => [nameOf(file), file] as const))(
    'is found, and shown in a few rows: %s',
    async (name, file) => {
      const result = await check(file, 30)
      const kind = KIND_OF[name] ?? name
      expect(kindsIn(result)).toContain(kind)
      const found = result.findings.find((each) => each.kind === kind)
      expect(found?.rows).toBeLessThanOrEqual(MAX_ROWS)
    },
  )
})

describe('a strategy without a fault', () => {
  it.each(filesIn('honest').map((file) => [nameOf(file), file] as const))('gets no finding: %s', async (_, file) => {
    expect(await check(file, 30)).toMatchObject({ tried: 30, slow: 0, findings: [] })
  })

  it.each(readyStrategies())('%s, which comes with papertape, gets no finding', async (name) => {
    expect(await check(name, 30)).toMatchObject({ tried: 30, slow: 0, findings: [] })
  })
})

/** So short that they act on the few rows of a check. */
const QUICK: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'rsi-reversion': { length: '2', interval: '1m' },
  'donchian-breakout': { length: '2', interval: '1m' },
  rebalancer: { every: '1m' },
  'opening-hours': { opens: '00:05', closes: '00:20', zone: 'UTC' },
  pairs: { length: '3', interval: '1m', enter: '0.9' },
}

describe('a ready strategy in a hurry', () => {
  it.each(Object.entries(QUICK))('orders, and is shown nothing: %s', async (strategy, paramTexts) => {
    const result = await checkStrategy({ strategy, paramTexts, runs: 30 })
    expect(result).toMatchObject({ tried: 30, slow: 0, findings: [] })
  })
})

describe('a check', () => {
  const file = join(HERE, 'faulty', 'crosses-itself.ts')

  it('of the same seed finds the same, and of another seed makes up other markets', async () => {
    const one = await check(file, 15)
    expect(one.findings.length).toBeGreaterThan(0)
    expect(await check(file, 15)).toEqual(one)
    expect((await check(file, 15, 2)).findings).not.toEqual(one.findings)
  })

  it('finds what shows only after two hundred rows', async () => {
    let trades = 0
    const late = defineStrategy({
      name: 'late',
      params: z.object({ symbol: z.string() }),
      run: ({ params: { symbol }, trades: trades$ }) => {
        trades = 0
        return trades$(symbol).pipe(
          map(() => {
            trades += 1
            if (trades > 200) throw new Error('after two hundred')
            return []
          }),
        )
      },
    })
    const { findings } = await checkStrategy({ strategy: () => late, runs: 60 })
    expect(findings).toMatchObject([{ kind: 'throws', text: 'after two hundred', rows: 201 }])
  })

  it('finds the markets that a strategy asks for', async () => {
    const asked: string[] = []
    const choosy = defineStrategy({
      name: 'choosy',
      params: z.object({ other: z.string().default('DOGE_EUR') }),
      run: ({ params: { other }, markets, market, trades }) => {
        asked.push(...markets.map(({ symbol }) => symbol))
        market('SOL_EUR')
        return trades(other).pipe(map(() => []))
      },
    })
    const { findings } = await checkStrategy({ strategy: () => choosy, runs: 3 })
    expect(findings).toEqual([])
    expect(new Set(asked)).toEqual(new Set(['BTC_USD', 'DOGE_EUR', 'SOL_EUR']))
  })

  it('ends when the time is up, and says how far it came', async () => {
    let now = 0
    const quiet = defineStrategy({ name: 'quiet', params: z.object({}), run: () => NEVER })
    const clock = (): number => (now += 1_000)
    const result = await checkStrategy({ strategy: () => quiet, runs: 500, searchMs: 5_000, clock })
    expect(result).toMatchObject({ runs: 500, tried: 5, findings: [] })
  })

  it('refuses what cannot be tried', async () => {
    const broken = defineStrategy({
      name: 'broken',
      params: z.object({ must: z.string() }),
      run: () => timer(1).pipe(map(() => [])),
    })
    await expect(checkStrategy({ strategy: () => broken })).rejects.toThrow(/^params.must: /)
  })
})
