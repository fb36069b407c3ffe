/** The flags of `papertape record`. */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { RecordingPlace } from '../../runtime/recording/recordings.ts'
import { CONFIG_FLAG, DEFAULT_STORE } from '../shared-flags.ts'
import { RECORD_OUTPUT_ROWS, RECORD_PLACE_ROWS, RECORD_ROWS, type SessionConfig } from '../config/session-sections.ts'
import { flagsOfRows, valuesOfRows } from '../config/setting-rows.ts'
import type { FlagValues } from '../cli-command.ts'

export const RECORD_FLAGS: Readonly<Record<string, Options>> = {
  ...flagsOfRows(RECORD_PLACE_ROWS),
  config: CONFIG_FLAG,
  ...flagsOfRows(RECORD_OUTPUT_ROWS),
}

/** Options of a recording and of its output. */
export interface GivenRecord {
  readonly url: string
  readonly symbols: readonly string[]
  readonly place: RecordingPlace
  readonly json: boolean
  readonly quiet: boolean
}

interface RecordValues {
  readonly url?: string
  readonly symbols?: string | readonly string[]
  readonly db?: string
  readonly out?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** @throws {InputError} naming a missing or invalid flag */
export function recordOf(flags: FlagValues, file: SessionConfig): GivenRecord {
  // Two settings for the same place: a flag overrides both of the file.
  const isPlaceGiven = flags.db !== undefined || flags.out !== undefined
  const ofFile = isPlaceGiven ? { ...file.values, db: undefined, out: undefined } : file.values
  const values: RecordValues = valuesOfRows(RECORD_ROWS, flags, ofFile)
  const { url = missing('url', 'the base URL of a service, such as --url http://127.0.0.1:8080/v1') } = values
  const ofStrategies = marketsOf(file)
  const {
    symbols = ofStrategies.length > 0 ? ofStrategies : missing('symbols', 'markets, such as --symbols BTC_USD,ETH_USD'),
  } = values
  return {
    url,
    symbols: [symbols].flat().flatMap((each) => each.split(',').filter(Boolean)),
    place: placeOf(values),
    json: values.json === true,
    quiet: values.quiet === true,
  }
}

/** Markets that the parameters of the strategies in the file name. */
function marketsOf(file: SessionConfig): readonly string[] {
  const params = [file.paramsBeside({}), ...(file.strategies ?? []).map((each) => each.params ?? {})]
  const named = params.flatMap(({ symbol, symbols }) => [symbol, symbols].flat())
  return [...new Set(named.filter((each) => typeof each === 'string'))]
}

function placeOf({ db, out }: RecordValues): RecordingPlace {
  if (out === undefined) return { form: 'store', path: db ?? DEFAULT_STORE }
  if (db !== undefined) throw new InputError(setting('out'), 'cannot be combined with --db; pass one of them')
  return { form: 'folder', path: out }
}

function missing(name: string, what: string): never {
  throw new InputError(setting(name), `expected ${what}`)
}
