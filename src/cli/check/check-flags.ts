/** The flags of `papertape check`. */
import type { Options } from 'yargs'
import { TURN_LIMIT_WORDS } from '../thread/turn-limit.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const CHECK_FLAGS = {
  runs: text('number of markets to generate (default: up to 200 within 40 s)'),
  seed: text('32-bit integer; the same seed generates the same markets (default: 1)'),
  param: text('strategy parameter, NAME=VALUE; repeatable'),
  symbol: text(
    'market that the strategy trades, BASE_QUOTE; repeatable (default: what the strategy asks for, or BTC_USD)',
  ),
  series: text("the strategy's own data, NAME=FILE: CSV or JSON with a column 'timestamp'; repeatable"),
  out: text('directory to write findings to (default: papertape-check)'),
  replay: text('directory of a finding: reproduce only that one'),
  types: { type: 'boolean', describe: 'also report type errors of the strategy file; needs the package typescript' },
  json: { type: 'boolean', describe: 'print only one JSON object on stdout' },
  'turn-limit': text(TURN_LIMIT_WORDS),
} as const satisfies Readonly<Record<string, Options>>
