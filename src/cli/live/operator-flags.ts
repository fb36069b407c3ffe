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
    describe:
      'base URL of the service; together with PAPERTAPE_API_KEY it identifies the account (default: the only account)',
  },
  state: {
    type: 'string',
    requiresArg: true,
    describe: 'state directory of the account, as passed to papertape live --state',
  },
  json: { type: 'boolean', describe: 'print only JSON on stdout' },
}

export const FLATTEN_FLAGS: Readonly<Record<string, Options>> = {
  ...OPERATOR_FLAGS,
  'whole-account': {
    type: 'boolean',
    describe: 'also cancel orders and sell holdings of the account that do not belong to a session',
  },
  'dry-run': { type: 'boolean', describe: 'print what would be cancelled and sold, without doing it' },
  yes: { type: 'boolean', describe: 'do not ask for confirmation' },
  within: {
    type: 'string',
    requiresArg: true,
    describe: 'maximum time, such as 90s; what remains is left as it is (default: 2m)',
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
  if (only === undefined) throw new InputError(accounts, 'no saved state of a live session was found here')
  if (others.length === 0) return join(accounts, only)
  throw new InputError('--url', `several accounts were found: choose one with --url or --state (${names.join(', ')})`)
}
