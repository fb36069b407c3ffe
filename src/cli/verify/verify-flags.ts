/** The flags of `papertape verify`. */
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'
import { TURN_LIMIT_WORDS } from '../thread/turn-limit.ts'

export const VERIFY_FLAGS = {
  json: JSON_FLAG,
  'turn-limit': { type: 'string', requiresArg: true, describe: TURN_LIMIT_WORDS },
} as const satisfies Readonly<Record<string, Options>>
