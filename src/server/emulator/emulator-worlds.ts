/** The worlds of an emulator: its snapshots, and the emulators that branch off. */
import { InputError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { fieldError, ServiceError, stopping } from '../envelope/service-error.ts'
import type { RunningServer } from '../serve.ts'
import type { NextMarket } from '../server-life.ts'
import { worldDifferences } from '../worlds/world-facts.ts'
import { actionText, type ScenarioStep } from '../worlds/scenario.ts'
import { ScenarioPlayer } from '../worlds/scenario-player.ts'
import { readWorldFile, worldFileText } from '../worlds/world-file.ts'
import { checkName, infoOf, noSuch, type WorldShelf } from '../worlds/world-shelf.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import type {
  BranchInfo,
  BranchTerms,
  ComingAction,
  PastStretch,
  RewindTarget,
  SnapshotInfo,
  Worlds,
} from '../worlds/worlds.ts'
import { asOfProgram } from './emulator-control.ts'
import type { FirstWorld } from './emulator-plan.ts'
import { saveWorld, type EmulatorWorld } from './emulator-world.ts'
import type { Rewinding } from './rewinding.ts'

/** Snapshots of the world of an emulator by name, in memory, or with a `state` in a folder next to it. */
export interface EmulatorSnapshots {
  /**
   * Saves the present world: books, balances, histories, users and their hashed keys, clock, agents, random numbers,
   * rate limits, faults and pauses.
   *
   * @param name     1 to 64 letters, digits, `.`, `_` and `-`
   * @param replace  true to replace a snapshot of that name; default: false
   * @throws {InputError} for a wrong name, one in use, or a world that follows recorded trades
   */
  save(name: string, options?: { readonly replace?: boolean }): Promise<SnapshotInfo>
  /** Returns all snapshots. */
  list(): Promise<readonly SnapshotInfo[]>
  /**
   * Replaces the world by a snapshot. Earlier requests get 503 and are not executed, `advance()` rejects, and streams
   * close with 1012.
   *
   * Under a virtual clock, the same requests then get the same bytes each time. With the clock of the machine, nothing
   * happens between the snapshot and now.
   *
   * @throws {InputError} for an unknown name, or a snapshot with other markets
   */
  load(name: string): Promise<SnapshotInfo>
  /** Removes a snapshot. @throws {InputError} for an unknown name */
  remove(name: string): Promise<void>
  /** Returns the text of a file for `import`, or for the option `world`. @throws {InputError} for an unknown name */
  export(name: string): Promise<string>
  /** Adds an exported snapshot. @throws {InputError} for a damaged text, a wrong name, or one in use */
  import(name: string, text: string, options?: { readonly replace?: boolean }): Promise<SnapshotInfo>
  /**
   * Returns what differs, one line each.
   *
   * @param to  name of another snapshot; default: the present
   * @throws {InputError} for an unknown name
   */
  diff(name: string, to?: string): Promise<readonly string[]>
}

/** The world that is served at present, and its replacement. */
interface PresentWorld {
  readonly world: EmulatorWorld
  restore(saved: WorldSnapshot): NextMarket
  branchOf(saved: WorldSnapshot): FirstWorld
  /** Reason why a snapshot cannot be restored; undefined if it can. */
  faultOf(saved: WorldSnapshot): string | undefined
  /** Asset in which portfolios are valued. */
  readonly quoteAsset: string
  /** True if its trades come from elsewhere. */
  readonly isFollowing: boolean
}

/** The part of an emulator that is needed of one that has branched off. */
interface Branch extends Omit<BranchInfo, 'name' | 'snapshot'> {
  close(): Promise<void>
}

interface WorldsParts<Emulator extends Branch> {
  readonly shelf: WorldShelf
  readonly life: PresentWorld
  /** Undefined for a world without a state, and one that follows recorded trades. */
  readonly rewinding: Rewinding | undefined
  /** @param onEnd  called when it is closed */
  readonly startBranch: (saved: FirstWorld, port: number, onEnd: () => void) => Promise<Emulator>
}

const MAX_PORT = 65_535
/** Branches at the same time: each is a server. */
const MAX_BRANCHES = 200

/** Replaces the market of the server, after earlier replacements. */
type Renew = (next: () => Promise<NextMarket>) => Promise<void>

export class EmulatorWorlds<Emulator extends Branch> implements Worlds {
  readonly #parts: WorldsParts<Emulator>
  readonly #branches = new Map<string, { readonly info: BranchInfo; readonly close: () => Promise<void> }>()
  /** Names of branches that are being started. */
  readonly #starting = new Map<string, Promise<Emulator>>()
  /** Snapshots that can be restored: each is tried once. */
  readonly #checked = new WeakSet<WorldSnapshot>()
  #isClosing = false
  #server: RunningServer | undefined
  #renew: Renew | undefined
  #player: ScenarioPlayer | undefined

  constructor(parts: WorldsParts<Emulator>) {
    this.#parts = parts
  }

  /** Begins to work on a server. */
  attach(server: RunningServer, renew: Renew): void {
    this.#server = server
    this.#renew = renew
    this.#player = new ScenarioPlayer(() => this.#parts.life.world, server.faults)
    this.#player.follow()
    this.begun()
  }

  /** The world that is served from now on has begun. */
  begun(): void {
    this.#parts.rewinding?.follow(this.#parts.life.world, () => this.#present())
  }

  /** Continues with a world that replaces the one before. */
  follow(): void {
    this.#player?.follow()
  }

  play(scenario: unknown): readonly ComingAction[] {
    const service = this.#running()
    const steps = this.#player?.play(scenario, service.catchUp(Number.POSITIVE_INFINITY)) ?? []
    this.#noteScenarios()
    return wordsOf(steps)
  }

  #noteScenarios(): void {
    this.#parts.rewinding?.note({ type: 'scenario', steps: this.#player?.coming() ?? [] })
  }

  coming(): readonly ComingAction[] {
    return wordsOf(this.#player?.coming() ?? [])
  }

  stopScenarios(): void {
    this.#player?.stop()
    this.#noteScenarios()
  }

  async rewind(target: RewindTarget): Promise<{ readonly time: number }> {
    const { life } = this.#parts
    if (Number(target.time === undefined) + Number(target.beforeOrder === undefined) !== 1) {
      throw fieldError('time', 'expected a time, or the order before which to go back')
    }
    const service = this.#running()
    const saved = this.#recorded().worldAt(target, service.catchUp(Number.POSITIVE_INFINITY))
    checkMarkets(saved, service.exchange.markets, life.quoteAsset)
    this.#check(saved)
    await this.#renew?.(() => Promise.resolve(life.restore(saved)))
    return { time: saved.time }
  }

  past(): readonly PastStretch[] {
    return this.#recorded().stretches()
  }

  /** @throws {ServiceError} if no past is recorded */
  #recorded(): Rewinding {
    const { rewinding, life } = this.#parts
    if (rewinding !== undefined) return rewinding
    throw new ServiceError(
      'VALIDATION_ERROR',
      life.isFollowing
        ? 'the past of a world that follows recorded trades or a live service is not kept'
        : 'the past is kept only with a state: start the emulator with one',
    )
  }

  save(name: string, replace: boolean): SnapshotInfo {
    checkName(name)
    return this.#parts.shelf.put(name, this.#present(), replace)
  }

  add(name: string, file: unknown, replace: boolean): SnapshotInfo {
    const world = mended(() => readWorldFile('file', file))
    this.#check(world)
    return this.#parts.shelf.put(name, world, replace)
  }

  fileText(name: string): string {
    return worldFileText(this.#parts.shelf.get(name))
  }

  list(): readonly SnapshotInfo[] {
    return this.#parts.shelf.list()
  }

  remove(name: string): void {
    this.#parts.shelf.remove(name)
  }

  async load(name: string): Promise<SnapshotInfo> {
    const { shelf, life } = this.#parts
    const saved = shelf.get(name)
    const { exchange } = this.#running()
    if (life.isFollowing) {
      throw fieldError(
        'name',
        'this emulator follows recorded trades or a live service: start a branch from the snapshot',
      )
    }
    checkMarkets(saved, exchange.markets, life.quoteAsset)
    this.#check(saved)
    await this.#renew?.(() => Promise.resolve(life.restore(saved)))
    return infoOf(name, saved)
  }

  /** @throws {ServiceError} for a snapshot that cannot be restored */
  #check(saved: WorldSnapshot): void {
    if (this.#checked.has(saved)) return
    const fault = this.#parts.life.faultOf(saved)
    if (fault !== undefined) throw fieldError('name', `the snapshot cannot be restored: ${fault}`)
    this.#checked.add(saved)
  }

  diff(name: string, to: string | undefined): readonly string[] {
    const from = this.#parts.shelf.get(name)
    return worldDifferences(from, to === undefined ? this.#present() : this.#parts.shelf.get(to))
  }

  async branch(terms: BranchTerms): Promise<BranchInfo> {
    await this.start(terms)
    const branch = this.#branches.get(terms.name)
    if (branch === undefined) throw noSuch('branch', terms.name)
    return branch.info
  }

  /** Starts a branch, and returns its emulator. */
  async start({ name, snapshot, port = 0 }: BranchTerms): Promise<Emulator> {
    checkName(name)
    this.#running().checkLife()
    if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
      throw fieldError('port', `expected an integer from 0 to ${MAX_PORT}`)
    }
    if (this.#branches.has(name) || this.#starting.has(name)) {
      throw fieldError('name', `a branch '${name}' exists already: close it first`)
    }
    if (this.#branches.size + this.#starting.size >= MAX_BRANCHES) {
      throw fieldError('name', `there are ${MAX_BRANCHES} branches already: close one first`)
    }
    const saved = snapshot === undefined ? this.#present() : this.#parts.shelf.get(snapshot)
    this.#check(saved)
    const starting = this.#begin(name, { saved, snapshot, port })
    this.#starting.set(name, starting)
    try {
      return await starting
    } finally {
      this.#starting.delete(name)
    }
  }

  async #begin(
    name: string,
    { saved, snapshot, port }: { saved: WorldSnapshot; snapshot: string | undefined; port: number },
  ): Promise<Emulator> {
    const { life, startBranch } = this.#parts
    const emulator = await startBranch(life.branchOf(saved), port, () => this.#branches.delete(name)).catch(
      (error: unknown) => {
        throw asMended(error)
      },
    )
    if (this.#isClosing) {
      await emulator.close()
      throw stopping()
    }
    const { baseUrl, streamUrl, emulatorUrl, windowUrl } = emulator
    const urls = { baseUrl, streamUrl, emulatorUrl, windowUrl }
    const info = { name, ...(snapshot === undefined ? {} : { snapshot }), ...urls }
    this.#branches.set(name, { info, close: () => emulator.close() })
    return emulator
  }

  branches(): readonly BranchInfo[] {
    return Array.from(this.#branches.values(), ({ info }) => info)
  }

  async closeBranch(name: string): Promise<void> {
    const branch = this.#branches.get(name)
    if (branch === undefined) throw noSuch('branch', name)
    await branch.close()
  }

  /** Closes every branch, also one that is being started. */
  async close(): Promise<void> {
    this.#isClosing = true
    const ended = this.#parts.rewinding?.end()
    await Promise.allSettled(this.#starting.values())
    await Promise.all([ended, ...Array.from(this.#branches.values(), ({ close }) => close())])
  }

  #running(): RunningServer['service'] {
    if (this.#server === undefined || this.#isClosing) throw stopping()
    return this.#server.service
  }

  #present(): WorldSnapshot {
    const service = this.#running()
    const { faults } = this.#server ?? { faults: undefined }
    if (faults === undefined) throw stopping()
    const saved = mended(() => saveWorld(this.#parts.life.world, service, faults, () => this.#player?.coming() ?? []))
    this.#checked.add(saved)
    return saved
  }
}

/** @throws {ServiceError} for a snapshot that the server cannot serve */
function checkMarkets({ exchange: saved }: WorldSnapshot, markets: readonly MarketConfig[], quoteAsset: string): void {
  if (saved.quoteAsset === quoteAsset && termsOf(saved.markets) === termsOf(markets)) return
  const symbols = (all: readonly MarketConfig[]): string => all.map(({ symbol }) => symbol).join(', ')
  throw fieldError(
    'name',
    `the snapshot has other markets (${symbols(saved.markets)}) than this emulator (${symbols(markets)}), or other terms of them: start a branch from it`,
  )
}

/** Terms of markets as text, in whatever order they are written. */
const termsOf = (markets: readonly MarketConfig[]): string =>
  JSON.stringify(markets.map((market) => JSON.stringify(Object.entries(market).sort())).sort())

/** Runs an action whose wrong input is the caller's to mend. */
function mended<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw asMended(error)
  }
}

/** A failure of a branch is none of this emulator. */
function asMended(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  if (!(error instanceof InputError)) return new ServiceError('SERVICE_UNAVAILABLE', `failed: ${thrownText(error)}`)
  const prefix = `${error.where}: `
  return fieldError(error.where, error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message)
}

const wordsOf = (steps: readonly ScenarioStep[]): readonly ComingAction[] =>
  steps.map(({ time, action }) => ({ time, action: actionText(action) }))

/** The snapshots of an emulator for a program. */
export const snapshotsOf = (worlds: Worlds): EmulatorSnapshots => ({
  save: (name, { replace = false } = {}) => asOfProgram(() => worlds.save(name, replace)),
  list: () => asOfProgram(() => worlds.list()),
  load: (name) => asOfProgram(() => worlds.load(name)),
  remove: (name) =>
    asOfProgram(() => {
      worlds.remove(name)
    }),
  export: (name) => asOfProgram(() => worlds.fileText(name)),
  import: (name, text, { replace = false } = {}) => asOfProgram(() => worlds.add(name, parsedJson(text), replace)),
  diff: (name, to) => asOfProgram(() => worlds.diff(name, to)),
})

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError('file', 'is not the file of a snapshot of an emulator', { cause: error })
  }
}
