/** Computes a season again from its journal, and compares the result with the last line, byte by byte. */
import { InputError } from '../../domain/errors.ts'
import { version } from '../../runtime/version.ts'
import { lineFault, readJournal } from './read-journal.ts'
import type { Season } from './season.ts'
import type { SeasonResult } from './season-result.ts'

export interface VerifiedSeason {
  readonly season: Season
  readonly result: SeasonResult
  readonly lines: number
  /** Digest of the last line, which stands for the whole journal. */
  readonly digest: string
}

/** @throws {InputError} naming the first line that differs */
export function verifySeason(file: string): VerifiedSeason {
  const read = readJournal(file, (entry, text, { fold, papertape }) => {
    if (entry.type !== 'result') return
    const computed = JSON.stringify(fold.conclude(entry.time))
    if (computed === text) return
    const difference = firstDifference('', JSON.parse(computed), JSON.parse(text))
    const versions = papertape === version() ? '' : ` (written by papertape ${papertape}, this is ${version()})`
    throw new Error(`the result differs from the one computed: ${difference ?? 'in its form'}${versions}`)
  })
  if (read === undefined) throw new InputError(file, 'is not the journal of a season: it has no whole line')
  const { fold, chain, isTorn } = read
  const { result, season } = fold
  if (isTorn) throw lineFault(file, chain.lines + 1, 'is incomplete')
  if (result === undefined) throw lineFault(file, chain.lines, 'is the last, and not the result of the season')
  return { season, result, lines: chain.lines, digest: chain.digest }
}

/** Path and values of the first difference of two JSON values. */
function firstDifference(path: string, computed: unknown, written: unknown): string | undefined {
  if (!isObject(computed) || !isObject(written)) {
    if (computed === written) return undefined
    return `${path} is ${shown(computed)}, the line says ${shown(written)}`
  }
  for (const key of new Set([...Object.keys(computed), ...Object.keys(written)])) {
    const found = firstDifference(path === '' ? key : `${path}.${key}`, computed[key], written[key])
    if (found !== undefined) return found
  }
  return undefined
}

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
