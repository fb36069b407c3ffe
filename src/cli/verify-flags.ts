/**
 * The flags of `papertape verify`.
 */
import type { Options } from 'yargs'
import { TURN_LIMIT_WORDS } from './thread/turn-limit.ts'

export const VERIFY_FLAGS = {
  'turn-limit': { type: 'string', requiresArg: true, describe: TURN_LIMIT_WORDS },
} as const satisfies Readonly<Record<string, Options>>
