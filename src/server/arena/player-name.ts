/**
 * Names of players: short texts of letters, digits, spaces, dots, hyphens and underscores, which need no escaping.
 *
 * Known limit: letters of one script may look alike, such as l and I, and a whole name of another script like a Latin
 * one.
 */
import { z } from 'zod'

const MAX_LENGTH = 32
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}])?$/u
const HIDDEN = /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u
/** Scripts with letters that look like those of another. */
const SCRIPTS = [/\p{sc=Latin}/u, /\p{sc=Greek}/u, /\p{sc=Cyrillic}/u, /\p{sc=Armenian}/u, /\p{sc=Cherokee}/u]

const isOfOneScript = (name: string): boolean => SCRIPTS.filter((script) => script.test(name)).length <= 1

export const nameSchema = z
  .string()
  .max(MAX_LENGTH)
  .regex(NAME, 'expected letters and digits, with spaces, dots, hyphens and underscores between them')
  .refine((name) => !name.includes('  '), 'expected single spaces')
  .refine((name) => name.normalize() === name && !HIDDEN.test(name), 'expected visible characters in the form NFC')
  .refine(isOfOneScript, 'expected letters of one script')
  .meta({ description: 'shown on the board', examples: ['Ann'] })

/** Equal for names that look alike: letters of either case, and characters with several encodings. */
export const nameKey = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
