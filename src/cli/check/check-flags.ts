/**
 * The flags of `papertape check`.
 */
import type { Options } from 'yargs'
import { TURN_LIMIT_WORDS } from '../thread/turn-limit.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const CHECK_FLAGS = {
  runs: text('markets to make up (default: 200); the search ends after 40 s, unless this is said'),
  seed: text('a 32-bit integer; the same seed makes up the same markets (default: 1)'),
  param: text('parameter of the strategy, NAME=VALUE; repeat for several'),
  symbol: text('market that it needs, BASE_QUOTE; repeat (default: what it asks for, else BTC_USD)'),
  out: text('directory for what is found (default: papertape-check)'),
  replay: text('directory of a finding: try it again, and nothing else'),
  json: { type: 'boolean', describe: 'print one JSON object' },
  'turn-limit': text(TURN_LIMIT_WORDS),
} as const satisfies Readonly<Record<string, Options>>
