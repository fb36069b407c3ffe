/**
 * `papertape live set` and `papertape paper set`: the strategy starts again with other parameters, keeps its orders and
 * its state, and continues with them after kill -9.
 */
import { expect, it } from 'vitest'
import type { CliResult } from '../rig/cli-result.ts'
import { runCli } from '../rig/run-cli.ts'
import { liveCases } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'

const inCase = liveCases()

/** Rests one order at its price in its whole life, and says what it runs with. */
const RESTS = `
import { defineStrategy } from 'papertape'
import { interval, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'rests',
  params: z
    .object({ symbol: z.string(), price: z.string().default('30000'), most: z.int().default(1), pause: z.int().default(1) })
    .refine(({ most, pause }) => most >= pause, { path: ['most'], message: 'expected most to be at least pause' }),
  run: ({ params: { symbol, price, most }, state, log, openOrders, buyLimit }) => {
    if (price === 'bad') throw new Error('bad is no price')
    const memory = state(z.object({ starts: z.int().default(0) }))
    memory.set({ starts: memory.value.starts + 1 })
    log('start ' + memory.value.starts + ' at ' + price + ' with ' + openOrders().length + ' open')
    return interval(50).pipe(map((tick) => {
      return openOrders().length < most && tick % 10 === 0 ? buyLimit(symbol, price, '0.001') : undefined
    }))
  },
})
`

/** Buys at each trade, and says which one it was. */
const BUYS = `
import { defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buys',
  params: z.object({ symbol: z.string(), name: z.string().default('a') }),
  run: ({ params: { symbol, name }, trades, log, buyLimit }) =>
    trades(symbol).pipe(
      map(({ price }) => {
        log(name + ' sees ' + price.toFixed())
        return buyLimit(symbol, '30000', '0.001', { tag: name + ' ' + price.toFixed() })
      }),
    ),
})
`

for (const command of ['live', 'paper'] as const) {
  it(`${command}: set`, () =>
    inCase({}, async ({ folder, start }) => {
      const state = ['--state', `${folder}/state`]
      const args = ['--symbol', 'BTC_USD', ...(command === 'paper' ? state : [])]
      const operator = (...words: string[]): Promise<CliResult> =>
        runCli([command, ...words, ...state], { cwd: folder })

      const first = start(RESTS, { command, args })
      await first.until('start 1 at 30000 with 0 open')
      await eventually(() => first.rows('orders.csv').length > 0 || first.journal('acknowledged').length > 0, () => first.output) // prettier-ignore
      const [placed] = first.journal('place')

      expect(await operator('set', 'price=31000', 'most=2')).toEqual({
        ...{ code: 0, stdout: 'rests starts again with price=31000 most=2\n', stderr: '' },
      })
      await first.until('restarted by an operator with price=31000 most=2')
      await first.until('start 2 at 31000 with 1 open')
      const changed = { price: '31000', most: 2 }
      expect(first.journal('params')).toEqual([
        { t: expect.any(Number), type: 'params', params: { symbol: 'BTC_USD', pause: 1, ...changed }, changed },
      ])
      await eventually(() => first.journal('acknowledged').length === 2, () => first.output) // prettier-ignore
      expect(first.journal('place').map(({ request }) => (request as { price: string }).price)).toEqual([
        (placed?.request as { price: string } | undefined)?.price,
        '31000',
      ])

      const refusals: readonly (readonly [string, string])[] = [
        ['prise=1', "params.prise: strategy 'rests' has no such parameter; did you mean 'price'?"],
        ['most=many', "params.most: expected a number, got 'many'"],
        ['most=0', 'params.most: expected most to be at least pause'],
        ['symbol=ETH_USD', 'params.symbol: names the market BTC_USD, and cannot change: a session trades the markets'],
        ['price=bad', 'bad is no price'],
      ]
      for (const [change, why] of refusals) {
        const { code, stderr } = await operator('set', change)
        expect([code, stderr]).toEqual([1, expect.stringContaining(`papertape: nothing was changed: ${why}`)])
      }
      expect((await operator('set', 'best', 'most=2')).stderr).toContain(
        "no strategy 'best' is running; running: rests; did you mean 'rests'?",
      )
      expect((await operator('set', 'rests', 'most=2')).stdout).toBe('rests has most=2 already\n')
      expect((await operator('set', 'rests')).stderr).toContain('expected a parameter and its value, such as fast=12')
      expect(first.output).not.toContain('start 3')
      expect((await operator('status')).stdout).toMatch(
        /^rests has price=31000 since [0-9:.TZ-]+; configured is price=30000$/m,
      )

      first.signal('SIGKILL')
      await first.ended
      expect((await operator('set', 'most=3')).stderr).toContain(
        'no session is running: start it with other parameters',
      )

      const second = start(RESTS, { command, args })
      await second.until('start 3 at 31000 with 2 open')
      expect(second.output).toContain('continues with price=31000, which an operator set at ')
      expect((await operator('set', 'most=1')).stdout).toBe('rests starts again with most=1\n')
      await second.until('start 4 at 31000 with 2 open')
      expect(await second.stop()).toBe(0)
      const { params, paramChanges, notices } = second.report()
      expect([params.most, paramChanges]).toEqual([2, [{ time: expect.any(Number), changed: { most: 1 } }]])
      expect(notices).toContainEqual(expect.stringMatching(/^An operator changed most=1 at [0-9:.TZ-]+\.$/))

      const third = start(RESTS, { command, args: [...args, '--param', 'price=32000'] })
      await third.until(/start 5 at 32000/)
      expect(third.output).toMatch(/gives up price=31000, which an operator set at .*, because price is configured/)
      expect((await operator('status')).stdout).not.toContain('configured is')
      expect(await third.stop()).toBe(0)
    }))

  it(`${command}: set for a ready strategy`, () =>
    inCase({}, async ({ folder, start }) => {
      const state = ['--state', `${folder}/state`]
      const args = ['--symbol', 'BTC_USD', ...(command === 'paper' ? state : [])]
      const session = start([], { command, args, strategies: ['sma-cross'] })
      await session.started()
      expect((await runCli([command, 'set', 'fast=12', 'slow=40', ...state], { cwd: folder })).stdout).toBe(
        'sma-cross starts again with fast=12 slow=40\n',
      )
      const needed = (): string => JSON.stringify(session.journal('params').map(({ changed }) => changed))
      expect(needed()).toBe('[{"fast":12,"slow":40}]')
      const waits = (): Promise<CliResult> => runCli([command, 'status', ...state], { cwd: folder })
      await eventually(async () => (await waits()).stdout.includes('of 40 candles of BTC_USD, 1m'), () => session.output) // prettier-ignore
      expect(await session.stop()).toBe(0)
    }))

  it(`${command}: set shows the new instance the history of a warm-up, and sends nothing for it`, () =>
    inCase({}, async ({ venue, folder, start }) => {
      const state = ['--state', `${folder}/state`]
      const args = ['--symbol', 'BTC_USD', '--warmup', '10m', ...(command === 'paper' ? state : [])]
      const session = start(BUYS, { command, args })
      await session.started()
      await repeating(() => venue.trade('42000'), session.until('a sees 42000'))
      expect((await runCli([command, 'set', 'name=b', ...state], { cwd: folder })).code).toBe(0)
      await session.until('b sees 42000')
      await repeating(() => venue.trade('42001'), session.until('b sees 42001'))
      expect(session.output).not.toContain('a sees 42001')
      const tags = new Set(session.journal('place').map(({ tag }) => tag))
      expect(tags).toEqual(new Set(['a 42000', 'b 42001']))
      expect(await session.stop()).toBe(0)
    }))
}
