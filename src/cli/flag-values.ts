/**
 * The flags of a command line, before they are looked at.
 */

/** Values of the flags, as yargs reads them. */
export type FlagValues = Readonly<Record<string, unknown>>
