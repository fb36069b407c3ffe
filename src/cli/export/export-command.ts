/**
 * `papertape export`: a tape, or the tables of a run, as files for other tools.
 */
import type { Options } from 'yargs'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import { DB_FLAG } from '../shared-flags.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

/** The flags of `papertape export`. */
export const EXPORT_FLAGS: Readonly<Record<string, Options>> = {
  tape: text('[SYMBOL=]FILE: a database, a .tape file or a recording (default: the database of --db)'),
  db: DB_FLAG,
  symbol: text('market, such as BTC_USD'),
  'candle-interval': text('export candles of this length from the database instead of trades: 1m, 1h, ...'),
  kind: text('export depth (the recorded book) or quotes (the best prices) instead of trades or candles'),
  from: text('start time, included: ISO 8601 or Unix ms'),
  to: text('end time, excluded: ISO 8601 or Unix ms'),
  out: text('file to write: .csv, .csv.gz, .parquet, .arrow or .tape; for a run the folder for its tables, as Parquet'),
  force: toggle('overwrite an existing file'),
  json: toggle('print only one JSON object on stdout'),
}

export const exportCommand: CliCommand = {
  command: 'export [run]',
  describe: 'write a tape, or the tables of a run, to files for other tools',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'string', describe: 'directory of a run, instead of a tape' })
      .options(EXPORT_FLAGS)
      .example('$0 export --symbol BTC_USDT --out btc_usdt.csv.gz', '')
      .example('$0 export runs/a --out a-tables', '')
      .example('$0 export --tape BTC_USD=data/btc_usd.csv.gz --from 2024-01-02 --to 2024-01-03 --out day.parquet', ''),
  handler: async (values) => {
    const { exportFile } = await import('./run-export-command.ts')
    await exportFile(values)
    return EXIT.done
  },
}
