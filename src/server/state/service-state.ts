/**
 * The state of a service that outlives its process: exchange, users and keys, kept in a file.
 *
 * Opened again it is as it was: same books, same ids, same history, same keys. Rate windows begin anew.
 * Known limit: how much history is kept was decided when the file was made.
 */
import { InputError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig, SnapshotExchange } from '../../exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import { LaterList } from '../../exchange/snapshot/later-list.ts'
import { restoreExchange } from '../../exchange/snapshot/restore-exchange.ts'
import { withMarkets } from '../../exchange/snapshot/with-markets.ts'
import { readStateFile, type StoredState } from '../../store/state/read-state-file.ts'
import { StateFile } from '../../store/state/state-file.ts'
import { accountsOfAgents } from '../../simulation/agents/agent-population.ts'
import { addedMarkets } from './kept-markets.ts'
import { JournaledExchange } from './journaled-exchange.ts'
import type { Secrets } from '../service/secrets.ts'
import { applyEntry, readEntries, type StateEntry } from './state-entry.ts'
import { CHECKPOINT_ENTRIES, StateJournal } from './state-journal.ts'
import { UserRegistry, type UserEntry } from '../service/user-registry.ts'

export interface ServiceState {
  readonly exchange: Exchange
  readonly users: UserRegistry
  /** True when nothing has ever happened in it, so that its first users are still to be made. */
  readonly isNew: boolean
  /** Symbols of the markets that it has from this opening on, beside those that it had. */
  readonly addedMarkets: readonly string[]
  /** Unix milliseconds of the last that happened in it; 0 when nothing has. */
  readonly time: number
  /** Keeps where a clock was moved to. */
  keepTime(time: number): void
  /** Begins another life of the state. @returns its number, which none had before; the first is 1 */
  beginLife(): number
  /**
   * Resolves when everything that was done so far is on the disk; undefined when it is now. Rejects with a
   * ServiceError.
   */
  durable(): Promise<void> | undefined
  /** Makes the next start quick. @throws {InputError} when it cannot be written */
  checkpoint(): void
  /** After a checkpoint. @throws {InputError} when that cannot be written; what was durable is safe all the same */
  close(): void
}

interface Snapshot {
  readonly exchange: ExchangeSnapshot
  readonly users: readonly UserEntry[]
  /** Not in files of before there was a time without events, and lives. */
  readonly time?: number
  readonly life?: number
}

/** What was read from a file. */
interface Kept {
  readonly exchange: SnapshotExchange
  readonly users: readonly UserEntry[]
  /** What happened after the snapshot. */
  readonly entries: readonly StateEntry[]
  readonly time: number
  readonly life: number
  /** Markets that it does not have yet, and its exchange has. */
  readonly added: readonly MarketConfig[]
  /** See `ServiceState`. */
  readonly isNew: boolean
}

/** Items of a list in one piece: what is left of a millisecond in the worst case. */
const ITEMS = 64

/**
 * Text of a snapshot in pieces, to be written one after another: together they are its JSON.
 *
 * @param value  of JSON, or with lists that are written later
 */
export function* snapshotText(value: unknown): Generator<string> {
  if (value instanceof LaterList) yield* listText(value)
  else if (Array.isArray(value)) yield* arrayText(value)
  else if (typeof value === 'object' && value !== null) yield* objectText(value)
  else yield JSON.stringify(value)
}

function* listText(list: LaterList<unknown>): Generator<string> {
  yield '['
  for (let from = 0; from < list.length; from += ITEMS) {
    const items = JSON.stringify(list.part(from, from + ITEMS)).slice(1, -1)
    yield from === 0 ? items : `,${items}`
  }
  yield ']'
}

function* arrayText(items: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* snapshotText(item)
  }
  yield ']'
}

function* objectText(value: object): Generator<string> {
  let separator = '{'
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* snapshotText(each)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

/**
 * Opens a state file, or makes it.
 *
 * @param fresh      what a new one begins with; an old one must have its markets among these, and gets the others
 * @param onFailure  hears once when something could not be written: from then on nothing is let in, and nothing is ever
 * durable
 * @param checkpointEntries  after how many entries a snapshot is written, while the state goes on
 * @throws {InputError} naming the file, which is as it was
 */
export function openServiceState(
  file: string,
  fresh: ExchangeConfig,
  secrets: Secrets,
  onFailure: (error: unknown) => void,
  checkpointEntries = CHECKPOINT_ENTRIES,
): ServiceState {
  const stored = readStateFile(file)
  const before = stored === undefined ? begun(fresh) : restored(file, stored, fresh)
  const { exchange, entries } = before
  const users = new UserRegistry(secrets, (entry) => {
    journal.add(entry)
  })
  let { time, life } = before
  // Nobody can ask for what agents did, and they do most of what is done.
  const agents = new Set(exchange.markets.flatMap(({ symbol }) => accountsOfAgents(symbol)))
  const snapshot = (): Iterable<string> =>
    snapshotText({ exchange: exchange.cut(agents), users: users.entries(), time, life })
  for (const entry of before.users) users.apply(entry)
  replay(file, entries, exchange, users)
  const store =
    stored === undefined ? StateFile.create(file, [...snapshot()].join('')) : StateFile.reopen(file, stored.lastWrite)
  const journal = new StateJournal({ store, snapshot, entriesBehind: entries.length, checkpointEntries, onFailure })
  for (const market of before.added) journal.add({ type: 'market', market })
  return {
    exchange: new JournaledExchange(exchange, journal),
    users,
    isNew: before.isNew,
    addedMarkets: before.added.map(({ symbol }) => symbol),
    time,
    keepTime: (now) => {
      if (now === time) return
      time = now
      journal.add({ type: 'time', time })
    },
    beginLife: () => {
      life += 1
      journal.add({ type: 'life', life })
      return life
    },
    durable: () => journal.durable(),
    checkpoint: () => {
      journal.checkpoint()
    },
    close: () => {
      end(journal, store)
    },
  }
}

/** The store is closed whatever becomes of the checkpoint. */
function end(journal: StateJournal, store: StateFile): void {
  try {
    journal.checkpoint()
    journal.close()
  } finally {
    store.close()
  }
}

const begun = (fresh: ExchangeConfig): Kept => ({
  exchange: createExchange(fresh),
  users: [],
  entries: [],
  time: 0,
  life: 0,
  added: [],
  isNew: true,
})

function restored(file: string, { snapshot: text, batches }: StoredState, fresh: ExchangeConfig): Kept {
  return asFaultOf(file, () => {
    const { exchange, users, time: kept = 0, life = 0 } = JSON.parse(text) as Snapshot
    const entries = batches.flatMap(readEntries)
    const later = entries.flatMap((entry) => (entry.type === 'market' ? [entry.market] : []))
    const { quoteAsset } = exchange
    const added = addedMarkets(file, { markets: [...exchange.markets, ...later], quoteAsset }, fresh)
    const whole = restoreExchange(withMarkets(exchange, [...later, ...added]))
    const read = exchange.states.map(({ statistics }) => statistics.readAt)
    const happened = entries.map((entry) => ('time' in entry ? entry.time : 0))
    const lives = entries.map((entry) => (entry.type === 'life' ? entry.life : 0))
    const isNew = users.length === 0 && exchange.time === 0 && entries.every(isOfNoConsequence)
    const time = latest([exchange.time, kept, ...read], happened)
    return { exchange: whole, users, entries, time, life: latest([life], lives), added, isNew }
  })
}

const isOfNoConsequence = ({ type }: StateEntry): boolean => type === 'time' || type === 'life' || type === 'market'

/** Of more numbers than a call takes. */
const latest = (...lists: readonly (readonly number[])[]): number =>
  lists.reduce((last, list) => list.reduce((most, each) => Math.max(most, each), last), 0)

/** Lets what was written down happen again. */
function replay(file: string, entries: readonly StateEntry[], exchange: Exchange, users: UserRegistry): void {
  asFaultOf(file, () => {
    for (const entry of entries) applyEntry(entry, exchange, users)
  })
}

/** Whatever is wrong with what a file holds, is told with the file's name. */
function asFaultOf<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof InputError && error.where === file) throw error
    const why = error instanceof Error ? error.message : 'for an unknown reason'
    throw new InputError(file, `cannot be restored (${why})`, { cause: error })
  }
}
