/**
 * A world of the past: its part of the past replayed from the start, agents included.
 *
 * Commands of clients are executed at their times. Everything that agents do follows from the world at the start, and
 * must be what the journal says.
 */
import type { Command } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { restoreExchange } from '../../exchange/restore-exchange.ts'
import { accountsOfAgents } from '../../simulation/agents/agent-population.ts'
import { SeededSecrets } from '../service/secrets.ts'
import { JournaledExchange } from '../state/journaled-exchange.ts'
import { readEntry, writeEntry, type StateEntry, type WrittenEntry } from '../state/state-entry.ts'
import type { ScenarioStep } from '../worlds/scenario.ts'
import { ScenarioPlayer } from '../worlds/scenario-player.ts'
import type { PastLine } from '../worlds/world-past.ts'
import type { WorldSnapshot } from '../worlds/world-snapshot.ts'
import type { RewindTarget } from '../worlds/worlds.ts'
import { inMemory } from './emulator-state.ts'
import { restoreWorld, type EmulatorWorld } from './emulator-world.ts'

/** Faults are not of the past. */
const NO_FAULTS = { hasRoom: false, check: () => undefined, plan: () => '' }

/** Entries of the past that are not in the state. */
export type PastEntry =
  | StateEntry
  | { readonly type: 'pause'; readonly symbol: string; readonly reason: string }
  | { readonly type: 'resume'; readonly symbol: string }
  /** All actions of scenarios to come, after a client changed them. */
  | { readonly type: 'scenario'; readonly steps: readonly ScenarioStep[] }

export const pastEntryText = (entry: PastEntry): string =>
  entry.type === 'credit' ? writeEntry(entry) : JSON.stringify(entry)

/**
 * @param where  place of errors
 * @returns      undefined if the order of the target was not placed by a client in this part
 * @throws {InputError} for a journal that does not follow from its world
 */
export function replayedWorld(
  where: string,
  { world, lines }: { readonly world: WorldSnapshot; readonly lines: readonly PastLine[] },
  target: RewindTarget,
): WorldSnapshot | undefined {
  const replay = new WorldReplay(where, world)
  const { time: end } = target
  const beforeOrder = target.beforeOrder === undefined ? undefined : Number(target.beforeOrder)
  const orders = lines.filter(([, , { type }]) => type === 'place').length
  const isHere = (order: number): boolean => replay.lastOrderId < order && order <= replay.lastOrderId + orders
  if (beforeOrder !== undefined && !isHere(beforeOrder)) return undefined
  const agents = new Set(world.exchange.markets.flatMap(({ symbol }) => accountsOfAgents(symbol)))
  const isOfAgent = ([, , entry]: PastLine): boolean => 'account' in entry && agents.has(entry.account)
  const nextOfAgents = timesOfNext(lines, isOfAgent)
  for (const [index, line] of lines.entries()) {
    const [time, drawn] = line
    if (end !== undefined && time > end) break
    const entry = entryOf(line)
    if (replay.hasHappened(entry)) continue
    if (isOfAgent(line)) {
      replay.awaitEntry(time, entry)
      continue
    }
    replay.runTo(time, nextOfAgents[index] === time)
    if (entry.type === 'place' && replay.lastOrderId + 1 === beforeOrder) return replay.world()
    replay.apply(entry)
    replay.drawn = drawn
  }
  if (end === undefined) return undefined
  replay.runTo(end, false)
  return replay.world()
}

const entryOf = ([, , entry]: PastLine): PastEntry => readEntry(entry as WrittenEntry)

/** The time of the next line after each one that meets a condition. */
function timesOfNext(lines: readonly PastLine[], meets: (line: PastLine) => boolean): Float64Array {
  const times = new Float64Array(lines.length)
  let next = Number.POSITIVE_INFINITY
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]
    times[index] = next
    if (line !== undefined && meets(line)) next = line[0]
  }
  return times
}

class WorldReplay {
  drawn: number
  readonly #where: string
  readonly #base: WorldSnapshot
  readonly #world: EmulatorWorld
  readonly #player: ScenarioPlayer
  /** Entries that were made and not compared yet. */
  readonly #made: string[] = []

  constructor(where: string, base: WorldSnapshot) {
    this.#where = where
    this.#base = base
    this.drawn = base.secrets?.drawn ?? 0
    const secrets = new SeededSecrets(0)
    const journal = {
      checkIsOpen: () => undefined,
      add: (entry: StateEntry) => void this.#made.push(writeEntry(entry)),
      abandon: () => undefined,
    }
    const empty = { ...inMemory(restoreExchange(base.exchange), [], secrets), secrets }
    const replace: typeof empty.replace = (next) => {
      const state = inMemory(restoreExchange(next.exchange), next.users, secrets, next.time)
      return { ...state, exchange: new JournaledExchange(state.exchange, journal) }
    }
    this.#world = restoreWorld(base, { virtualClock: true }, { ...empty, replace }, [])
    this.#player = new ScenarioPlayer(() => this.#world, NO_FAULTS)
    this.#player.follow()
  }

  get lastOrderId(): number {
    return this.#world.simulated.exchange.lastOrderId
  }

  /** True for an entry that was made already. */
  hasHappened(entry: PastEntry): boolean {
    const made = this.#made.shift()
    if (made !== undefined && made !== pastEntryText(entry)) throw this.#fault()
    return made !== undefined
  }

  /** Runs events until an agent makes an entry. */
  awaitEntry(time: number, entry: PastEntry): void {
    const { queue } = this.#world.simulated
    while (this.#made.length === 0 && queue.nextTime <= time) queue.runNext()
    if (!this.hasHappened(entry)) throw this.#fault()
  }

  /** @param isBefore  true to leave the events of that very time */
  runTo(time: number, isBefore: boolean): void {
    const { queue } = this.#world.simulated
    while (isBefore ? queue.nextTime < time : queue.nextTime <= time) queue.runNext()
    if (queue.now() < time) queue.advance(time)
  }

  apply(entry: PastEntry): void {
    const { pauses } = this.#world.simulated
    if (entry.type === 'pause') pauses.pause(entry.symbol, entry.reason)
    else if (entry.type === 'resume') pauses.resume(entry.symbol)
    else if (entry.type === 'scenario') {
      this.#player.stop()
      this.#player.schedule(entry.steps)
    } else this.#applyToState(entry)
  }

  #applyToState(entry: StateEntry): void {
    switch (entry.type) {
      case 'place':
      case 'cancel':
      case 'take':
      case 'reduce':
      case 'credit':
        this.#execute(entry)
        return
      case 'user':
      case 'key':
      case 'key-revoked':
      case 'user-deleted':
        this.#world.state.users.apply(entry)
        return
      case 'time':
      case 'life':
      case 'market':
        return
      case 'print':
      case 'listed':
      case 'row':
        throw this.#fault()
    }
    // Of a changed file.
    throw this.#fault()
  }

  #execute(command: Command): void {
    this.#world.simulated.execute(command)
    if (!this.hasHappened(command)) throw this.#fault()
  }

  world(): WorldSnapshot {
    const { simulated, state, agents } = this.#world
    return {
      time: simulated.queue.now(),
      exchange: state.snapshot(),
      users: state.users.entries(),
      secrets: this.#base.secrets && { ...this.#base.secrets, drawn: this.drawn },
      agents: agents().map((each) => each.save()),
      budgets: [],
      faults: { lastId: 0, planned: [] },
      pauses: simulated.pauses.entries(),
      scenario: this.#player.coming(),
    }
  }

  #fault(): InputError {
    const time = isoTime(this.#world.simulated.queue.now())
    return new InputError(this.#where, `its journal does not follow from its world after ${time}`)
  }
}
