/**
 * The end of a run by a signal, in words for what is left of it: a run is put in its place whole, at its end.
 */
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { REPORT_FILE } from '../../store/runs/run-file-names.ts'
import type { WrittenPlace } from '../../store/runs/pending-runs.ts'
import type { ThreadJob } from './thread-messages.ts'

/** The report in a directory, told from others that take its place; undefined where there is none. */
export const reportId = (target: string): bigint | undefined =>
  lstatSync(join(target, REPORT_FILE), { throwIfNoEntry: false, bigint: true })?.ino

/**
 * @param place   undefined for a run that is not written
 * @param before  the report that stood there when the run began
 */
export function interruptedText(
  command: ThreadJob['command'],
  place: WrittenPlace | undefined,
  before: bigint | undefined,
): string {
  if (command !== 'backtest') return 'papertape: interrupted'
  if (place === undefined) return 'papertape: interrupted: the run was not saved'
  const name = basename(place.target)
  const now = reportId(place.target)
  if (now !== undefined && now !== before)
    return `papertape: interrupted: the run had finished and is complete in '${name}'`
  const held = before === undefined ? `'${name}' was not written` : `'${name}' still has the earlier run`
  return `papertape: interrupted: the run was not saved, and ${held}`
}
