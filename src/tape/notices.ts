/** Notices on a recording for its user, in full sentences, by their severity. */

export interface Notices {
  /** Warnings about the reliability of a result, most serious first. */
  readonly warnings: readonly string[]
  /** Notes on how the tape was read. */
  readonly notes: readonly string[]
}

export const NO_NOTICES: Notices = { warnings: [], notes: [] }

/** Notices in one list, as descriptions of tapes have them. */
export interface NoticeList {
  /** The warnings come first. */
  readonly notices: readonly string[]
  /** Number of warnings; default: all notices are warnings. */
  readonly warnings?: number
}

export const listOf = ({ warnings, notes }: Notices): Required<NoticeList> => ({
  notices: [...warnings, ...notes],
  warnings: warnings.length,
})

export const noticesIn = ({ notices, warnings = notices.length }: NoticeList): Notices => ({
  warnings: notices.slice(0, warnings),
  notes: notices.slice(warnings),
})

/** All of several. */
export const joined = (all: readonly Notices[]): Notices => ({
  warnings: all.flatMap(({ warnings }) => warnings),
  notes: all.flatMap(({ notes }) => notes),
})
