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
  out: text('record into this directory instead, one CSV file per market; existing recordings are continued'),
  json: toggle('print only JSON lines on stdout'),
  quiet: toggle('print only errors and warnings'),
}
