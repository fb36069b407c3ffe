/** The world of an emulator before it is served: markets, traders, users and time. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { CROWD } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { type Clock, isoTime } from '../../domain/time.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig } from '../../exchange/exchange.ts'
import { accountsOfAgents, AgentPopulation } from '../../simulation/agents/agent-population.ts'
import { agentTermsOf } from '../../simulation/agents/agent-terms.ts'
import { ReplayClock, RunningClock, VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { recordedDepths } from '../../simulation/depth/recorded-depth.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { PacedReplay } from '../../simulation/replay/paced-replay.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { stirredSeed } from '../../simulation/stirred-seed.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import { ReplayPump } from '../service/replay-pump.ts'
import { type Secrets, seededSecrets, systemSecrets } from '../service/secrets.ts'
import { type Pump, ServicePump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'
import { UserRegistry } from '../service/user-registry.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { EmulatorOptions } from './emulator-options.ts'
import type { EmulatorPlan } from './emulator-plan.ts'
import { creditUsers, type EmulatorUser, type MadeUsers, makeUsers } from './emulator-users.ts'

/** The state of an emulator, in memory or in a file, and the source of its ids and keys. */
interface EmulatorState extends ServiceState {
  readonly secrets: Secrets
}

interface EmulatorStateOptions {
  /** Undefined for memory only. */
  readonly file: string | undefined
  readonly fresh: ExchangeConfig
  /** Seed of ids and keys; undefined for random ones. */
  readonly seed: number | undefined
  /** Called once if a write fails. */
  readonly onFailure: (error: unknown) => void
}

/** @throws {InputError} for an unusable file */
async function openState({ file, fresh, seed, onFailure }: EmulatorStateOptions): Promise<EmulatorState> {
  if (seed === undefined) return { ...(await open(file, fresh, systemSecrets, onFailure)), secrets: systemSecrets }
  let source = seededSecrets(seed)
  const secrets: Secrets = { bytes: (count) => source.bytes(count), uuid: () => source.uuid() }
  const state = await open(file, fresh, secrets, onFailure)
  // Each life has its own random sequence, so a restart never repeats an id, used or not.
  source = seededSecrets(seed, state.beginLife())
  return { ...state, secrets }
}

async function open(
  file: string | undefined,
  fresh: ExchangeConfig,
  secrets: Secrets,
  onFailure: (error: unknown) => void,
): Promise<ServiceState> {
  if (file === undefined) return inMemory(fresh, secrets)
  // SQLite is loaded on demand.
  const { openServiceState } = await import('../state/service-state.ts')
  return openServiceState(file, fresh, secrets, onFailure)
}

const inMemory = (fresh: ExchangeConfig, secrets: Secrets): ServiceState => ({
  exchange: createExchange(fresh),
  users: new UserRegistry(secrets, () => undefined),
  isNew: true,
  addedMarkets: [],
  time: 0,
  saveTime: () => undefined,
  beginLife: () => 1,
  durable: () => undefined,
  saveAtOnce: (work) => {
    work()
  },
  checkpoint: () => undefined,
  close: () => undefined,
})

/** A trade every few seconds in each market. */
const LIVELY_PACE = 20

/**
 * Starts agents in every market, at the present time of its queue.
 *
 * In a market with trades they continue from its last price, with their existing balances.
 */
function startAgents(simulated: SimulatedMarkets, seed: number): void {
  const { exchange, queue } = simulated
  for (const market of exchange.markets) {
    const { symbol } = market
    const [last] = exchange.trades(symbol, 1)
    const usual = { ...agentTermsOf(market), pace: LIVELY_PACE }
    const terms = last === undefined ? usual : { ...usual, firstPrice: last.price }
    // Agents that continue must not repeat their random numbers.
    const ownSeed = stirredSeed(seed, symbol, last === undefined ? '' : String(queue.now()))
    const agents = new AgentPopulation(simulated, symbol, terms, xoroshiro128plus(ownSeed))
    if (areCredited(exchange, symbol)) agents.resume()
    else agents.start()
  }
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

const areCredited = (exchange: Exchange, symbol: string): boolean =>
  accountsOfAgents(symbol).some((account) =>
    Array.from(exchange.balances(account).values()).some(({ available, locked }) => available + locked > 0n),
  )

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
    if (virtualClock) state.saveTime(start)
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
