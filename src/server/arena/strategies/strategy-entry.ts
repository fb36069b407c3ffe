/**
 * The process of a strategy in an arena: a live session with the key of a player, at the address that all players use.
 *
 * Its orders stay when it ends: the server cancels them at the end of the season, and the next start takes them over.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MACHINE_CLOCKS, newSessionName } from '../../../adapter/live/machine-clocks.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import { isoTime } from '../../../domain/time.ts'
import { endWithParent, yieldTheMachine } from '../../../run/child-process.ts'
import type { LiveOptions, LiveResult } from '../../../run/live-options.ts'
import { openAccount } from '../../../run/live.ts'
import { runLive } from '../../../run/run-live.ts'
import { paramNames, readParams } from '../../../runtime/strategies/params.ts'
import { loadStrategy } from '../../../runtime/strategies/strategy-file.ts'
import { AccountLock } from '../../../store/state/live/account-lock.ts'
import type { StrategyBegin, StrategyCommand, StrategyJob, StrategyMessage } from './strategy-messages.ts'

const ALIVE_MS = 1_000
/** A process of a killed server may still hold the state, until it notices. */
const MAX_LOCK_WAITS = 100
const LOCK_WAIT_MS = 100
const MAX_LOG_BYTES = 10_000_000
/** Longest stop: orders are left, so only files are written. */
const STOP_TIMEOUT = '3s'

const end = new AbortController()
let begin: (command: StrategyBegin) => void = () => undefined
const begun = new Promise<StrategyBegin>((resolve) => {
  begin = resolve
})

const send = (message: StrategyMessage): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

// The next server starts it again: what is under way is found in its state then.
endWithParent(() => process.exit())
process.once('message', (job: StrategyJob) => {
  process.on('message', (command: StrategyCommand) => {
    if (command.type === 'begin') begin(command)
    else end.abort()
  })
  void trade(job)
})

async function trade(job: StrategyJob): Promise<void> {
  setInterval(send, ALIVE_MS, { type: 'alive' }).unref()
  try {
    yieldTheMachine()
    const hasSymbol = await check(job)
    send({ type: 'loaded' })
    const command = await Promise.race([begun, stopped])
    const why = command === undefined ? undefined : reasonOf(await run(job, command, hasSymbol))
    send(end.signal.aborted ? { type: 'ended' } : { type: 'failed', why: why ?? 'it ended by itself' })
  } catch (error) {
    send(end.signal.aborted ? { type: 'ended' } : { type: 'failed', why: thrownText(error) })
  }
}

const stopped = new Promise<undefined>((resolve) => {
  end.signal.addEventListener('abort', () => {
    resolve(undefined)
  })
})

/**
 * @returns true if it has a parameter `symbol`
 * @throws {InputError} for a strategy that cannot be loaded, or wrong parameters
 */
async function check({ strategy: path, params, symbol }: StrategyJob): Promise<boolean> {
  const { strategy } = await loadStrategy(path)
  readParams(strategy, { texts: {}, values: params, symbol })
  return paramNames(strategy).includes('symbol')
}

/** Why a session ended that was not stopped. */
function reasonOf({ sessions: [session], fault }: LiveResult): string | undefined {
  const { failure = null } = session?.report ?? {}
  if (failure === null) return fault?.message
  // The board is public: the folder is not shown.
  return failure.place === null ? failure.message : `${failure.message} (${basename(failure.place)})`
}

async function run(
  { strategy, params, folder }: StrategyJob,
  begin: StrategyBegin,
  hasSymbol: boolean,
): Promise<LiveResult> {
  const { url, apiKey, fees, symbol } = begin
  const note = logOf(join(folder, 'strategy.log'))
  const state = join(folder, 'state')
  await untilFree(state)
  const options: LiveOptions = {
    strategies: [{ strategy, params }],
    ...{ url, apiKey, symbol: hasSymbol ? symbol : undefined, state },
    ...{ received: false, atExit: 'keep', stopTimeout: STOP_TIMEOUT, wait: '1m', signal: end.signal },
    terms: { makerFeeBps: fees.makerFeeBps, takerFeeBps: fees.takerFeeBps },
    listener: {
      onStart: ([session]) => {
        note(`started, run directory ${session?.directory ?? ''}`)
      },
      onLog: (_, time, message) => {
        note(`${isoTime(time)} ${message}`)
      },
      onWarning: note,
      onFault: note,
    },
  }
  const parts = { clocks: MACHINE_CLOCKS, openAccount, dataDirectory: folder, session: newSessionName() }
  return await runLive(options, parts)
}

async function untilFree(state: string): Promise<void> {
  for (let waits = 0; waits < MAX_LOCK_WAITS && AccountLock.isTaken(state); waits += 1) await setTimeout(LOCK_WAIT_MS)
}

/** Writes lines to a file, up to a size. */
function logOf(file: string): (line: string) => void {
  mkdirSync(join(file, '..'), { recursive: true })
  let bytes = 0
  return (line) => {
    if (bytes > MAX_LOG_BYTES) return
    bytes += Buffer.byteLength(line)
    appendFileSync(file, bytes > MAX_LOG_BYTES ? 'the log is full\n' : `${line}\n`)
  }
}
