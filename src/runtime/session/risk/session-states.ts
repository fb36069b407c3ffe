/**
 * State of a session as the strictest that anyone holds it in: a rule each, and whoever commands it.
 *
 * Invariant: a command to be ACTIVE ends what the rules hold, and no rule ends what was commanded.
 */
import { HotStream } from '../../../strategy/hot-stream.ts'
import type { PersistedHold } from '../../../store/state/live/persisted-risk.ts'
import type { LossRule } from './equity-watch.ts'
import { SESSION_STATES, type SessionState, type StateChange } from './session-state.ts'

interface Hold {
  readonly state: SessionState
  readonly why: string
  /** Unix milliseconds. */
  readonly since: number
}

type Holder = LossRule | 'command' | 'flatten'

const NO_HOLD: Hold = { state: 'ACTIVE', why: '', since: 0 }

export class SessionStates {
  /** Hot: each change. */
  readonly state$ = new HotStream<StateChange>()
  /** Hot: why, each time that a rule begins to hold it, also where that does not change the state. */
  readonly breach$ = new HotStream<string>()
  readonly #now: () => number
  readonly #onHolds: () => void
  readonly #holds = new Map<Holder, Hold>()
  #hold = NO_HOLD

  /** @param onHolds  called with every change of what holds it, before the change counts */
  constructor(now: () => number, onHolds: () => void) {
    this.#now = now
    this.#onHolds = onHolds
  }

  get state(): SessionState {
    return this.#hold.state
  }

  get why(): string {
    return this.#hold.why
  }

  /** True when a rule holds it, and not only a command. */
  get isHeldByRule(): boolean {
    return this.#holds.has('day-loss') || this.#holds.has('drawdown')
  }

  /** What the rules hold, to be kept. */
  get kept(): readonly PersistedHold[] {
    return [...this.#holds].flatMap(([rule, { why, since }]) =>
      rule === 'command' || rule === 'flatten' ? [] : [{ rule, why, since }],
    )
  }

  /** What the rules held in an earlier session holds again; it counts from `begin` on. */
  restore(holds: readonly PersistedHold[]): void {
    for (const { rule, why, since } of holds) this.#holds.set(rule, { state: 'REDUCING', why, since })
  }

  begin(): void {
    const [first] = this.kept
    if (first === undefined) return
    this.#tell(first.why)
    this.breach$.push(first.why)
  }

  command(state: SessionState, why: string): void {
    if (state === 'ACTIVE') this.#holds.clear()
    else this.#holds.set('command', { state, why, since: this.#now() })
    this.#onHolds()
    this.#tell(why)
  }

  /** A limit was reached. */
  reduce(rule: LossRule, why: string): void {
    if (this.#holds.has(rule)) return
    this.#holds.set(rule, { state: 'REDUCING', why, since: this.#now() })
    this.#onHolds()
    this.#tell(why)
    this.breach$.push(why)
  }

  /** Nothing but what flattens goes out. */
  holdToFlatten(why: string): void {
    this.#holds.set('flatten', { state: 'HALTED', why, since: this.#now() })
    this.#tell(why)
  }

  /** A rule no longer holds it, or the position is flat. */
  release(rule: LossRule | 'flatten', why: string): void {
    if (!this.#holds.delete(rule)) return
    this.#onHolds()
    const rest = strictest([...this.#holds.values()]).why
    this.#tell(rest === '' ? why : `${why}, but the state stays because ${rest}`)
  }

  #tell(why: string): void {
    const before = this.#hold
    this.#hold = strictest([...this.#holds.values()])
    const { state } = this.#hold
    if (state === before.state) return
    this.state$.push({ time: this.#now(), state, why })
  }
}

/** Of two that are as strict the earlier. */
const strictest = (holds: readonly Hold[]): Hold =>
  holds.reduce((most, hold) => (rank(hold) > rank(most) ? hold : most), NO_HOLD)

const rank = ({ state }: Hold): number => SESSION_STATES.indexOf(state)
