/** The flags of `papertape twin`. */
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'
import { TURN_LIMIT_WORDS } from '../thread/turn-limit.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const TWIN_FLAGS = {
  'order-latency': text('milliseconds until an order of the twin arrives (default: as on paper; of a live session 0)'),
  'response-latency': text('milliseconds until the reply reaches the twin (default: as on paper; of a live session 0)'),
  'maker-fee': text('maker fee of the twin, in basis points (default: as in the session)'),
  'taker-fee': text('taker fee of the twin, in basis points (default: as in the session)'),
  liquidity: text('liquidity model of the twin, or a file (default: as on paper; of a live session tape)'),
  'with-operator': {
    type: 'boolean',
    describe: 'repeat what an operator did: changed parameters, halt, reduce, resume and flatten (default: a cause)',
  },
  out: text('keep the run of the twin in this directory, with a page that compares both'),
  force: { type: 'boolean', describe: 'replace an earlier run in --out' },
  json: JSON_FLAG,
  'turn-limit': text(TURN_LIMIT_WORDS),
} as const satisfies Readonly<Record<string, Options>>
