/**
 * `papertape generate`: a tape from a seed, as a file.
 */
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const GENERATE_FLAGS = {
  out: text('CSV file to write; compressed if the name ends in .gz'),
  days: text('length in days (default: 30)'),
  seed: text('32-bit integer; the same seed gives the same tape (default: 1)'),
  symbol: text('market, BASE_QUOTE (default: BTC_USD)'),
  start: text('start time, ISO 8601 (default: 2024-01-01)'),
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const generateCommand: CliCommand = {
  command: 'generate',
  describe: 'create a tape from simulated traders on the built-in exchange',
  builder: (yargs) => yargs.options(GENERATE_FLAGS).example('$0 generate --days 30 --seed 1 --out btc_usd.csv.gz', ''),
  handler: async (values) => {
    const { generateAndShow } = await import('./run-generate-command.ts')
    await generateAndShow(values)
    return EXIT.done
  },
}
