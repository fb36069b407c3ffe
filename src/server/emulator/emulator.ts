/** A local exchange: markets, users with keys, and the service in front of them. */
import { AuditLog } from './audit-log.ts'
import { copyFileSync, constants, existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InputError, InvariantError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { Exchange, SnapshotExchange } from '../../exchange/exchange.ts'
import { snapshotsBeside } from '../../store/state/snapshot-beside.ts'
import { checkAddress } from '../http/address.ts'
import { serve, type RunningServer, type ServeOptions } from '../serve.ts'
import type { NextMarket } from '../server-life.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import type { Service } from '../service/service.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { ReadyScenario, Scenario } from '../worlds/scenario.ts'
import type { BranchTerms, ComingAction, RewindTarget } from '../worlds/worlds.ts'
import { WorldShelf } from '../worlds/world-shelf.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import { asOfProgram, controlOf, type EmulatorControl } from './emulator-control.ts'
import type { EmulatorExtension } from './emulator-extension.ts'
import { addressOptions, branchOptions, type EmulatorOptions, type PlannedOptions } from './emulator-options.ts'
import { extendedPlan, planEmulator, planOfWorld, type EmulatorPlan, type FirstWorld } from './emulator-plan.ts'
import type { EmulatorUser } from './emulator-users.ts'
import { makeWorld, restorationFault, restoreWorld, type EmulatorWorld } from './emulator-world.ts'
import { Rewinding } from './rewinding.ts'
import { EmulatorWorlds, snapshotsOf, type EmulatorSnapshots } from './emulator-worlds.ts'

const WRITE_ONCE = { flag: 'wx', mode: 0o600 } as const

/**
 * Copies the state file, which has everything up to the failure; without one, writes the state from memory.
 *
 * @param file  the closed state file; undefined for none
 * @returns     path of the copy
 */
function setAside(file: string | undefined, state: ServiceState): string {
  const stamp = `${MACHINE_CLOCK.now()}-${process.pid}`
  if (file !== undefined) {
    const copy = `${file}.failed-${stamp}`
    for (const part of [file, `${file}-wal`, ...snapshotsBeside(file)]) {
      if (existsSync(part)) copyFileSync(part, copy + part.slice(file.length), constants.COPYFILE_EXCL)
    }
    return copy
  }
  const aside = join(tmpdir(), `papertape-failed-${stamp}.json`)
  writeFileSync(
    aside,
    `${JSON.stringify({ exchange: snapshotOf(state.exchange), users: state.users.entries() })}\n`,
    WRITE_ONCE,
  )
  return aside
}

/** A broken state may not be serializable. */
function snapshotOf(exchange: Exchange & Partial<SnapshotExchange>): unknown {
  try {
    return exchange.snapshot?.()
  } catch (error) {
    return String(error)
  }
}

/** A running emulator: its addresses, its users, and the calls that control it. */
export interface Emulator extends EmulatorControl {
  /** Base URL of the REST API, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  /** URL of the WebSocket. */
  readonly streamUrl: string
  /** Base URL of the control API: users, keys, credits, faults and clock. */
  readonly emulatorUrl: string
  /** URL of the status page. */
  readonly windowUrl: string
  /** Markets in the order of the config. */
  readonly markets: readonly Market[]
  /** Symbols of markets that were added to a saved `state` at this start. */
  readonly addedMarkets: readonly string[]
  /** Users, with the API keys that were created at this start; the keys are shown only once. */
  readonly users: readonly EmulatorUser[]
  /** Whether simulated traders are on. */
  readonly hasAgents: boolean
  /** Saves the world under names, and goes back to one. */
  readonly snapshots: EmulatorSnapshots
  /**
   * Goes back to a moment of the past that is kept with a `state`, as `snapshots.load()` goes back to a snapshot. Rate
   * limits start over, and no faults are planned.
   *
   * @returns its market time, Unix milliseconds
   * @throws {InputError} for a moment that is not in the past that is kept
   */
  rewind(target: RewindTarget): Promise<{ readonly time: number }>
  /**
   * Starts another emulator in this process with a world of its own, from a snapshot or the present. It closes with
   * this one. Known API keys work there too.
   *
   * @throws {InputError} for a name in use, an unknown snapshot, a port in use, or a world that follows recorded trades
   */
  branch(terms: BranchTerms): Promise<Emulator>
  /**
   * Plays a scenario from now on: news, agents that withdraw, pauses and faults at planned times.
   *
   * @returns its actions
   * @throws {InputError} for a wrong field, or a market without agents
   */
  play(scenario: Scenario | ReadyScenario): Promise<readonly ComingAction[]>
  /**
   * Restores the initial state at the same address: markets, users and their keys, credits, ids from the seed, a
   * virtual clock at its start, and tapes at their first trade. Orders, histories, faults, rate windows and later users
   * are removed.
   *
   * Under a virtual clock, all later responses have the same bytes as those of a new emulator. Pending requests get 503
   * SERVICE_UNAVAILABLE and are never executed, `advance()` rejects, and streams close with 1012. The counters of
   * `/metrics` continue.
   *
   * @throws {InputError} with a `state`
   */
  reset(): Promise<void>
  /**
   * Finishes requests that have arrived, refuses others with 503, and closes streams with 1001. Nothing is executed
   * afterwards.
   */
  close(): Promise<void>
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
  /** Writes the state after a failure to a file, for analysis; call it after `close()`. @returns the file */
  setAside(): string
}

/**
 * Starts an emulator in this process, and resolves once it listens.
 *
 * @throws {InputError} for a wrong option, config or tape, or a port that is in use
 * @throws {ExchangeError} if the service to mirror cannot be used
 */
export const startEmulator = (options: EmulatorOptions = {}): Promise<Emulator> => startExtended(options)

/** `startEmulator`, with something that is built on it. */
export async function startExtended(options: EmulatorOptions, extension?: EmulatorExtension): Promise<Emulator> {
  const failure = new Failure(options)
  const planned = await planEmulator(options, failure.report)
  const plan = extension === undefined ? planned : extendedPlan(planned, extension)
  const { auditLog, onNotice = () => undefined } = options
  const audit = auditLog === undefined ? undefined : new AuditLog(auditLog, onNotice)
  const onClosed = (): void => audit?.close()
  return await startPlanned(plan, { ...options, audit: audit?.record }, failure, onClosed).catch(
    async (error: unknown) => {
      audit?.close()
      await plan.mirrored?.mirror.close()
      throw error
    },
  )
}

/** @param onClosed  called once it is closed */
async function startPlanned(
  plan: EmulatorPlan,
  options: PlannedOptions,
  failure = new Failure(options),
  onClosed: () => void = () => undefined,
): Promise<Emulator> {
  const { host = '127.0.0.1', port = 0, state } = options
  // Checked first, so that no key is saved if the emulator cannot listen: keys are shown only once.
  if (state !== undefined || plan.extension !== undefined) await checkAddress(host, port)
  // A folder that cannot be read is found before a state is opened.
  const shelf = new WorldShelf(state === undefined ? undefined : `${state}-snapshots`)
  const life = new WorldLife(plan, options, await makeWorld(plan, options, failure.report), failure.report)
  const startBranch = (saved: FirstWorld, port: number, onEnd: () => void): Promise<Emulator> => {
    const own = { ...branchOptions(options), port }
    return startPlanned(planOfWorld(saved, plan.limits), own, new Failure(own), onEnd)
  }
  const rewinding =
    state === undefined || life.isFollowing ? undefined : new Rewinding(`${state}-past`, life.world.state.isNew)
  const worlds = new EmulatorWorlds({ shelf, life, rewinding, startBranch })
  const served = { ...serveOptions(life, plan, options, failure), worlds, routes: plan.extension?.routes }
  const server = await serve(life.world.simulated, served).catch(async (error: unknown) => {
    await life.end()
    throw error
  })
  failure.service = server.service
  return running({ server, life, worlds, failure, onClosed }, options)
}

interface RunningParts {
  readonly server: RunningServer
  readonly life: WorldLife
  readonly worlds: EmulatorWorlds<Emulator>
  readonly failure: Failure
  readonly onClosed: () => void
}

function running({ server, life, worlds, failure, onClosed }: RunningParts, { state }: EmulatorOptions): Emulator {
  let renewing = Promise.resolve()
  let closing: Promise<void> | undefined
  const renewInTurn = async (next: () => Promise<NextMarket>): Promise<void> => {
    if (closing !== undefined) throw new Error('the emulator is closed')
    renewing = renewing.catch(() => undefined).then(() => renewed({ server, worlds, failure }, next))
    await renewing
  }
  const reset = async (): Promise<void> => {
    if (state !== undefined)
      throw new InputError('reset', worded`an emulator with ${setting('state')} cannot be reset: start one without it`)
    await renewInTurn(() => life.renew())
  }
  worlds.attach(server, renewInTurn)
  const control = controlOf(server, () => life.world.state.durable(), failure.hear)
  const end = async (): Promise<void> => {
    await renewing.catch(() => undefined)
    try {
      await Promise.all([worlds.close(), server.close()])
    } finally {
      onClosed()
      await life.end()
    }
  }
  const close = (): Promise<void> => (closing ??= end().catch(failure.ofClosing))
  return {
    ...server,
    markets: server.service.exchange.markets,
    addedMarkets: life.world.state.addedMarkets,
    get users() {
      return life.world.users
    },
    hasAgents: life.hasAgents,
    ...control,
    snapshots: snapshotsOf(worlds),
    rewind: async (target) => asOfProgram(() => worlds.rewind(target)),
    branch: async (terms) => asOfProgram(() => worlds.start(terms)),
    play: async (scenario) => asOfProgram(() => worlds.play(scenario)),
    reset,
    close,
    [Symbol.asyncDispose]: close,
    setAside: () => setAside(state, life.world.state),
  }
}

/** Replaces the market of a server. */
async function renewed(
  { server, worlds, failure }: Pick<RunningParts, 'server' | 'worlds' | 'failure'>,
  next: () => Promise<NextMarket>,
): Promise<void> {
  if (server.service.failure !== undefined) throw server.service.failure
  const followed = async (): Promise<NextMarket> => {
    const market = await next()
    worlds.follow()
    return market
  }
  await server.renew(followed).catch(failure.ofRenewal)
  worlds.begun()
}

/** The served world and its successors. */
class WorldLife {
  readonly #plan: EmulatorPlan
  readonly #options: EmulatorOptions
  readonly #onFailure: (error: unknown) => void
  /** Those with known keys. */
  readonly #firstUsers: readonly EmulatorUser[]
  #world: EmulatorWorld

  constructor(plan: EmulatorPlan, options: EmulatorOptions, world: EmulatorWorld, onFailure: (error: unknown) => void) {
    this.#plan = plan
    this.#options = options
    this.#world = world
    this.#firstUsers = world.users
    this.#onFailure = onFailure
  }

  get world(): EmulatorWorld {
    return this.#world
  }

  get hasAgents(): boolean {
    return this.#plan.hasAgents
  }

  /** Replaces the world by a new one with the same initial state. */
  async renew(): Promise<NextMarket> {
    await this.#world.replay?.close()
    this.#world = await makeWorld(this.#nextPlan(), this.#options, this.#onFailure)
    return marketOf(this.#world)
  }

  /** Replaces the world by a snapshot. */
  restore(saved: WorldSnapshot): NextMarket {
    this.#world = restoreWorld(saved, this.#options, this.#world.state, this.#firstUsers)
    return marketOf(this.#world)
  }

  faultOf(saved: WorldSnapshot): string | undefined {
    return restorationFault(saved, this.#options)
  }

  get quoteAsset(): string {
    return this.#plan.exchange.quoteAsset
  }

  /** True if its trades come from elsewhere: tapes or a live service. */
  get isFollowing(): boolean {
    return this.#plan.replay !== undefined || this.#plan.mirrored !== undefined
  }

  /** World to start a branch from, which can be restored. */
  branchOf(world: WorldSnapshot): FirstWorld {
    return { world, known: this.#firstUsers, isChecked: true }
  }

  /** Closes its files. */
  async end(): Promise<void> {
    try {
      await this.#world.replay?.close()
      await this.#plan.mirrored?.mirror.close()
    } finally {
      this.#world.state.close()
    }
  }

  /** Without a seed the keys are carried over; with one they are generated again. */
  #nextPlan(): EmulatorPlan {
    if (this.#options.virtualClock === true) return this.#plan
    const users = this.#plan.users.map((user, index) => {
      const texts = this.#firstUsers[index]?.keys ?? []
      return { ...user, keys: user.keys.map((key, each) => ({ ...key, key: texts[each] })) }
    })
    return { ...this.#plan, users }
  }
}

const marketOf = ({ simulated, state, clock, replay, begin, pump, restored }: EmulatorWorld): NextMarket => ({
  ...restored,
  simulated,
  users: state.users,
  clock,
  begin,
  pump,
  awaited: replay?.awaited,
})

function serveOptions(
  life: WorldLife,
  { limits }: EmulatorPlan,
  options: PlannedOptions,
  failure: Failure,
): ServeOptions {
  return {
    ...addressOptions(options),
    port: options.port,
    onAnswer: options.onAnswer,
    limits,
    ...marketOf(life.world),
    secrets: { bytes: (count) => life.world.state.secrets.bytes(count), uuid: () => life.world.state.secrets.uuid() },
    durable: () => life.world.state.durable(),
    onTime: (time) => {
      life.world.state.saveTime(time)
    },
    onError: (error, requestId) => {
      failure.hear(error, requestId)
    },
  }
}

/** The fatal failure of an emulator, reported once. */
class Failure {
  readonly #options: EmulatorOptions
  #error: unknown
  #service: Service | undefined

  constructor(options: EmulatorOptions) {
    this.#options = options
  }

  /** Service to stop; a failure may precede it. */
  set service(service: Service) {
    this.#service = service
    this.#stop()
  }

  /** Handles an internal error. */
  readonly hear = (error: unknown, requestId?: string): void => {
    this.#options.onError?.(error, requestId)
    if (error instanceof InvariantError) this.report(error)
  }

  readonly report = (error: unknown): void => {
    if (this.#error !== undefined) return
    this.#error = error
    this.#stop()
    this.#options.onFailure?.(error)
  }

  /** Handles a failed reset: no world is left. */
  readonly ofRenewal = (error: unknown): never => {
    this.report(error)
    throw error
  }

  /** Handles an error while closing; ignored if the failure was reported. */
  readonly ofClosing = (error: unknown): void => {
    if (this.#error === undefined) throw error
  }

  #stop(): void {
    if (this.#error !== undefined) {
      this.#service?.stop(this.#error instanceof Error ? this.#error : new Error('failed', { cause: this.#error }))
    }
  }
}
