/** The recordings that `papertape record` keeps at one path: a folder of CSV files, or a database. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { RECEIVED_FILE } from '../runs/received-file.ts'
import { TapeDatabase } from '../tapes/database/tape-database.ts'
import { storedForm } from '../tapes/inspect-stored.ts'
import { RECORDING_HEADER, recordingName } from './recording.ts'

/**
 * One tape per market; the source itself if it is one.
 *
 * @throws {InputError} for a folder without recordings, and for a damaged database
 */
export async function recordingsAt(source: TapeSource): Promise<readonly TapeSource[]> {
  const { file, symbol } = source
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    const names = symbol === undefined ? recordingsIn(file) : [recordingName(symbol)]
    return names.map((name) => ({ ...source, file: join(file, name) }))
  }
  if (symbol !== undefined || (await storedForm(file)) !== 'store') return [source]
  const store = TapeDatabase.read(file)
  try {
    const trades = store.markets().filter(({ head }) => head.kind === 'trades')
    return trades.length === 0 ? [source] : trades.map(({ head }) => ({ ...source, symbol: head.symbol }))
  } finally {
    store.close()
  }
}

function recordingsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter(
    (name) => /(?<!\.gaps)\.csv(?:\.gz)?$/i.test(name) && name !== RECEIVED_FILE && !isEmpty(join(folder, name)),
  )
  if (names.length === 0)
    throw new InputError(folder, 'is a folder without recorded trades: expected files such as btc_usd.csv')
  return names.toSorted()
}

/** True for the recording of a market without a trade. */
const isEmpty = (file: string): boolean =>
  statSync(file).size <= RECORDING_HEADER.length + 1 && readFileSync(file, 'utf8').trimEnd() === RECORDING_HEADER
