/**
 * `papertape query`: SQL over tapes and runs.
 */
import type { Options } from 'yargs'
import type { CliCommand } from '../cli-command.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

/** The flags of `papertape query`. */
export const QUERY_FLAGS: Readonly<Record<string, Options>> = {
  tables: toggle('list the tables of the sources and their columns'),
  symbol: text('read only tapes of this market'),
  from: text('read tapes from this time, included: ISO 8601 or Unix ms'),
  to: text('read tapes up to this time, excluded: ISO 8601 or Unix ms'),
  csv: toggle('print the result as CSV'),
  json: toggle('print the result as a JSON array of rows'),
  parquet: text('file to write the result to, as Parquet'),
  force: toggle('overwrite an existing file'),
}

export const queryCommand: CliCommand = {
  command: 'query [words..]',
  describe: 'run SQL over tapes and runs',
  builder: (yargs) =>
    yargs
      .positional('words', {
        type: 'string',
        array: true,
        describe: 'the query, then databases, tapes, recordings or directories of runs (default: papertape.db)',
      })
      .options(QUERY_FLAGS)
      .example('$0 query "SELECT symbol, count(*) FROM trades GROUP BY symbol" papertape.db', '')
      .example('$0 query "SELECT run, sum(fee) FROM fills GROUP BY run" runs/a runs/b --csv', '')
      .example('$0 query --tables papertape.db runs/a', ''),
  handler: async (values) => {
    const { query } = await import('./run-query-command.ts')
    return await query(values)
  },
}
