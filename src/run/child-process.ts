/**
 * A process of its own for a part of a session, without the keys in the environment. It ends with its parent.
 *
 * Known limit: on Windows, an endless loop in a strategy outlives a parent that was killed.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ends a process that its parent has left, and that does not end by itself. */
const GUARD = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL') }, 1000)`

/**
 * @param output    descriptor of the file that gets what it prints
 * @param execArgv  flags of Node
 * @throws if it cannot be started
 */
export const forkEntry = (url: string, output: number | 'ignore', execArgv: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(url), {
    env: { ...process.env, PAPERTAPE_API_KEY: undefined, PAPERTAPE_ADMIN_TOKEN: undefined },
    execArgv: [...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', output, output, 'ipc'],
  })

/** How a process ended, in words. */
export const exitText = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `its process ended with exit code ${code}` : `its process was killed by ${signal}`

/** Call in the process itself. @param onLeft  its parent has ended, or has disconnected it */
export function endWithParent(onLeft: () => void): void {
  // A Ctrl-C in a terminal reaches this process, too: its parent ends it.
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  new Worker(GUARD, { eval: true }).unref()
  process.once('disconnect', onLeft)
}

/** Call in the process itself: its parent has priority over it, and memory pressure kills it first. */
export function yieldTheMachine(): void {
  setPriority(constants.priority.PRIORITY_LOW)
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Linux alone has it.
  }
}
