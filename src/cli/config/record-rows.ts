/**
 * The settings of `papertape record` that a config file can hold.
 */
import { z } from 'zod'
import { anyText, expected, onOrOff, type TextForm } from '../../runtime/settings/form.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { DB_FLAG } from '../store-flag.ts'
import type { SettingRows } from './setting-rows.ts'

const marketsForm: TextForm<string | string[]> = {
  schema: z.union([z.string(), z.array(z.string())], expected("'BTC_USD,ETH_USD', or a list of markets")),
  ofText: (_, text) => text,
}

export const RECORD_PLACE_ROWS: SettingRows = {
  url: { words: 'base URL of the service, such as http://127.0.0.1:8080/v1', form: serviceUrlForm },
  symbols: { words: 'markets to record, separated by commas', form: marketsForm },
  db: { words: DB_FLAG.describe ?? '', form: anyText },
  out: {
    words: 'record into this directory instead, one CSV file per market; existing recordings are continued',
    form: anyText,
  },
}

export const RECORD_OUTPUT_ROWS: SettingRows = {
  json: { words: 'print only JSON lines on stdout', form: onOrOff },
  quiet: { words: 'print only errors and warnings', form: onOrOff },
}

/** Every setting of `record` that a config file can hold. */
export const RECORD_ROWS: SettingRows = { ...RECORD_PLACE_ROWS, ...RECORD_OUTPUT_ROWS }
