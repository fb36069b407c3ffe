/** Names of players: short texts of letters, digits, spaces, dots, hyphens and underscores, which need no escaping. */
import { z } from 'zod'

const MAX_LENGTH = 32
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}])?$/u

export const nameSchema = z
  .string()
  .max(MAX_LENGTH)
  .regex(NAME, 'expected letters and digits, with spaces, dots, hyphens and underscores between them')
  .refine((name) => !name.includes('  '), 'expected single spaces')
  .meta({ description: 'shown on the board', examples: ['Ann'] })

/** Equal for names that look alike: letters of either case, and characters with several encodings. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase()
