/**
 * The flags of `papertape export`.
 */
import type { Options } from 'yargs'
import { DB_FLAG } from '../store-flag.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

export const EXPORT_FLAGS: Readonly<Record<string, Options>> = {
  tape: text('[SYMBOL=]FILE: a store, a .tape file or a recording (default: the store of --db)'),
  db: DB_FLAG,
  symbol: text('market, such as BTC_USD'),
  'candle-interval': text('of a store the candles of that length instead of the trades: 1m, 1h, ...'),
  kind: text('depth or quotes: the recorded book, or the best prices, instead of trades or candles'),
  from: text('rows from then on: ISO 8601 or Unix ms'),
  to: text('rows before then'),
  out: text('file to write; its name ends in .csv, .csv.gz, .parquet or .tape'),
  force: toggle('replace the file that is there'),
  json: toggle('print an object on stdout and nothing else'),
}
