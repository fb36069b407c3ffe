/** The world of an emulator before it is served: markets, traders, users and time. */
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { CROWD } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { type Clock, isoTime } from '../../domain/time.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { accountsOfAgents, AgentPopulation } from '../../simulation/agents/agent-population.ts'
import { agentTermsOf } from '../../simulation/agents/agent-terms.ts'
import { ReplayClock, RunningClock, VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { recordedDepths } from '../../simulation/depth/recorded-depth.ts'
import { EVENT_KIND, EventQueue } from '../../simulation/event-queue.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import type { PlayedTape } from '../../simulation/replay/tape-channel.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { stirredSeed } from '../../simulation/stirred-seed.ts'
import { restoreExchange } from '../../exchange/restore-exchange.ts'
import { Faults } from '../faults/faults.ts'
import { isLoopback } from '../http/address.ts'
import type { UserRegistry } from '../service/user-registry.ts'
import type { RateWindowState } from '../../domain/rate-window.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { ReplayPump } from '../service/replay-pump.ts'
import { SeededSecrets, type Secrets } from '../service/secrets.ts'
import { type Pump, ServicePump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'
import type { ScenarioStep } from '../worlds/scenario.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import { type EmulatorState, inMemory, openState } from './emulator-state.ts'
import type { EmulatorPlan, FirstWorld } from './emulator-plan.ts'
import { creditUsers, type EmulatorUser, type MadeUsers, makeUsers } from './emulator-users.ts'
import type { MirroredMarkets } from './mirrored-markets.ts'

/** A trade every few seconds in each market. */
const LIVELY_PACE = 20

/**
 * Starts agents in every market, at the present time of its queue.
 *
 * In a market with trades they continue from its last price, with their existing balances.
 *
 * @param secrets  random numbers that cannot be computed from a seed, instead of `seed`
 */
function startAgents(simulated: SimulatedMarkets, seed: number, secrets?: Secrets): readonly AgentPopulation[] {
  const { exchange, queue } = simulated
  return exchange.markets.map((market) => {
    const { symbol } = market
    const [last] = exchange.trades(symbol, 1)
    const usual = { ...agentTermsOf(market), pace: LIVELY_PACE }
    const terms = last === undefined ? usual : { ...usual, firstPrice: last.price }
    // Agents that continue must not repeat their random numbers.
    const ownSeed = stirredSeed(seed, symbol, last === undefined ? '' : String(queue.now()))
    const random = secrets === undefined ? xoroshiro128plus(ownSeed) : secretRandom(secrets.bytes(16))
    const agents = new AgentPopulation(simulated, symbol, terms, random)
    if (areCredited(exchange, symbol)) agents.resume()
    else agents.start()
    return agents
  })
}

/**
 * Cancels every open order of the crowd and of agents, which a restart forgets although it keeps the books; their
 * history has them as cancelled.
 *
 * @param time  Unix milliseconds, not before the exchange's
 */
export function cancelAbandonedOrders(exchange: Exchange, time: number): void {
  const agents = exchange.markets.flatMap(({ symbol }) => accountsOfAgents(symbol))
  for (const account of [CROWD, ...agents]) {
    for (const { id } of exchange.openOrders(account)) {
      exchange.execute({ type: 'cancel', time, account, orderId: id })
    }
  }
}

const secretRandom = (bytes: Buffer): ReturnType<typeof xoroshiro128plus> =>
  xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => bytes.readInt32LE(offset)))

const areCredited = (exchange: Exchange, symbol: string): boolean =>
  accountsOfAgents(symbol).some((account) =>
    Array.from(exchange.balances(account).values()).some(({ available, locked }) => available + locked > 0n),
  )

/** Parts of a restored world that its server has. */
type RestoredParts = Pick<WorldSnapshot, 'budgets' | 'faults' | 'scenario'>

export interface EmulatorWorld {
  readonly state: EmulatorState
  readonly simulated: SimulatedMarkets
  readonly clock: Clock
  /** Agents of each market; none before `begin`. */
  readonly agents: () => readonly AgentPopulation[]
  /** Undefined without a tape. */
  readonly replay: PacedReplay | undefined
  /** Users with the keys created now. */
  readonly users: readonly EmulatorUser[]
  /** Work postponed until the first request; undefined if there is none. */
  readonly begin: (() => void) | undefined
  /** Undefined if time moves only on command. */
  readonly pump: ((service: Service, onError: (error: unknown) => void) => Pump) | undefined
  /** Rate limits used so far, planned faults and scenarios of a restored world. */
  readonly restored?: RestoredParts
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
  const { exchange: fresh, extension } = plan
  const state = await openState({ file, fresh, seed: virtualClock ? seed : undefined, onFailure, extension })
  try {
    if (plan.saved !== undefined) return restoreFirst(plan.saved, options, state)
    const start = startTime(options, state)
    const clock = clockOf(options, start)
    if (virtualClock) state.saveTime(start)
    const simulated = marketOf(plan, state, start)
    const mirrored = await mirroredIn(plan, simulated, start)
    // A failed start may have left a state without users.
    const areUsersMissing = state.users.users.length === 0
    const made = makeUsers(areUsersMissing || plan.areUsersGiven ? plan.users : [], state.users)
    let agents: readonly AgentPopulation[] = []
    const begin = (): void => {
      if (!state.isNew) cancelAbandonedOrders(state.exchange, start)
      // Players of a contest could compute prices from a seed.
      if (plan.hasAgents) agents = startAgents(simulated, seed, virtualClock ? undefined : extension && state.secrets)
      mirrored?.begin(start, state.isNew)
      runUntil(simulated, start)
      credit(made, simulated)
    }
    // Two hours of agents take longer than everything else. With a state file they are saved before anyone can see
    // them, as one snapshot.
    const isPutOff = plan.hasAgents && file === undefined && extension === undefined
    if (!isPutOff) {
      if (state.isNew) state.saveAtOnce(begin)
      else begin()
    }
    const replay = await beginReplay(plan, simulated, onFailure)
    // Keys are shown once, so they must be saved first.
    await state.durable()
    const parts = { state, simulated, clock, replay, users: made.users, agents: () => agents }
    const pump = mirrored?.pump.bind(mirrored) ?? pumpOf(clock, replay, options)
    return { ...parts, begin: isPutOff ? begin : undefined, pump }
  } catch (error) {
    state.close()
    throw error
  }
}

/**
 * Continues from a snapshot. With the clock of the machine, nothing happens between the snapshot and now.
 *
 * @param previous  the state that is replaced
 * @param known     users whose keys are known
 * @throws {InputError} for a snapshot that does not fit together
 */
export function restoreWorld(
  saved: WorldSnapshot,
  options: EmulatorOptions,
  previous: EmulatorState,
  known: readonly EmulatorUser[],
): EmulatorWorld {
  const start = options.virtualClock === true ? saved.time : Math.max(MACHINE_CLOCK.now(), saved.time)
  const { secrets } = previous
  const state = { ...previous.replace(saved), secrets }
  if (secrets instanceof SeededSecrets) {
    secrets.position = saved.secrets ?? { seed: secrets.position.seed, life: 1, drawn: 0 }
  }
  const simulated = new SimulatedMarkets(state.exchange, new EventQueue(start), () => new IdealLiquidity())
  const agents = restoreAgents(saved, simulated)
  for (const [symbol, reason] of saved.pauses) simulated.pauses.pause(symbol, reason)
  const clock = clockOf(options, start)
  const users = state.users.users.map(({ id, email }) => ({ id, email, keys: keysOf(id, known, state.users) }))
  const restored = shiftedBy(start - saved.time, saved)
  const parts = { state, simulated, clock, users, agents: () => agents, restored }
  return { ...parts, replay: undefined, begin: undefined, pump: pumpOf(clock, undefined, options) }
}

/** Keys of a user that are known and valid. */
const keysOf = (id: string, known: readonly EmulatorUser[], users: UserRegistry): readonly string[] =>
  known.flatMap(({ keys }) => keys).filter((text) => users.callerOf(text)?.user.id === id)

/** Parts of a world that are restored by its server, with later times. */
function shiftedBy(ms: number, { budgets, faults, scenario }: WorldSnapshot): RestoredParts {
  const later = ({ openedAt, count }: RateWindowState): RateWindowState => ({
    openedAt: openedAt === null ? null : openedAt + ms,
    count,
  })
  return {
    budgets: budgets.map(({ key, general, mutations }) => ({
      key,
      general: later(general),
      mutations: later(mutations),
    })),
    faults,
    scenario: scenario.map(({ time, action }) => ({ time: time + ms, action })),
  }
}

/**
 * Restores a snapshot once for nothing, so that one that cannot be restored replaces no world.
 *
 * @returns why it cannot be restored here; undefined if it can
 */
export function restorationFault(saved: WorldSnapshot, options: EmulatorOptions): string | undefined {
  const { host = '127.0.0.1', virtualClock, seed = DEFAULT_SEED } = options
  if (saved.secrets !== null && !isLoopback(host)) {
    return `it has keys that follow from the seed of a virtual clock: listen on 127.0.0.1 instead of ${host}`
  }
  try {
    const secrets = new SeededSecrets(seed)
    const scratch = { ...inMemory(restoreExchange(saved.exchange), [], secrets), secrets }
    restoreWorld(saved, { virtualClock }, scratch, [])
    new Faults([]).renew(saved.faults)
    return faultOfParts(saved)
  } catch (error) {
    return thrownText(error)
  }
}

function faultOfParts({ time, exchange, users, scenario }: WorldSnapshot): string | undefined {
  const ids = new Set(users.flatMap((entry) => (entry.type === 'user' ? [entry.user.id] : [])))
  const lost = users.find((entry) => entry.type === 'key' && !ids.has(entry.key.userId))
  if (lost !== undefined) return 'it has a key without a user'
  if (time < exchange.time) return 'its time is before that of its exchange'
  return scenario.some((step) => step.time < time) ? 'it has an action that is over' : undefined
}

/** @throws {InputError} for a snapshot that cannot be restored, or a state that has a world already */
function restoreFirst(saved: FirstWorld, options: EmulatorOptions, state: EmulatorState): EmulatorWorld {
  const fault = saved.isChecked ? undefined : restorationFault(saved.world, options)
  if (fault !== undefined) throw new InputError(options.world ?? 'snapshot', `cannot be restored: ${fault}`)
  if (state.isNew) return restoreWorld(saved.world, options, state, saved.known)
  const [world, file] = [setting('world'), setting('state')]
  throw new InputError(
    world,
    worded`needs a new file for ${file}: this one has a world already; leave out ${world} to continue it`,
  )
}

function restoreAgents({ agents, time }: WorldSnapshot, simulated: SimulatedMarkets): readonly AgentPopulation[] {
  const shiftMs = simulated.queue.now() - time
  const restored = agents.map((saved) => {
    // Each part of it continues with the random numbers that it had.
    const population = new AgentPopulation(simulated, saved.symbol, saved.terms, xoroshiro128plus(0))
    return { population, steps: population.restore(saved, shiftMs) }
  })
  const steps = restored.flatMap((each) => each.steps)
  for (const { schedule } of steps.sort((a, b) => a.sequence - b.sequence)) schedule()
  return restored.map(({ population }) => population)
}

/**
 * Takes a snapshot of a world at its present.
 *
 * @throws {InputError} for a world that follows recorded trades
 */
export function saveWorld(
  world: EmulatorWorld,
  service: Service,
  faults: Faults,
  scenario: () => readonly ScenarioStep[],
): WorldSnapshot {
  const { state, simulated } = world
  const recorded = simulated.exchange.markets.find(({ symbol }) => simulated.market(symbol).isRecorded)
  if (recorded !== undefined) {
    const why = 'only a world of agents and clients can be saved'
    throw new InputError('snapshot', `${recorded.symbol} follows recorded trades or a live service: ${why}`)
  }
  return {
    time: service.catchUp(Number.POSITIVE_INFINITY),
    exchange: state.snapshot(),
    users: state.users.entries(),
    secrets: state.secrets instanceof SeededSecrets ? state.secrets.position : null,
    agents: world.agents().map((agents) => agents.save()),
    budgets: service.budgets(),
    faults: faults.save(),
    pauses: simulated.pauses.entries(),
    scenario: scenario(),
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

/** Follows a live service, if that is planned; the code for it is loaded on demand. */
async function mirroredIn(
  { mirrored }: EmulatorPlan,
  simulated: SimulatedMarkets,
  start: number,
): Promise<MirroredMarkets | undefined> {
  if (mirrored === undefined) return undefined
  const { MirroredMarkets } = await import('./mirrored-markets.ts')
  return await MirroredMarkets.open(mirrored.mirror, simulated, mirrored.setups, start)
}

function marketOf(
  { hasAgents, replay, mirrored, extension }: EmulatorPlan,
  { exchange, isNew }: EmulatorState,
  start: number,
): SimulatedMarkets {
  // The past of a mirrored service may be of any age.
  const past = mirrored !== undefined ? start : hasAgents ? WARM_UP_MS : 0
  const begin = isNew ? Math.max(0, start - past) : start
  // Markets without a recording have no crowd.
  const depths = recordedDepths(replay?.books ?? [])
  const modelOf = (symbol: string): LiquidityModel =>
    (replay ?? mirrored)?.modelOf(symbol, depths.get(symbol)) ?? new IdealLiquidity()
  const recorded = new Set(mirrored?.setups.keys() ?? replay?.tapes.map(({ tape }) => tape.info.symbol))
  const simulated = new SimulatedMarkets(exchange, new EventQueue(begin), modelOf, recorded, new Map(), depths)
  extension?.enter(simulated)
  return simulated
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
  const shiftMs = simulated.queue.now() - from
  pauseInGaps(simulated, tapes, shiftMs)
  const replay = new PacedReplay(simulated, { tapes, books, shiftMs, onError })
  await replay.begin()
  return replay
}

/** Nothing is known of a market in the gaps of its recording, so it accepts no order. */
function pauseInGaps({ queue, pauses }: SimulatedMarkets, tapes: readonly PlayedTape[], shiftMs: number): void {
  for (const { tape } of tapes) {
    const { symbol, from: start } = tape.info
    for (const { from, to, why } of tape.gaps ?? []) {
      if (from < start || from === to) continue
      queue.enter(from + shiftMs, EVENT_KIND.data, () => {
        pauses.pause(symbol, `its recording has a gap (${why})`)
      })
      queue.enter(to + shiftMs, EVENT_KIND.data, () => void pauses.resume(symbol))
    }
  }
}
