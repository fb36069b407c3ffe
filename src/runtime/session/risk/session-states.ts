/**
 * The effective session state: the strictest of those held by each rule and by commands.
 *
 * Invariant: the command ACTIVE releases the holds of all rules, and no rule releases a command.
 */
import { HotStream } from '../../../strategy/hot-stream.ts'
import { LOSS_RULES, type LossRule, type PersistedHold } from '../../../store/state/live/persisted-risk.ts'
import { SESSION_STATES, type SessionState, type StateChange } from '../../session-state.ts'

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
  /** Hot: the reason, each time a rule begins to hold the session, even if the state does not change. */
  readonly breach$ = new HotStream<string>()
  readonly #now: () => number
  readonly #onHolds: () => void
  readonly #holds = new Map<Holder, Hold>()
  #hold = NO_HOLD

  /** @param onHolds  called with every change of the holds, before it applies */
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

  /** True if one of the rules holds the session; default: any. */
  isHeldBy(rules: readonly LossRule[] = LOSS_RULES): boolean {
    return rules.some((rule) => this.#holds.has(rule))
  }

  /** Holds of the rules, to be saved. */
  get saved(): readonly PersistedHold[] {
    return [...this.#holds].flatMap(([rule, { why, since }]) =>
      rule === 'command' || rule === 'flatten' ? [] : [{ rule, why, since }],
    )
  }

  /** Restores the holds of an earlier session; they apply from `begin` on. */
  restore(holds: readonly PersistedHold[]): void {
    for (const { rule, why, since } of holds) this.#holds.set(rule, { state: 'REDUCING', why, since })
  }

  begin(): void {
    const [first] = this.saved
    if (first === undefined) return
    this.#report(first.why)
    this.breach$.push(first.why)
  }

  command(state: SessionState, why: string): void {
    if (state === 'ACTIVE') this.#holds.clear()
    else this.#holds.set('command', { state, why, since: this.#now() })
    this.#onHolds()
    this.#report(why)
  }

  /** A limit was reached. */
  reduce(rule: LossRule, why: string): void {
    if (this.#holds.has(rule)) return
    this.#holds.set(rule, { state: 'REDUCING', why, since: this.#now() })
    this.#onHolds()
    this.#report(why)
    this.breach$.push(why)
  }

  /** Refuses everything except flattening. */
  holdToFlatten(why: string): void {
    this.#holds.set('flatten', { state: 'HALTED', why, since: this.#now() })
    this.#report(why)
  }

  /** A rule no longer holds the session, or the position is flat. */
  release(rule: LossRule | 'flatten', why: string): void {
    if (!this.#holds.delete(rule)) return
    this.#onHolds()
    const rest = strictest([...this.#holds.values()]).why
    this.#report(rest === '' ? why : `${why}, but the state stays because ${rest}`)
  }

  #report(why: string): void {
    const before = this.#hold
    this.#hold = strictest([...this.#holds.values()])
    const { state } = this.#hold
    if (state === before.state) return
    this.state$.push({ time: this.#now(), state, why })
  }
}

/** The earlier one of two equally strict holds. */
const strictest = (holds: readonly Hold[]): Hold =>
  holds.reduce((most, hold) => (rank(hold) > rank(most) ? hold : most), NO_HOLD)

const rank = ({ state }: Hold): number => SESSION_STATES.indexOf(state)
