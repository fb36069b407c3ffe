/** The files of paper sessions with a state: opened, and read back. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { csvTable } from '../report/run/csv-table.ts'
import { continuedParams, type ContinueParams } from '../runtime/live/param-changes.ts'
import { savedSymbols } from '../runtime/live/paper-money.ts'
import { AccountLock, lockHolder } from '../store/state/live/account-lock.ts'
import { LiveState } from '../store/state/live/live-state.ts'
import { persistedAccount, persistedRunDirectories } from '../store/state/live/persisted-facts.ts'
import { persistedPaper, type PersistedPaper, type PersistedPaperFill } from '../store/state/live/persisted-paper.ts'

/** The files of a state, which no other process can use meanwhile. */
export interface OpenedPaperState {
  readonly directory: string
  readonly state: LiveState
  /** Undefined if the state is new. */
  readonly saved: PersistedPaper | undefined
  /** Base URL of the service of the last session; undefined if the state is new. */
  readonly madeOn: string | undefined
  /** The parameters of a strategy with an operator's changes of earlier sessions. */
  readonly paramsOf: ContinueParams
  close(): void
}

/** @throws {InputError} if another process uses it, or if it is not the state of paper sessions */
export function openPaperState(directory: string, now: number): OpenedPaperState {
  const lock = AccountLock.take(directory, { pid: process.pid, since: now })
  if (lock === undefined) {
    const other = lockHolder(directory)
    const who = other === undefined ? 'another process' : `process ${other.pid}`
    throw new InputError(directory, `${who} is already trading on this state: stop it first`)
  }
  const closing: (() => void)[] = [
    () => {
      lock.release()
    },
  ]
  const close = (): void => {
    for (const each of closing.splice(0)) each()
  }
  try {
    const state = LiveState.openOrMake(join(directory, 'live.db'))
    closing.unshift(() => {
      state.close()
    })
    const saved = persistedPaper(state)
    if (saved === undefined && persistedAccount(state) !== undefined)
      throw new InputError(directory, 'has the state of a live account: use another directory for paper trading')
    const paramsOf: ContinueParams = (configured, onText) => continuedParams(state, configured, onText)
    return { directory, state, saved, madeOn: persistedAccount(state)?.baseUrl, paramsOf, close }
  } catch (error) {
    close()
    throw error
  }
}

/** The named markets, and those that the state has. @throws {InputError} for one that is no longer listed */
export function continuedMarkets(
  { directory, saved }: OpenedPaperState,
  named: readonly Market[],
  listed: readonly Market[],
): readonly Market[] {
  const symbols = saved === undefined ? [] : savedSymbols(saved)
  const more = symbols.filter((symbol) => !named.some((market) => market.symbol === symbol))
  return [
    ...named,
    ...more.map((symbol) => {
      const market = listed.find((each) => each.symbol === symbol)
      if (market === undefined) throw new InputError(directory, `has ${symbol}, which the service no longer lists`)
      return market
    }),
  ]
}

/** Whether the files of a strategy's earlier sessions have a fill. */
export function writtenFills(
  state: LiveState,
  onWarning: (text: string) => void,
): (fill: PersistedPaperFill) => boolean {
  const writtenByOwner = new Map<string, ReadonlySet<string>>()
  const read = (owner: string): ReadonlySet<string> => {
    const keys = new Set<string>()
    for (const directory of persistedRunDirectories(state, owner)) {
      const path = join(resolve(directory), 'fills.csv')
      if (!existsSync(directory)) {
        onWarning(`the files of an earlier session in '${directory}' are missing; its last fills may be written again`)
      }
      if (!existsSync(path)) continue
      const text = readFileSync(path, 'utf8')
      // Ignores a last row cut off by a kill.
      for (const row of csvTable(path, text.slice(0, text.lastIndexOf('\n') + 1)))
        keys.add(`${row('trade_id')} ${row('order_id')}`)
    }
    return keys
  }
  return ({ owner, tradeId, orderId }) => {
    const written = writtenByOwner.get(owner) ?? read(owner)
    writtenByOwner.set(owner, written)
    return written.has(`${tradeId} ${orderId}`)
  }
}
