/**
 * The flags of `papertape worker`.
 */
import type { Options } from 'yargs'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

export const WORKER_FLAGS: Readonly<Record<string, Options>> = {
  redis: text('URL of the Redis that the sweeps use, such as redis://127.0.0.1:6379'),
  workers: text('number of threads (default: one per core)'),
  cache: text('directory to cache tapes and code of sweeps (default: in your user cache)'),
  packages: text('directory whose node_modules has the packages that strategies import (default: the current one)'),
  json: toggle('print only JSON lines on stdout'),
  quiet: toggle('print only errors and warnings'),
}
