/** The worlds of an emulator: its snapshots, and the emulators that branch off. */
import { InputError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { fieldError, ServiceError, stopping } from '../envelope/service-error.ts'
import type { RunningServer } from '../serve.ts'
import type { NextMarket } from '../server-life.ts'
import { worldDifferences } from '../worlds/world-facts.ts'
import { actionText, type ScenarioStep } from '../worlds/scenario.ts'
import { ScenarioPlayer } from '../worlds/scenario-player.ts'
import { readWorldFile, worldFileText } from '../worlds/world-file.ts'
import { checkName, noSuch, type WorldShelf } from '../worlds/world-shelf.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import type { BranchInfo, BranchTerms, ComingAction, SnapshotInfo, Worlds } from '../worlds/worlds.ts'
import { asOfProgram } from './emulator-control.ts'
import type { FirstWorld } from './emulator-plan.ts'
import { saveWorld, type EmulatorWorld } from './emulator-world.ts'

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
  /** @throws {ServiceError} for a snapshot that cannot be restored, which must not end the world that runs */
  check(saved: WorldSnapshot): void
}

/** The part of an emulator that is needed of one that has branched off. */
interface Branch extends Omit<BranchInfo, 'name' | 'snapshot'> {
  close(): Promise<void>
}

interface WorldsParts<Emulator extends Branch> {
  readonly shelf: WorldShelf
  readonly life: PresentWorld
  readonly startBranch: (saved: FirstWorld, port: number) => Promise<Emulator>
}

/** Replaces the market of the server, after earlier replacements. */
type Renew = (next: () => Promise<NextMarket>) => Promise<void>

export class EmulatorWorlds<Emulator extends Branch> implements Worlds {
  readonly #parts: WorldsParts<Emulator>
  readonly #branches = new Map<string, { readonly info: BranchInfo; readonly close: () => Promise<void> }>()
  /** Names of branches that are being started. */
  readonly #starting = new Set<string>()
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
  }

  /** Continues with a world that replaces the one before. */
  follow(): void {
    this.#player?.follow()
  }

  play(scenario: unknown): readonly ComingAction[] {
    const service = this.#running()
    return wordsOf(this.#player?.play(scenario, service.catchUp(Number.POSITIVE_INFINITY)) ?? [])
  }

  coming(): readonly ComingAction[] {
    return wordsOf(this.#player?.coming() ?? [])
  }

  stopScenarios(): void {
    this.#player?.stop()
  }

  save(name: string, replace: boolean): SnapshotInfo {
    checkName(name)
    return this.#parts.shelf.put(name, this.#present(), replace)
  }

  add(name: string, file: unknown, replace: boolean): SnapshotInfo {
    const world = mended(() => readWorldFile('file', file))
    this.#parts.life.check(world)
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
    checkMarkets(saved, exchange)
    life.check(saved)
    await this.#renew?.(() => Promise.resolve(life.restore(saved)))
    const info = shelf.list().find((each) => each.name === name)
    if (info === undefined) throw noSuch('snapshot', name)
    return info
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
    if (this.#branches.has(name) || this.#starting.has(name)) {
      throw fieldError('name', `a branch '${name}' exists already: close it first`)
    }
    const { shelf, life, startBranch } = this.#parts
    const saved = snapshot === undefined ? this.#present() : shelf.get(snapshot)
    this.#starting.add(name)
    try {
      const emulator = await startBranch(life.branchOf(saved), port)
      const { baseUrl, streamUrl, emulatorUrl, windowUrl } = emulator
      const urls = { baseUrl, streamUrl, emulatorUrl, windowUrl }
      const info = { name, ...(snapshot === undefined ? {} : { snapshot }), ...urls }
      this.#branches.set(name, { info, close: () => emulator.close() })
      return emulator
    } catch (error) {
      throw asMended(error)
    } finally {
      this.#starting.delete(name)
    }
  }

  branches(): readonly BranchInfo[] {
    return Array.from(this.#branches.values(), ({ info }) => info)
  }

  async closeBranch(name: string): Promise<void> {
    const branch = this.#branches.get(name)
    if (branch === undefined) throw noSuch('branch', name)
    this.#branches.delete(name)
    await branch.close()
  }

  /** Closes every branch. */
  async close(): Promise<void> {
    const branches = [...this.#branches.values()]
    this.#branches.clear()
    await Promise.all(branches.map(({ close }) => close()))
  }

  #running(): RunningServer['service'] {
    if (this.#server === undefined) throw stopping()
    return this.#server.service
  }

  #present(): WorldSnapshot {
    const service = this.#running()
    const { faults } = this.#server ?? { faults: undefined }
    if (faults === undefined) throw stopping()
    return mended(() => saveWorld(this.#parts.life.world, service, faults, () => this.#player?.coming() ?? []))
  }
}

/** @throws {ServiceError} for a snapshot that the server cannot serve */
function checkMarkets(saved: WorldSnapshot, { markets }: Exchange): void {
  if (JSON.stringify(saved.exchange.markets) === JSON.stringify(markets)) return
  const symbols = (all: readonly MarketConfig[]): string => all.map(({ symbol }) => symbol).join(', ')
  const terms = `the snapshot has other markets (${symbols(saved.exchange.markets)}) than this emulator`
  throw fieldError('name', `${terms} (${symbols(markets)}), or other terms of them: start a branch from it`)
}

/** Runs an action whose wrong input is the caller's to mend. */
function mended<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw asMended(error)
  }
}

const asMended = (error: unknown): unknown =>
  error instanceof InputError ? new ServiceError('VALIDATION_ERROR', error.message) : error

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
