/**
 * The flags of `papertape worker`.
 */
import type { Options } from 'yargs'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

export const WORKER_FLAGS: Readonly<Record<string, Options>> = {
  redis: text('URL of the Redis at which sweeps ask for points, such as redis://127.0.0.1:6379'),
  workers: text('threads (default: one a core)'),
  cache: text('directory for tapes and code of sweeps (default: in the cache of the user)'),
  packages: text('directory whose node_modules has what strategies import (default: this one)'),
  json: toggle('print lines of JSON on stdout and nothing else'),
  quiet: toggle('print nothing but faults'),
}
