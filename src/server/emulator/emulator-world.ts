/**
 * The world of an emulator before anyone listens to it: markets, what trades in them, their users and their time.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime, type Clock } from '../../domain/time.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { recordedDepths } from '../../simulation/depth/recorded-depths.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { cancelAbandonedOrders, startAgents } from './emulator-agents.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import type { EmulatorPlan } from './emulator-plan.ts'
import { openState, type EmulatorState } from './emulator-state.ts'
import { creditUsers, makeUsers, type EmulatorUser, type MadeUsers } from './emulator-users.ts'
import { ReplayClock } from '../../simulation/clocks/replay-clock.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import { RunningClock } from '../../simulation/clocks/running-clock.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { ReplayPump } from '../service/replay-pump.ts'
import { ServicePump, type Pump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'
import { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'

export interface EmulatorWorld {
  readonly state: EmulatorState
  readonly simulated: SimulatedMarkets
  readonly clock: Clock
  /** Undefined when no tape is played. */
  readonly replay: PacedReplay | undefined
  /** With the keys that were made now. */
  readonly users: readonly EmulatorUser[]
  /** What is put off until somebody asks for the market; undefined when nothing is. */
  readonly begin: (() => void) | undefined
  /** Undefined when the time moves only when it is told to. */
  readonly pump: ((service: Service, onError: (error: unknown) => void) => Pump) | undefined
}

const DEFAULT_START = Date.UTC(2024, 0, 1)
const DEFAULT_SEED = 1
/** What the agents have traded when a new emulator begins, so that there are candles and a ticker to look at. */
const WARM_UP_MS = 2 * 3_600_000

/**
 * Makes a world, or goes on with the one that was kept.
 *
 * @param onFailure  hears once that the state cannot be written, or that a tape cannot be read any further
 * @throws {InputError} for a state that cannot be used
 */
export async function makeWorld(
  plan: EmulatorPlan,
  options: EmulatorOptions,
  onFailure: (error: unknown) => void,
): Promise<EmulatorWorld> {
  const { state: file, seed = DEFAULT_SEED, virtualClock = false } = options
  const state = await openState({ file, fresh: plan.exchange, seed: virtualClock ? seed : undefined, onFailure })
  try {
    const start = startTime(options, state)
    const clock = clockOf(options, start)
    if (virtualClock) state.keepTime(start)
    const simulated = marketOf(plan, state, start)
    // A start that failed may have left a state without users.
    const areUsersMissing = state.users.users.length === 0
    const made = makeUsers(areUsersMissing || plan.areUsersGiven ? plan.users : [], state.users)
    const begin = (): void => {
      if (!state.isNew) cancelAbandonedOrders(state.exchange, start)
      if (plan.hasAgents) startAgents(simulated, seed)
      runUntil(simulated, start)
      credit(made, simulated)
    }
    // Two hours of agents take longer than all the rest. What is kept is kept before anybody is told.
    const isPutOff = plan.hasAgents && file === undefined
    if (!isPutOff) begin()
    const replay = await beginReplay(plan, simulated, onFailure)
    // Their keys are shown once, so they are safe before that.
    await state.durable()
    const parts = { state, simulated, clock, replay, users: made.users }
    return { ...parts, begin: isPutOff ? begin : undefined, pump: pumpOf(clock, replay, options) }
  } catch (error) {
    state.close()
    throw error
  }
}

function credit({ creditsById }: MadeUsers, simulated: SimulatedMarkets): void {
  creditUsers(creditsById, (command) => simulated.execute(command), simulated.queue.now())
}

function pumpOf(clock: Clock, replay: PacedReplay | undefined, { speed = 1 }: EmulatorOptions): EmulatorWorld['pump'] {
  if (clock instanceof VirtualClock) return undefined
  return (service, onError) =>
    clock instanceof ReplayClock && replay !== undefined
      ? new ReplayPump(service, replay, clock, onError)
      : new ServicePump(service, onError, speed === 'max' ? 1 : speed)
}

/** Time does not go back, whatever the machine or the user says. */
function startTime({ virtualClock = false, start }: EmulatorOptions, { time }: EmulatorState): number {
  if (!virtualClock) return Math.max(MACHINE_CLOCK.now(), time)
  if (start === undefined) return time === 0 ? DEFAULT_START : time
  if (start >= time) return start
  throw new InputError(
    setting('start'),
    `the saved state is already at ${isoTime(time)}: give that time or a later one`,
  )
}

function clockOf({ virtualClock = false, speed = 1 }: EmulatorOptions, start: number): Clock {
  if (virtualClock) return new VirtualClock(start)
  return speed === 'max' ? new ReplayClock(start, MACHINE_CLOCK) : new RunningClock(start, MACHINE_CLOCK, speed)
}

function marketOf(
  { hasAgents, replay }: EmulatorPlan,
  { exchange, isNew }: EmulatorState,
  start: number,
): SimulatedMarkets {
  const begin = hasAgents && isNew ? Math.max(0, start - WARM_UP_MS) : start
  // Where nothing was recorded the crowd has nothing to offer, whatever its model.
  const depths = recordedDepths(replay?.books ?? [])
  const modelOf = (symbol: string): LiquidityModel =>
    replay?.modelOf(symbol, depths.get(symbol)) ?? new IdealLiquidity()
  const recorded = new Set(replay?.tapes.map(({ tape }) => tape.info.symbol))
  return new SimulatedMarkets(exchange, new EventQueue(begin), modelOf, recorded, new Map(), depths)
}

/** Lets everything before `time` happen. */
function runUntil({ queue }: SimulatedMarkets, time: number): void {
  while (queue.nextTime < time) queue.runNext()
  queue.advance(time)
}

/** Plays the tapes from now on: their first trade is at the present time of the market. */
async function beginReplay(
  { replay: recorded }: EmulatorPlan,
  simulated: SimulatedMarkets,
  onError: (error: unknown) => void,
): Promise<PacedReplay | undefined> {
  if (recorded === undefined) return undefined
  const { tapes, books, from } = recorded
  const replay = new PacedReplay(simulated, { tapes, books, shiftMs: simulated.queue.now() - from, onError })
  await replay.begin()
  return replay
}
