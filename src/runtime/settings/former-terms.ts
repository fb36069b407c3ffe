/**
 * Terms of a run under their names from before a rename: accepted in options and in files of older versions, and kept
 * in what digests cover.
 */
import { InputError, type Place } from '../../domain/errors.ts'
import type { PrintFilterMode } from '../../tape/print-filter.ts'

/** Given terms under names from before a rename. */
export interface FormerTerms {
  /** Former name of `queueSize`. */
  readonly queueClips?: number | undefined
  /** Former name of `levelSize`. */
  readonly depthClips?: number | undefined
  /** Former name of `printFilter`; its `all` is `off`. */
  readonly believe?: 'auto' | 'all' | undefined
}

/**
 * The given settings, with present names in place of former ones.
 * @param names    present name by the former one
 * @param placeOf  place of a name in errors
 * @throws {InputError} for a setting that is given by both names
 */
export function renamed<Given extends Readonly<Record<string, unknown>>>(
  given: Given,
  names: ReadonlyMap<string, string>,
  placeOf: (name: string) => Place,
): Given {
  const present = [...names.values()]
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const current = names.get(name)
    if (value === undefined && (current !== undefined || present.includes(name))) return []
    if (current === undefined) return [[name, value]]
    if (given[current] === undefined) return [[current, value]]
    throw new InputError(placeOf(name), `is the former name of ${current}, which is given too: remove it`)
  })
  return Object.fromEntries(entries) as Given
}

/** Setting of the print filter, as the replay takes it. */
export const printFilterModeOf = ({ printFilter: name }: { readonly printFilter: 'auto' | 'off' }): PrintFilterMode =>
  name === 'off' ? 'all' : 'auto'

/** Names from before a rename. Digests cover them, so journals and the keys of sweep points keep them. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['queueClips', 'queueSize'],
  ['depthClips', 'levelSize'],
  ['believe', 'printFilter'],
])

/** Terms under their present names, of a run of any version. */
export const currentTerms = (terms: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]) => [
      FORMER_NAMES.get(name) ?? name,
      name === 'believe' ? filterOf(value) : value,
    ]),
  )

const filterOf = (value: unknown): unknown => (value === 'all' ? 'off' : value)

/** Terms as digests cover them. */
export const digestedTerms = (terms: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]: [string, unknown]) => {
      const [former = name] = [...FORMER_NAMES].find(([, current]) => current === name) ?? []
      return [former, name === 'printFilter' && value === 'off' ? 'all' : value]
    }),
  )
