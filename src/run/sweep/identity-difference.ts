/**
 * The first difference between two sweeps, in words.
 */
import { contentHash, type SweepIdentity, type TapeIdentity } from '../../runtime/sweep/point-key.ts'

/** @returns of the first thing that differs, as `there` has it: `another source of the strategy` */
export function identityDifference(there: SweepIdentity, here: SweepIdentity): string {
  if (there.strategy.name !== here.strategy.name) return `another strategy, '${there.strategy.name}'`
  if (there.strategy.sha256 !== here.strategy.sha256)
    return `another source of strategy '${here.strategy.name}' (SHA-256 ${short(there.strategy.sha256)}, now ${short(here.strategy.sha256)})`
  return tapeDifference(there.tapes, here.tapes) ?? bookDifference(there, here) ?? settingDifference(there, here)
}

function tapeDifference(there: readonly TapeIdentity[], here: readonly TapeIdentity[]): string | undefined {
  if (there.length !== here.length)
    return `${there.length} ${there.length === 1 ? 'tape' : 'tapes'}, not ${here.length}`
  for (const [index, tape] of here.entries()) {
    const other = there[index]
    const name = nameOfDifference({ ...other }, { ...tape })
    if (other !== undefined && name !== undefined) {
      if (name === 'symbol') return `a tape of ${other.symbol}, not of ${tape.symbol}`
      if (name === 'sha256')
        return `another tape of ${tape.symbol} (SHA-256 ${short(other.sha256)}, now ${short(tape.sha256)})`
      return `a tape of ${tape.symbol} with another ${name} (${told({ ...other }, name)}, now ${told({ ...tape }, name)})`
    }
  }
  return undefined
}

function settingDifference(there: SweepIdentity, here: SweepIdentity): string {
  const name = nameOfDifference(there.settings, here.settings)
  if (name === undefined) return `another version of papertape, ${there.version}`
  return `another ${name} (${told(there.settings, name)}, now ${told(here.settings, name)})`
}

const bookDifference = (
  { books: there = [] }: SweepIdentity,
  { books: here = [] }: SweepIdentity,
): string | undefined => (contentHash(there) === contentHash(here) ? undefined : 'other recorded books')

type Fields = Readonly<Record<string, unknown>>

const nameOfDifference = (there: Fields, here: Fields): string | undefined =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].find((name) => told(there, name) !== told(here, name))

const told = (fields: Fields, name: string): string => JSON.stringify(fields[name] ?? null)

const short = (sha256: string | null): string => sha256?.slice(0, 8) ?? 'none'
