/** Scenarios: troubles of a market at planned times, as JSON; three are ready to use. */
import { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts'
import { duration, readDuration } from '../../runtime/settings/form.ts'
import { faultRequest, type FaultPlan } from '../faults/fault-plan.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError } from '../envelope/service-error.ts'

/** An action with everything it needs. */
export type ScenarioAction =
  /** News that moves the fair value of the agents by a fraction of it. */
  | { readonly type: 'news'; readonly symbol: string; readonly move: number }
  /** All agents of a market cancel their orders, and send none until they return. */
  | { readonly type: 'withdraw'; readonly symbol: string }
  | { readonly type: 'return'; readonly symbol: string }
  | { readonly type: 'pause'; readonly symbol: string; readonly reason: string }
  /** Ends a pause with that reason; undefined, as in older snapshots, for any. */
  | { readonly type: 'resume'; readonly symbol: string; readonly reason?: string | undefined }
  | { readonly type: 'fault'; readonly request: z.output<typeof faultRequest> }

/** An action to come. */
export interface ScenarioStep {
  /** Unix milliseconds. */
  readonly time: number
  readonly action: ScenarioAction
}

const when = {
  after: duration.schema
    .optional()
    .meta({ description: 'time since the start of the scenario; default: none', examples: ['10m'] }),
  at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day (UTC) such as 10:00')
    .optional()
    .meta({ description: 'next time of day (UTC), instead of `after`', examples: ['10:00'] }),
}
const length = duration.schema.meta({ description: 'how long it lasts', examples: ['5m'] })
const symbol = z.string().meta({ examples: ['BTC_USD'] })
const percent = z.number().gt(-100).max(1_000).meta({ description: 'change of the price in percent, such as -20' })

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('news'), ...when, symbol, percent }),
  z.strictObject({ do: z.literal('move'), ...when, symbol, percent, over: length }),
  z.strictObject({ do: z.literal('withdraw'), ...when, symbol, for: length }),
  z.strictObject({
    do: z.literal('pause'),
    ...when,
    symbol,
    for: length,
    reason: z.string().min(1).max(200).default('by a scenario'),
  }),
  z.strictObject({ do: z.literal('fault'), ...when, fault: faultRequest }),
])

/** Schema of a scenario. */
export const scenarioSchema = z.strictObject({ steps: z.array(step).min(1).max(1_000) }).meta({ id: 'Scenario' })

/** Time of a step: one of the fields, or neither for at once. */
interface When {
  /** Time since the start of the scenario, such as `10m`. */
  readonly after?: string | undefined
  /** Time of day (UTC), such as `10:00`: the next one. */
  readonly at?: string | undefined
}

/** A step of a scenario; see docs/emulator.md. */
export type PlannedStep = When &
  (
    | { readonly do: 'news'; readonly symbol: string; readonly percent: number }
    | { readonly do: 'move'; readonly symbol: string; readonly percent: number; readonly over: string }
    | { readonly do: 'withdraw'; readonly symbol: string; readonly for: string }
    | { readonly do: 'pause'; readonly symbol: string; readonly for: string; readonly reason?: string | undefined }
    | { readonly do: 'fault'; readonly fault: FaultPlan }
  )

/** A scenario: steps with their times after its start. */
export interface Scenario {
  /** 1 to 1,000 steps, in any order. */
  readonly steps: readonly PlannedStep[]
}

type Step = z.output<typeof step>

/** Ready scenario for one market, by its name. */
export interface ReadyScenario {
  /** Name of the scenario: `flash-crash`, `news-shock` or `bad-connection`. */
  readonly ready: string
  /** Symbol of the market. */
  readonly market: string
}

/** Name of the market in the ready scenarios, to be replaced. */
const MARKET = '*'

/** Ready scenarios by name, for any market. */
const READY: ReadonlyMap<string, Scenario> = new Map([
  [
    'flash-crash',
    {
      steps: [
        { do: 'move', after: '1m', symbol: MARKET, percent: -20, over: '1m' },
        { do: 'withdraw', after: '90s', symbol: MARKET, for: '2m' },
        { do: 'move', after: '10m', symbol: MARKET, percent: 15, over: '5m' },
      ],
    },
  ],
  [
    'news-shock',
    {
      steps: [
        { do: 'pause', after: '1m', symbol: MARKET, for: '30s', reason: 'news' },
        { do: 'news', after: '1m', symbol: MARKET, percent: 8 },
        { do: 'move', after: '5m', symbol: MARKET, percent: -4, over: '10m' },
      ],
    },
  ],
  [
    'bad-connection',
    {
      steps: [
        { do: 'fault', after: '1m', fault: { fault: 'engine-timeout-after', route: 'POST /orders', count: 3 } },
        { do: 'fault', after: '2m', fault: { fault: 'stream-drop', route: 'GET /ws', count: 1 } },
        {
          do: 'fault',
          after: '3m',
          fault: { fault: 'engine-timeout-before', route: 'DELETE /orders/{orderId}', count: 2 },
        },
        { do: 'fault', after: '4m', fault: { fault: 'service-unavailable', route: '*', probability: 0.2, count: 20 } },
      ],
    },
  ],
])

/** Names of the ready scenarios. */
const READY_SCENARIOS: readonly string[] = [...READY.keys()]

/** Schema of the body that names a ready scenario. */
export const readySchema = z.strictObject({
  ready: z.enum(READY_SCENARIOS),
  market: z.string().meta({ examples: ['BTC_USD'] }),
})

function scenarioOf(given: unknown): z.output<typeof scenarioSchema> {
  if (typeof given !== 'object' || given === null || !('ready' in given)) return shapeOf(scenarioSchema, given)
  const { ready, market } = shapeOf(readySchema, given)
  const steps = READY.get(ready)?.steps ?? []
  return shapeOf(scenarioSchema, {
    steps: steps.map((each) => ('symbol' in each ? { ...each, symbol: market } : each)),
  })
}

/**
 * Actions of a scenario in the order of their times.
 *
 * @param given  a scenario, or the name of a ready one
 * @param start  Unix milliseconds
 * @throws {ServiceError} naming a wrong field
 */
export function stepsOf(given: unknown, start: number): readonly ScenarioStep[] {
  const { steps } = scenarioOf(given)
  const actions = steps.flatMap((each) => actionsOf(each, timeOf(each, start)))
  if (actions.length > MAX_ACTIONS) throw fieldError('steps', `come to more than ${MAX_ACTIONS} actions`)
  return actions.sort((a, b) => a.time - b.time)
}

function timeOf({ after, at }: Step, start: number): number {
  if (after !== undefined && at !== undefined) throw fieldError('at', 'cannot be combined with after')
  if (after !== undefined) return start + readDuration('after', after)
  if (at === undefined) return start
  const [hours = '', minutes = ''] = at.split(':')
  const ofDay = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
  const today = start - (start % DAY_MS) + ofDay
  return today < start ? today + DAY_MS : today
}

function actionsOf(each: Step, time: number): readonly ScenarioStep[] {
  switch (each.do) {
    case 'news':
      return [{ time, action: { type: 'news', symbol: each.symbol, move: each.percent / 100 } }]
    case 'move':
      return movesOf(each, time)
    case 'withdraw':
      return [
        { time, action: { type: 'withdraw', symbol: each.symbol } },
        { time: time + readDuration('for', each.for), action: { type: 'return', symbol: each.symbol } },
      ]
    case 'pause':
      return [
        { time, action: { type: 'pause', symbol: each.symbol, reason: each.reason } },
        {
          time: time + readDuration('for', each.for),
          action: { type: 'resume', symbol: each.symbol, reason: each.reason },
        },
      ]
    case 'fault':
      return [{ time, action: { type: 'fault', request: each.fault } }]
  }
}

/** An action in words. */
export function actionText(action: ScenarioAction): string {
  switch (action.type) {
    case 'news':
      return `${action.symbol}: news that move the price by ${(action.move * 100).toFixed(2)} %`
    case 'withdraw':
      return `${action.symbol}: all agents withdraw`
    case 'return':
      return `${action.symbol}: all agents return`
    case 'pause':
      return `${action.symbol}: paused, ${action.reason}`
    case 'resume':
      return `${action.symbol}: resumed`
    case 'fault':
      return `fault ${action.request.fault} at ${action.request.route}`
  }
}

/** Actions of one scenario. */
const MAX_ACTIONS = 10_000

/** Longest series of news of one move. */
const MAX_NEWS = 600

/** Equal news one after the other, one a second if they are few enough, that add up to the whole move. */
function movesOf(
  { symbol: market, percent: whole, over }: Extract<Step, { do: 'move' }>,
  start: number,
): ScenarioStep[] {
  const length = readDuration('over', over)
  const count = Math.max(1, Math.min(MAX_NEWS, Math.floor(length / SECOND_MS)))
  const move = (1 + whole / 100) ** (1 / count) - 1
  return Array.from({ length: count }, (_, index) => ({
    time: start + Math.round((length * (index + 1)) / count),
    action: { type: 'news', symbol: market, move },
  }))
}
