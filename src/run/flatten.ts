/**
 * Flattens a live account from outside of its sessions: the implementation of `papertape live flatten`.
 *
 * If a process trades on the account, that process does it; otherwise the account is opened here, under its lock.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MACHINE_CLOCKS, newSessionName } from '../adapter/live/machine-clocks.ts'
import { openLiveAccount } from '../adapter/live/open-live-account.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { DEFAULT_SETTLE_MS, DEFAULT_TIMEOUT_MS } from '../runtime/settings/live-settings.ts'
import { AccountLock } from '../store/state/live/account-lock.ts'
import type { FlattenCommand, OperatorAnswer } from '../store/state/live/operator-command.ts'
import { userKeyLocks } from '../store/state/live/key-lock.ts'
import { flattenAccess, flattenOn } from './flatten-access.ts'
import { reportAccount } from './operator.ts'

export interface FlattenOptions {
  /** Directory of the account's state. */
  readonly directory: string
  /** Base URL of the service. */
  readonly url: string
  /** Never printed. */
  readonly apiKey: string
  readonly onWarning: (text: string) => void
}

/** Time for the answer, on top of the time limit of the flattening itself. */
const ANSWER_MS = 30_000

/**
 * @returns the plan of a dry run, otherwise the report; `isDone` if nothing is left
 * @throws {InputError} if the files of the account cannot be used
 * @throws {ExchangeError} if the service or the account cannot be read
 */
export async function flatten(options: FlattenOptions, command: FlattenCommand): Promise<OperatorAnswer> {
  const { directory } = options
  if (existsSync(join(directory, 'live.db')) && AccountLock.isTaken(directory)) {
    return reportAccount({ directory, clocks: MACHINE_CLOCKS }, command, command.withinMs + ANSWER_MS)
  }
  return flattenAlone(options, command)
}

async function flattenAlone(
  { directory, url, apiKey, onWarning }: FlattenOptions,
  command: FlattenCommand,
): Promise<OperatorAnswer> {
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const onError = (error: unknown): void => {
    fail(error)
  }
  const time = new LiveLoop(MACHINE_CLOCKS, { onJump: () => undefined, onSetBack: () => undefined, onError })
  try {
    const opened = await openLiveAccount({
      url,
      apiKey,
      time,
      state: directory,
      session: newSessionName(),
      onWarning,
      onError,
      fees: { makerFeeBps: '0', takerFeeBps: '0' },
      uniqueQty: false,
      keyLocks: userKeyLocks(url, apiKey),
      timeoutMs: DEFAULT_TIMEOUT_MS,
      settleMs: DEFAULT_SETTLE_MS,
    })
    try {
      await Promise.race([opened.account.begin([]), failed])
      const access = flattenAccess(opened)
      return await Promise.race([flattenOn(command, { time, access, sessions: [] }), failed])
    } finally {
      await opened.account.close()
    }
  } finally {
    time.stop()
  }
}
