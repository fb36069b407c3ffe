/**
 * The persistent state of a service: exchange, users and keys in a file.
 *
 * Reopening restores the same books, ids, history and keys. Rate windows start over. Known limit: the length of the
 * history is fixed when the file is created.
 */
import { InputError } from '../../domain/errors.ts'
import { ledgerScales, type MarketConfig } from '../../domain/market.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig, SnapshotExchange } from '../../exchange/exchange.ts'
import { restoreExchange } from '../../exchange/restore-exchange.ts'
import type { ExchangeSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import { LaterList } from '../../exchange/snapshot/later-list.ts'
import { withMarkets } from '../../exchange/with-markets.ts'
import { agentsOf } from '../../simulation/agents/agent-population.ts'
import { readStateFile, type StoredState } from '../../store/state/read-state-file.ts'
import { StateFile } from '../../store/state/state-file.ts'
import type { Secrets } from '../service/secrets.ts'
import { type UserEntry, UserRegistry } from '../service/user-registry.ts'
import { JournaledExchange } from './journaled-exchange.ts'
import { applyEntry, joinEntries, readEntries, writeEntry, type StateEntry } from './state-entry.ts'
import { CHECKPOINT_ENTRIES, StateJournal } from './state-journal.ts'

interface Markets {
  readonly markets: readonly MarketConfig[]
  readonly quoteAsset: string
}

const FIELDS = [
  'id',
  'name',
  'baseAsset',
  'quoteAsset',
  'pricePrecision',
  'qtyPrecision',
  'makerFeeBps',
  'takerFeeBps',
  'selfTrade',
] as const satisfies readonly (keyof MarketConfig)[]

/**
 * The order of the markets is no difference.
 *
 * @returns those that are asked for and that the state does not have yet
 * @throws {InputError} naming the file and the first difference
 */
function addedMarkets(file: string, saved: Markets, asked: Markets): readonly MarketConfig[] {
  const fault = (message: string): InputError =>
    new InputError(file, `${message}: change the config to match it, or use another state file`)
  if (saved.quoteAsset !== asked.quoteAsset) {
    throw fault(`was saved with the quote asset ${saved.quoteAsset}, but the config has ${asked.quoteAsset}`)
  }
  for (const market of saved.markets) {
    const wanted = asked.markets.find(({ symbol }) => symbol === market.symbol)
    if (wanted === undefined) throw fault(`has the market ${market.symbol}, which the config does not list`)
    for (const field of FIELDS) {
      if (market[field] === wanted[field]) continue
      throw fault(`has ${market.symbol} with ${field} '${market[field]}', but the config has '${wanted[field]}'`)
    }
  }
  const symbols = new Set(saved.markets.map(({ symbol }) => symbol))
  const added = asked.markets.filter(({ symbol }) => !symbols.has(symbol))
  checkDigits(file, saved.markets, added)
  return added
}

/** Everything that was charged was rounded to the digits that an asset had. */
function checkDigits(file: string, saved: readonly MarketConfig[], added: readonly MarketConfig[]): void {
  const digits = ledgerScales(saved)
  for (const market of added) {
    for (const [asset, wanted] of ledgerScales([market])) {
      const has = digits.get(asset)
      if (has === undefined || wanted <= has) continue
      const fields = asset === market.baseAsset ? 'qtyPrecision' : 'pricePrecision and qtyPrecision'
      throw new InputError(
        file,
        `cannot add ${market.symbol}: its ${fields} would give ${asset} ${wanted} decimals, and the state has ${has}: use fewer decimals, or another state file`,
      )
    }
  }
}

/** The content that a state is replaced by. */
export interface ReplacedState {
  readonly exchange: ExchangeSnapshot
  readonly users: readonly UserEntry[]
  /** Unix milliseconds. */
  readonly time: number
}

export interface ServiceState {
  readonly exchange: Exchange
  readonly users: UserRegistry
  /** True if nothing has happened yet, so the first users must be created. */
  readonly isNew: boolean
  /** Symbols of markets added by this opening. */
  readonly addedMarkets: readonly string[]
  /** Unix milliseconds of the last event; 0 if there was none. */
  readonly time: number
  /** Saves the time of a virtual clock. */
  saveTime(time: number): void
  /** Starts another life of the state. @returns its unique number; the first is 1 */
  beginLife(): number
  /** Everything that can be read of the exchange; orders and fills of agents are left out. */
  snapshot(): ExchangeSnapshot
  /**
   * Replaces everything at once, also in the file, and returns the state to use from then on.
   *
   * @throws {InputError} for a snapshot that cannot be, or a file that cannot be written
   */
  replace(next: ReplacedState): ServiceState
  /** Resolves when all changes so far are on disk; undefined if they are. Rejects with a ServiceError. */
  durable(): Promise<void> | undefined
  /**
   * Saves the changes of synchronous work as one snapshot after it, which takes much less time than one by one. For
   * work without effect outside: after a kill before the snapshot, nothing of it has happened.
   *
   * @throws the error of the work, or {InputError} if the snapshot cannot be written
   */
  saveAtOnce(work: () => void): void
  /** Hears the text of every later entry of its journal. A state in memory has none. */
  listen(onEntry: (text: string) => void): void
  /** Makes the next start fast. @throws {InputError} if it cannot be written */
  checkpoint(): void
  /**
   * Closes after a checkpoint. @throws {InputError} if that cannot be written; durable changes are safe all the same
   */
  close(): void
}

interface Snapshot {
  readonly exchange: ExchangeSnapshot
  readonly users: readonly UserEntry[]
  /** Absent in old files without lives. */
  readonly time?: number
  readonly life?: number
}

/** State read from a file. */
interface SavedState {
  readonly exchange: SnapshotExchange
  readonly users: readonly UserEntry[]
  /** Changes since the snapshot. */
  readonly entries: readonly StateEntry[]
  readonly time: number
  readonly life: number
  /** Markets that must be added to the file. */
  readonly added: readonly MarketConfig[]
  /** See `ServiceState`. */
  readonly isNew: boolean
}

/** Items of a list serialized in one step: a fraction of a millisecond in the worst case. */
const ITEMS = 64

/**
 * JSON of a snapshot as a sequence of texts.
 *
 * @param value  JSON value, possibly with lists that are serialized later
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
 * Opens a state file, or creates it.
 *
 * @param fresh      initial state of a new file; an existing one must have its markets among these, and gets the others
 * @param onFailure  called once if a write fails: nothing is accepted or durable after that
 * @param checkpointEntries  number of entries after which a snapshot is written, while the state keeps changing
 * @throws {InputError} naming the file, which stays unchanged
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
  const content = new StateContent(before, secrets, (entry) => {
    journal.add(entry)
  })
  replay(file, before.entries, content.exchange, content.users)
  const snapshot = (): Iterable<string> => content.snapshot()
  const store =
    stored === undefined ? StateFile.create(file, [...snapshot()].join('')) : StateFile.reopen(file, stored.lastWrite)
  const entriesBehind = before.entries.length
  const form = { write: writeEntry, join: joinEntries }
  const journal = new StateJournal({ store, ...form, snapshot, entriesBehind, checkpointEntries, onFailure })
  for (const market of before.added) journal.add({ type: 'market', market })
  const addedMarkets = before.added.map(({ symbol }) => symbol)
  return stateOf({ content, journal, store }, { isNew: before.isNew, addedMarkets })
}

/** Everything that a state file keeps, and that is replaced at once. */
class StateContent {
  exchange: SnapshotExchange
  users: UserRegistry
  time: number
  life: number
  readonly #secrets: Secrets
  readonly #add: (entry: StateEntry) => void

  constructor({ exchange, users, time, life }: SavedState, secrets: Secrets, add: (entry: StateEntry) => void) {
    this.#secrets = secrets
    this.#add = add
    this.exchange = exchange
    this.users = this.#usersOf(users)
    this.time = time
    this.life = life
  }

  snapshot(): Iterable<string> {
    const { exchange, users, time, life } = this
    return snapshotText({ exchange: exchange.cut(agentsOf(exchange)), users: users.entries(), time, life })
  }

  /** @throws {InputError} for a snapshot that cannot be, before anything changes */
  replace({ exchange, users, time }: ReplacedState): void {
    this.exchange = restoreExchange(exchange)
    this.users = this.#usersOf(users)
    this.time = time
  }

  #usersOf(known: readonly UserEntry[]): UserRegistry {
    const users = new UserRegistry(this.#secrets, this.#add)
    for (const entry of known) users.apply(entry)
    return users
  }
}

interface StateParts {
  readonly content: StateContent
  readonly journal: StateJournal<StateEntry>
  readonly store: StateFile
}

function stateOf(parts: StateParts, opening: Pick<ServiceState, 'isNew' | 'addedMarkets'>): ServiceState {
  const { content, journal, store } = parts
  const { exchange, users, time } = content
  return {
    exchange: new JournaledExchange(exchange, journal),
    users,
    ...opening,
    time,
    saveTime: (now) => {
      if (now === content.time) return
      content.time = now
      journal.add({ type: 'time', time: now })
    },
    beginLife: () => {
      content.life += 1
      journal.add({ type: 'life', life: content.life })
      return content.life
    },
    snapshot: () => exchange.snapshot(agentsOf(exchange)),
    replace: (next) => {
      content.replace(next)
      journal.replaceAll()
      return stateOf(parts, { isNew: false, addedMarkets: [] })
    },
    durable: () => journal.durable(),
    saveAtOnce: journal.saveAtOnce.bind(journal),
    listen: (onEntry) => {
      journal.onEntry = onEntry
    },
    checkpoint: () => {
      journal.checkpoint()
    },
    close: () => {
      end(journal, store)
    },
  }
}

/** The store is closed even if the checkpoint fails. */
function end(journal: StateJournal<StateEntry>, store: StateFile): void {
  try {
    journal.checkpoint()
    journal.close()
  } finally {
    store.close()
  }
}

const begun = (fresh: ExchangeConfig): SavedState => ({
  exchange: createExchange(fresh),
  users: [],
  entries: [],
  time: 0,
  life: 0,
  added: [],
  isNew: true,
})

function restored(file: string, { snapshot: text, batches }: StoredState, fresh: ExchangeConfig): SavedState {
  return asFaultOf(file, () => {
    const { exchange, users, time: saved = 0, life = 0 } = JSON.parse(text) as Snapshot
    const entries = batches.flatMap(readEntries)
    const later = entries.flatMap((entry) => (entry.type === 'market' ? [entry.market] : []))
    const { quoteAsset } = exchange
    const added = addedMarkets(file, { markets: [...exchange.markets, ...later], quoteAsset }, fresh)
    const whole = restoreExchange(withMarkets(exchange, [...later, ...added]))
    const read = exchange.states.map(({ statistics }) => statistics.readAt)
    const happened = entries.map((entry) => ('time' in entry ? entry.time : 0))
    const lifeNumbers = entries.map((entry) => (entry.type === 'life' ? entry.life : 0))
    const isNew = users.length === 0 && exchange.time === 0 && entries.every(isOfNoConsequence)
    const time = latest([exchange.time, saved, ...read], happened)
    return { exchange: whole, users, entries, time, life: latest([life], lifeNumbers), added, isNew }
  })
}

const isOfNoConsequence = ({ type }: StateEntry): boolean => type === 'time' || type === 'life' || type === 'market'

/** Maximum of many numbers, because Math.max has an argument limit. */
const latest = (...lists: readonly (readonly number[])[]): number =>
  lists.reduce((last, list) => list.reduce((most, each) => Math.max(most, each), last), 0)

/** Replays the journal. */
function replay(file: string, entries: readonly StateEntry[], exchange: Exchange, users: UserRegistry): void {
  asFaultOf(file, () => {
    for (const entry of entries) applyEntry(entry, exchange, users)
  })
}

/** Errors about the content of a file, with its name. */
function asFaultOf<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof InputError && error.where === file) throw error
    const why = error instanceof Error ? error.message : 'for an unknown reason'
    throw new InputError(file, `cannot be restored (${why})`, { cause: error })
  }
}
