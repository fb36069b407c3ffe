/** Parameters that an operator changes: what is saved, and what a later session makes of it. */
import { join } from 'node:path'
import { EMPTY } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { changeParams, continuedParams, type AdjustedSession } from '../../../src/runtime/live/param-changes.ts'
import type { ParamValues } from '../../../src/runtime/strategies/params.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { persistedParams } from '../../../src/store/state/live/persisted-params.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy/strategy.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const PARAMS = z.object({
  symbol: z.string(),
  fast: z.int().min(1).default(10),
  slow: z.int().default(30),
  limit: z.int().optional(),
})
const mineWith = (params: z.ZodObject): Strategy => defineStrategy({ name: 'mine', params, run: () => EMPTY })
const SIMPLE = mineWith(PARAMS)
const TRANSFORMED = mineWith(PARAMS.extend({ twice: z.int().transform((value) => value * 2) }))

let state: LiveState
let count = 0
let said: string[] = []

beforeEach(() => {
  state = LiveState.openOrMake(join(folder, `${(count += 1)}.db`))
  said = []
})
afterEach(() => {
  state.close()
})

class Running implements AdjustedSession {
  readonly strategy: Strategy
  readonly owner: string
  readonly symbols = ['BTC_USD', 'ETH_USD']
  readonly restarts: ParamValues[] = []
  params: ParamValues
  refusal: Error | undefined

  constructor(params: ParamValues, strategy = SIMPLE, owner = 'mine') {
    this.params = params
    this.strategy = strategy
    this.owner = owner
  }

  restart(params: ParamValues, changed: ParamValues, begin: () => void): void {
    if (this.refusal !== undefined) throw this.refusal
    begin()
    this.params = params
    this.restarts.push(changed)
  }
}

const CONFIGURED = { symbol: 'BTC_USD', fast: 10, slow: 30 }

const set = (session: Running, values: Readonly<Record<string, string>>): string =>
  changeParams({ owner: undefined, values }, [session], { state, now: 1_700_000_000_000 }).message

const next = (configured: ParamValues, strategy = SIMPLE): ParamValues =>
  continuedParams(state, { owner: 'mine', strategy, configured }, (text) => said.push(text))

it('a change is saved with what was configured, and given back by the value that was configured', () => {
  const session = new Running(CONFIGURED)
  set(session, { fast: '12', limit: '5' })
  set(session, { fast: '13' })
  const since = 1_700_000_000_000
  expect(persistedParams(state, 'mine')).toEqual({
    fast: { value: 13, configured: 10, since },
    limit: { value: 5, configured: null, since },
  })
  expect(next(CONFIGURED)).toEqual({ ...CONFIGURED, fast: 13, limit: 5 })
  expect(said).toEqual([
    'continues with fast=13, which an operator set at 2023-11-14T22:13:20.000Z',
    'continues with limit=5, which an operator set at 2023-11-14T22:13:20.000Z',
  ])
  set(session, { fast: '10' })
  expect(Object.keys(persistedParams(state, 'mine'))).toEqual(['limit'])
})

it('a change is given up once the user configures another value, or the strategy refuses it', () => {
  const session = new Running(CONFIGURED)
  set(session, { fast: '12', slow: '50' })
  expect(next({ ...CONFIGURED, fast: 11 })).toEqual({ ...CONFIGURED, fast: 11, slow: 50 })
  expect(said[0]).toBe(
    'gives up fast=12, which an operator set at 2023-11-14T22:13:20.000Z, because fast is configured otherwise now',
  )
  // Not again, when the user goes back.
  expect(next(CONFIGURED)).toEqual({ ...CONFIGURED, slow: 50 })
  const narrower = mineWith(PARAMS.extend({ slow: z.int().max(40).default(30) }))
  expect(next(CONFIGURED, narrower)).toEqual(CONFIGURED)
  expect(said.at(-1)).toContain('because the strategy no longer accepts it')
  expect(persistedParams(state, 'mine')).toEqual({})
})

it('nothing is saved that the strategy refuses', () => {
  const session = new Running(CONFIGURED)
  session.refusal = new Error('no')
  expect(() => set(session, { fast: '12' })).toThrow('no')
  expect(persistedParams(state, 'mine')).toEqual({})
})

it('a market and a transformed parameter cannot change', () => {
  expect(() => set(new Running(CONFIGURED), { symbol: 'ETH_USD' })).toThrow(
    'params.symbol: names the market BTC_USD, and cannot change: a session trades the markets that it began with',
  )
  const transformed = new Running({ ...CONFIGURED, twice: 4 }, TRANSFORMED)
  expect(() => set(transformed, { fast: '12' })).toThrow(
    'params.twice: cannot change while a session runs, because its schema transforms it',
  )
})

it('names the strategies that run when it is not clear which one is meant', () => {
  const both = ['one', 'two'].map((owner) => new Running(CONFIGURED, SIMPLE, owner))
  const ask =
    (owner: string | undefined, sessions = both) =>
    (): unknown =>
      changeParams({ owner, values: { fast: '12' } }, sessions, { state, now: 0 })
  expect(ask(undefined)).toThrow('NAME: expected the name of a strategy; running: one, two')
  expect(ask('tow')).toThrow("NAME: no strategy 'tow' is running; running: one, two; did you mean 'two'?")
  expect(ask(undefined, [])).toThrow('none is running')
  expect(ask('two')()).toEqual({ isDone: true, message: 'two starts again with fast=12' })
  expect(both.map(({ restarts }) => restarts)).toEqual([[], [{ fast: 12 }]])
})
