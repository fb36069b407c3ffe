/**
 * The state that a strategy keeps with `state(schema)`.
 *
 * Invariant: a value that the strategy can read is in the journal, and saved before it, so that no order that follows
 * from it can be sent first. A value reads the same after a restart.
 */
import { isDeepStrictEqual } from 'node:util'
import { InputError } from '../../domain/errors.ts'
import { jsonFault, TOO_DEEP } from '../../domain/json-fault.ts'
import type { StateSchema, StrategyState } from '../../strategy/strategy-state.ts'
import { readSavedState } from './saved-state.ts'
import { cut, firstIssue, parsedBy, STATE } from './state-schema.ts'

/** Saved state of one strategy. */
export interface StrategyStateStore {
  /** File, for an error. */
  readonly place: string
  /** Name of the strategy. */
  readonly owner: string
  /** Undefined if there is none. @throws {InputError} if it cannot be read */
  load(): unknown
  /** Durable when it returns. @throws {DiskError} if it cannot be saved */
  save(value: unknown): void
}

export interface PersistentStateOptions {
  /** Undefined if nothing is saved: the state then begins with the first value of its schema. */
  readonly store: StrategyStateStore | undefined
  /** @param isContinued  true for the value of an earlier session */
  readonly journal: (text: string, isContinued: boolean) => void
  /** Whether a change takes effect now. @throws if the strategy may not act now */
  readonly isRecorded: () => boolean
  /** Says how a saved value changes. */
  readonly log: (message: string) => void
  /** Ends the session after a state could not be saved. */
  readonly fail: (error: unknown) => void
}

const MAX_BYTES = 1_000_000

/** A value and its JSON. */
interface CheckedValue<Value> {
  readonly text: string
  readonly value: Value
}

export class PersistentState {
  readonly #options: PersistentStateOptions
  #isOpen = false
  #text = ''

  constructor(options: PersistentStateOptions) {
    this.#options = options
  }

  /** @throws {InputError} for a second call, or a schema that does not fit the saved value or has no first one */
  readonly open = <Value>(schema: StateSchema<Value>): StrategyState<Value> => {
    if (this.#isOpen) throw new InputError(STATE, 'a strategy has one state: call it once, with all fields')
    if (typeof (schema as Partial<typeof schema> | undefined)?.safeParse !== 'function')
      throw new InputError(STATE, 'expected a zod schema, such as state(z.object({ entries: z.int().default(0) }))')
    const { store, log } = this.#options
    const saved = store?.load()
    const isContinued = store !== undefined && saved !== undefined
    const first = isContinued ? checkedValue(schema, readSavedState(schema, saved, { ...store, log })) : firstOf(schema)
    this.#isOpen = true
    this.#text = first.text
    this.#options.journal(first.text, isContinued)
    return this.#stateOf(schema, first.value)
  }

  /** A new instance of the strategy may open it. */
  reopen(): void {
    this.#isOpen = false
  }

  #stateOf<Value>(schema: StateSchema<Value>, first: Value): StrategyState<Value> {
    let value = first
    return {
      get value() {
        return value as StrategyState<Value>['value']
      },
      set: (next) => {
        const checked = checkedValue(schema, next)
        if (!this.#options.isRecorded() || checked.text === this.#text) return
        this.#replace(checked.text)
        value = checked.value
      },
    }
  }

  #replace(text: string): void {
    const { store, journal, fail } = this.#options
    try {
      store?.save(JSON.parse(text))
      journal(text, false)
    } catch (error) {
      // Even if the strategy catches it, because later orders would follow from a value that a restart forgets.
      fail(error)
      throw error
    }
    this.#text = text
  }
}

/** The value of an empty object, or of nothing. */
function firstOf<Value>(schema: StateSchema<Value>): CheckedValue<Value> {
  const empty = [undefined, {}].map((input) => parsedBy(schema, input))
  const first = empty.find((parsed) => parsed.success && parsed.data !== undefined)
  if (first?.success === true) return checkedValue(schema, first.data)
  const why = firstIssue(empty.at(-1))
  throw new InputError(STATE, `needs a first value: give every field a default, such as z.int().default(0) (${why})`)
}

/** A copy of the value that the strategy cannot change. @throws {InputError} if a restart would not give it back */
function checkedValue<Value>(schema: StateSchema<Value>, next: unknown): CheckedValue<Value> {
  const fault = jsonFault(next)
  if (fault === TOO_DEEP) throw new InputError(STATE, `expected JSON, got ${fault}`)
  if (fault !== undefined) throw new InputError(STATE, `expected JSON, got ${fault}: write money as text`)
  const text = JSON.stringify(next)
  const copy: unknown = JSON.parse(text)
  const parsed = parsedBy(schema, copy)
  if (!parsed.success) throw new InputError(STATE, `does not fit its schema: ${firstIssue(parsed)}`)
  const again = jsonFault(parsed.data) === undefined ? JSON.stringify(parsed.data) : 'null'
  if (!isDeepStrictEqual(JSON.parse(again), copy)) {
    const why = 'give every field and no other, and use a schema without transforms'
    throw new InputError(STATE, `its schema changes ${cut(text)} to ${cut(again)}: ${why}`)
  }
  const bytes = Buffer.byteLength(again)
  if (bytes > MAX_BYTES) throw new InputError(STATE, `has ${bytes} bytes, more than ${MAX_BYTES}`)
  return { text: again, value: frozen(parsed.data) }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}
