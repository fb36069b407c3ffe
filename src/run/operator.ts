/**
 * Commands of an operator to a live account, and its status: the implementation of `papertape live` subcommands.
 *
 * If a process trades on the account, it executes the command; otherwise the command is saved and the next start
 * applies it. The service is not asked.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineClocks } from '../adapter/live/machine-clocks.ts'
import { ambiguousText } from '../adapter/live/orders/reconciliations.ts'
import { assertNever, InputError } from '../domain/errors.ts'
import { version } from '../runtime/version.ts'
import type { LiveStatus } from '../runtime/live/live-status.ts'
import { BY_OPERATOR } from '../runtime/session-state.ts'
import { AccountLock, lockHolder, type LockHolder } from '../store/state/live/account-lock.ts'
import { adoptOrder, disownIntent, isWaiting } from '../store/state/live/decide-intent.ts'
import {
  saveSessionState,
  persistedAccount,
  persistedMarkets,
  persistedSessionState,
  persistedStatus,
  type PersistedMarket,
  type PersistedSessionState,
} from '../store/state/live/persisted-facts.ts'
import { persistedPaper } from '../store/state/live/persisted-paper.ts'
import { allPersistedParams, type PersistedParam } from '../store/state/live/persisted-params.ts'
import { persistedRisks, type PersistedHold } from '../store/state/live/persisted-risk.ts'
import type { PersistedIntent, BlockedMarket } from '../store/state/live/persisted-intent.ts'
import { LiveState } from '../store/state/live/live-state.ts'
import type { OperatorAnswer, OperatorCommand } from '../store/state/live/operator-command.ts'

export interface OperatorOptions {
  /** Directory of the account's state. */
  readonly directory: string
  /** Command that the operator uses; default: either. */
  readonly kind?: SessionKind | undefined
  readonly clocks: MachineClocks
}

/** Kind of a session with a state. */
export type SessionKind = 'live' | 'paper'

/** The saved state of an account. */
export interface AccountView {
  readonly baseUrl: string | undefined
  /** The process that trades on it; undefined if there is none. */
  readonly process: Partial<LockHolder> | undefined
  /** State set by an operator; undefined if none was. */
  readonly sessionState: PersistedSessionState | undefined
  /** States set by limits, in force until a new day or an operator lifts them. */
  readonly holds: readonly OwnedHold[]
  /** Parameters that an operator changed. */
  readonly params: readonly OwnedParam[]
  /** Last status of its process; undefined if there is none, or if another version wrote it. */
  readonly status: LiveStatus | undefined
  readonly intents: readonly PersistedIntent[]
  readonly halts: readonly BlockedMarket[]
  readonly markets: readonly PersistedMarket[]
}

export interface OwnedParam extends PersistedParam {
  readonly owner: string
  readonly name: string
}

export interface OwnedHold extends PersistedHold {
  readonly owner: string
}

const POLL_MS = 100
/** Short timeout: a trading process never releases the lock, an operator does within moments. */
const LOCK_MS = 200

/** @throws {InputError} if the directory has no state of an account */
export function accountView(directory: string, kind?: SessionKind): AccountView {
  return withState(directory, kind, (state) => {
    const status = persistedStatus(state)
    return {
      baseUrl: persistedAccount(state)?.baseUrl,
      process: AccountLock.isTaken(directory) ? (lockHolder(directory) ?? {}) : undefined,
      sessionState: persistedSessionState(state),
      holds: [...persistedRisks(state)].flatMap(([owner, { holds }]) => holds.map((hold) => ({ owner, ...hold }))),
      params: [...allPersistedParams(state)].flatMap(([owner, params]) =>
        Object.entries(params).map(([name, param]) => ({ owner, name, ...param })),
      ),
      status: status?.version === version() ? (status.status as LiveStatus) : undefined,
      intents: state.intents(),
      halts: state.blockedMarkets(),
      markets: persistedMarkets(state),
    }
  })
}

/**
 * @param waitMs  timeout for the answer of a process
 * @throws {InputError} if there is no state of an account, or if the command cannot be executed without a process
 */
export async function reportAccount(
  { directory, kind, clocks }: OperatorOptions,
  command: OperatorCommand,
  waitMs: number,
): Promise<OperatorAnswer> {
  const state = openState(directory, kind)
  try {
    const lock = AccountLock.take(directory, { pid: process.pid, since: clocks.wall() }, LOCK_MS)
    if (lock === undefined) return await askProcess(state, command, clocks, waitMs)
    try {
      return { isDone: true, message: doWithout(state, command, kind, clocks.wall()) }
    } finally {
      lock.release()
    }
  } finally {
    state.close()
  }
}

function openState(directory: string, kind: SessionKind | undefined): LiveState {
  const file = join(directory, 'live.db')
  if (!existsSync(file)) {
    const what = kind === 'paper' ? 'a paper session' : 'a live session'
    throw new InputError(directory, `no saved state of ${what} was found here`)
  }
  const state = LiveState.open(file)
  const is: SessionKind = persistedPaper(state) === undefined ? 'live' : 'paper'
  if (kind === undefined || kind === is) return state
  state.close()
  const what = is === 'live' ? 'a live account' : 'paper sessions'
  throw new InputError(directory, `has the state of ${what}: use the commands of papertape ${is}`)
}

function withState<T>(directory: string, kind: SessionKind | undefined, use: (state: LiveState) => T): T {
  const state = openState(directory, kind)
  try {
    return use(state)
  } finally {
    state.close()
  }
}

async function askProcess(
  { commands }: LiveState,
  command: OperatorCommand,
  clocks: MachineClocks,
  waitMs: number,
): Promise<OperatorAnswer> {
  const id = commands.request(command, clocks.wall())
  const until = clocks.monotonic() + waitMs
  for (;;) {
    const answer = commands.answerTo(id)
    if (answer !== undefined) return answer
    if (clocks.monotonic() >= until) break
    await new Promise<void>((resolve) => clocks.setTimer(POLL_MS, resolve))
  }
  if (commands.withdraw(id)) {
    return { isDone: false, message: 'the process that trades on this account does not answer; nothing was done' }
  }
  const message = 'the process received the command but has not answered yet; see papertape live status'
  return commands.answerTo(id) ?? { isDone: false, message }
}

/** @returns the outcome */
function doWithout(state: LiveState, command: OperatorCommand, kind: SessionKind | undefined, now: number): string {
  switch (command.kind) {
    case 'halt':
      return saveState(state, 'HALTED', now)
    case 'reduce':
      return saveState(state, 'REDUCING', now)
    case 'resume':
      return command.symbol === undefined ? saveState(state, 'ACTIVE', now) : resumeMarket(state, command.symbol)
    case 'adopt':
      adoptOrder(state, command.intent, command.order, now)
      return `order ${command.order} belongs to intent ${command.intent}; the next start checks it`
    case 'disown':
      disownIntent(state, command.intent, now)
      return `intent ${command.intent} has no order`
    case 'set':
      throw new InputError('set', 'no session is running: start it with other parameters (--param, or the config file)')
    case 'flatten':
      throw new InputError(
        'flatten',
        kind === 'paper'
          ? 'no session is running: start papertape paper with this state, and run the command again'
          : 'the process that traded on this account has ended: run the command again',
      )
    default:
      return assertNever(command)
  }
}

function saveState(state: LiveState, session: PersistedSessionState['state'], now: number): string {
  saveSessionState(state, { state: session, reason: BY_OPERATOR, since: now })
  return `no process is trading on this account; the next session starts ${session}`
}

function resumeMarket(state: LiveState, symbol: string): string {
  const blocked = state.blockedMarkets().find((each) => each.symbol === symbol)
  if (blocked === undefined) throw new InputError('SYMBOL', `${symbol} is not halted`)
  if (blocked.why === 'AMBIGUOUS' && isWaiting(state, symbol)) {
    throw new InputError('SYMBOL', ambiguousText(symbol))
  }
  state.unblock(symbol)
  return `${symbol} resumes at the next start`
}
