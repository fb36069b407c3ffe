/** The world of an emulator before it is served: markets, traders, users and time. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime, type Clock } from '../../domain/time.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { recordedDepths } from '../../simulation/depth/recorded-depth.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { cancelAbandonedOrders, startAgents } from './emulator-agents.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import type { EmulatorPlan } from './emulator-plan.ts'
import { openState, type EmulatorState } from './emulator-state.ts'
import { creditUsers, makeUsers, type EmulatorUser, type MadeUsers } from './emulator-users.ts'
import { ReplayClock, RunningClock, VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { ReplayPump } from '../service/replay-pump.ts'
import { ServicePump, type Pump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'

export interface EmulatorWorld {
  readonly state: EmulatorState
  readonly simulated: SimulatedMarkets
  readonly clock: Clock
  /** Undefined without a tape. */
  readonly replay: PacedReplay | undefined
  /** Users with the keys created now. */
  readonly users: readonly EmulatorUser[]
  /** Work postponed until the first request; undefined if there is none. */
  readonly begin: (() => void) | undefined
  /** Undefined if time moves only on command. */
  readonly pump: ((service: Service, onError: (error: unknown) => void) => Pump) | undefined
}

const DEFAULT_START = Date.UTC(2024, 0, 1)
const DEFAULT_SEED = 1
/** Trading of the agents before the start of a new emulator, for initial candles and tickers. */
const WARM_UP_MS = 2 * 3_600_000

/**
 * Creates a world, or restores the saved one.
 *
 * @param onFailure  called once if the state cannot be written, or a tape cannot be read
 * @throws {InputError} for an unusable state
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
    // A failed start may have left a state without users.
    const areUsersMissing = state.users.users.length === 0
    const made = makeUsers(areUsersMissing || plan.areUsersGiven ? plan.users : [], state.users)
    const begin = (): void => {
      if (!state.isNew) cancelAbandonedOrders(state.exchange, start)
      if (plan.hasAgents) startAgents(simulated, seed)
      runUntil(simulated, start)
      credit(made, simulated)
    }
    // Two hours of agents take longer than everything else. With a state file they are saved before anyone can see
    // them, as one snapshot.
    const isPutOff = plan.hasAgents && file === undefined
    if (!isPutOff) {
      if (state.isNew) state.saveAtOnce(begin)
      else begin()
    }
    const replay = await beginReplay(plan, simulated, onFailure)
    // Keys are shown once, so they must be saved first.
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

/** Time never goes back, whatever the machine or the user sets. */
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
  // Markets without a recording have no crowd.
  const depths = recordedDepths(replay?.books ?? [])
  const modelOf = (symbol: string): LiquidityModel =>
    replay?.modelOf(symbol, depths.get(symbol)) ?? new IdealLiquidity()
  const recorded = new Set(replay?.tapes.map(({ tape }) => tape.info.symbol))
  return new SimulatedMarkets(exchange, new EventQueue(begin), modelOf, recorded, new Map(), depths)
}

/** Executes everything before `time`. */
function runUntil({ queue }: SimulatedMarkets, time: number): void {
  while (queue.nextTime < time) queue.runNext()
  queue.advance(time)
}

/** Replays the tapes with their first trade at the present market time. */
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
