/**
 * `papertape worker`: runs points of sweeps that other machines began.
 */
import type { Options } from 'yargs'
import type { CliCommand } from '../cli-command.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

/** The flags of `papertape worker`. */
export const WORKER_FLAGS: Readonly<Record<string, Options>> = {
  redis: text('URL of the Redis that the sweeps use, such as redis://127.0.0.1:6379'),
  workers: text('number of threads (default: one per core)'),
  cache: text('directory to cache tapes and code of sweeps (default: in your user cache)'),
  packages: text('directory whose node_modules has the packages that strategies import (default: the current one)'),
  json: toggle('print only JSON lines on stdout'),
  quiet: toggle('print only errors and warnings'),
}

export const workerCommand: CliCommand = {
  command: 'worker',
  describe: 'run points of sweeps started with --redis, on any machine',
  builder: (yargs) =>
    yargs
      .options(WORKER_FLAGS)
      .example('$0 worker --redis redis://10.0.0.5:6379', '')
      .example('$0 sweep sma-cross --tape btc.csv --param fast=5..50/5 --redis redis://10.0.0.5:6379 --out sweep', '')
      .epilogue('Anyone who can write to that Redis can run code on this machine. See docs/sweeps.md to secure it.'),
  handler: async (values) => {
    const { workUntilStopped } = await import('./run-worker-command.ts')
    return await workUntilStopped(values)
  },
}
