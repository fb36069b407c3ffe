/**
 * Terms of a run under their names from before a rename: accepted in options and in files of older versions, and kept in what digests cover.
 */
import type { Believe } from '../../tape/print-judge.ts'

/** Given terms under names from before a rename. */
export interface FormerTerms {
  /** Former name of `queueSize`. */
  readonly queueClips?: number | undefined
  /** Former name of `levelSize`. */
  readonly depthClips?: number | undefined
  /** Former name of `printFilter`; its `all` is `off`. */
  readonly believe?: 'auto' | 'all' | undefined
}

/** Setting of the print filter, as the replay takes it. */
export const believeOf = ({ printFilter: name }: { readonly printFilter: 'auto' | 'off' }): Believe =>
  name === 'off' ? 'all' : 'auto'

/** Names from before a rename. Digests cover them, so journals and the keys of sweep points keep them. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  queueClips: 'queueSize',
  depthClips: 'levelSize',
  believe: 'printFilter',
}

/** Terms under their present names, of a run of any version. */
export const currentTerms = (terms: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]) => [
      FORMER_NAMES[name] ?? name,
      name === 'believe' ? filterOf(value) : value,
    ]),
  )

const filterOf = (value: unknown): unknown => (value === 'all' ? 'off' : value)

/** Terms as digests cover them. */
export const digestedTerms = (terms: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(terms).map(([name, value]: [string, unknown]) => {
      const [former = name] = Object.entries(FORMER_NAMES).find(([, current]) => current === name) ?? []
      return [former, name === 'printFilter' && value === 'off' ? 'all' : value]
    }),
  )
