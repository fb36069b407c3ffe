/**
 * The flags of `papertape export`.
 */
import type { Options } from 'yargs'
import { DB_FLAG } from '../store-flag.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

export const EXPORT_FLAGS: Readonly<Record<string, Options>> = {
  tape: text('[SYMBOL=]FILE: a database, a .tape file or a recording (default: the database of --db)'),
  db: DB_FLAG,
  symbol: text('market, such as BTC_USD'),
  'candle-interval': text('export candles of this length from the database instead of trades: 1m, 1h, ...'),
  kind: text('export depth (the recorded book) or quotes (the best prices) instead of trades or candles'),
  from: text('start time, included: ISO 8601 or Unix ms'),
  to: text('end time, excluded: ISO 8601 or Unix ms'),
  out: text('file to write: .csv, .csv.gz, .parquet or .tape'),
  force: toggle('overwrite an existing file'),
  json: toggle('print only one JSON object on stdout'),
}
