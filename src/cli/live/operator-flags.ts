/**
 * The flags by which an operator names a live account, and the directory that they mean.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { accountName, userDataDirectory } from '../../store/state/data-directory.ts'
import { apiKey } from '../api-key.ts'
import { single, type FlagText } from '../option-values.ts'

export const OPERATOR_FLAGS: Readonly<Record<string, Options>> = {
  url: {
    type: 'string',
    requiresArg: true,
    describe: 'base URL of the service; with the key of PAPERTAPE_API_KEY it names the account (default: the only one)',
  },
  state: { type: 'string', requiresArg: true, describe: 'directory of the account, as given to papertape live' },
  json: { type: 'boolean', describe: 'print JSON on stdout and nothing else' },
}

export const FLATTEN_FLAGS: Readonly<Record<string, Options>> = {
  ...OPERATOR_FLAGS,
  'whole-account': {
    type: 'boolean',
    describe: 'also cancel orders and sell holdings of the account that no session placed or bought',
  },
  'dry-run': { type: 'boolean', describe: 'print what would be cancelled and sold, and do nothing' },
  yes: { type: 'boolean', describe: 'do not ask' },
  within: {
    type: 'string',
    requiresArg: true,
    describe: 'time after which the rest is left, such as 90s (default: 2m)',
  },
}

export type FlagValues = Readonly<Record<string, unknown>>

/** @throws {InputError} when nothing says which account is meant */
export function accountDirectory(values: FlagValues): string {
  const state = single('--state', values.state as FlagText)
  if (state !== undefined) return state
  const accounts = join(userDataDirectory(), 'live')
  const url = single('--url', values.url as FlagText)
  if (url !== undefined) return join(accounts, accountName(serviceUrlForm.ofText('--url', url), apiKey()))
  const names = existsSync(accounts) ? readdirSync(accounts).sort() : []
  const [only, ...others] = names
  if (only === undefined) throw new InputError(accounts, 'no live session has kept its state here')
  if (others.length === 0) return join(accounts, only)
  throw new InputError('--url', `expected the account, by --url or --state; there are ${names.join(', ')}`)
}
