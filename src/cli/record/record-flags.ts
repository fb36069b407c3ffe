/**
 * The flags of `papertape record`.
 */
import type { Options } from 'yargs'
import { DB_FLAG } from '../store-flag.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })
const toggle = (describe: string): Options => ({ type: 'boolean', describe })

export const RECORD_FLAGS: Readonly<Record<string, Options>> = {
  url: text('base URL of the service, such as http://127.0.0.1:8080/v1'),
  symbols: text('markets to record, separated by commas'),
  db: DB_FLAG,
  out: text('directory to record into instead, a CSV file a market; recordings that are there are gone on with'),
  json: toggle('print lines of JSON on stdout and nothing else'),
  quiet: toggle('print nothing but faults'),
}
