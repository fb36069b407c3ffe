/** The flags of operators, and the directory of the live account that they select. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { without } from '../../domain/without.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { accountName, userDataDirectory } from '../../store/state/data-directory.ts'
import { apiKey, givenApiKey } from '../api-key.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
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
  config: CONFIG_FLAG,
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

const paperState: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'directory of the state, as passed to papertape paper --state',
}

export const PAPER_OPERATOR_FLAGS: Readonly<Record<string, Options>> = {
  ...without(OPERATOR_FLAGS, 'url'),
  state: paperState,
}

export const PAPER_FLATTEN_FLAGS: Readonly<Record<string, Options>> = {
  ...without(FLATTEN_FLAGS, 'url', 'whole-account'),
  state: paperState,
}

export type FlagValues = Readonly<Record<string, unknown>>

/** The account that an operator means. */
export interface OperatorAccount {
  readonly kind: 'live' | 'paper'
  /** State directory. */
  readonly directory: string
  /** Base URL of the service, if a flag or the config file gives one. */
  readonly url: string | undefined
}

/**
 * The account that a flag names, else the config file of `papertape live`, else the only one. Flags keep a broken
 * config file from blocking an operator: the file is read only without them.
 *
 * @throws {InputError} when nothing identifies the account
 */
export async function operatorAccount(values: FlagValues): Promise<OperatorAccount> {
  const state = single('--state', values.state as FlagText)
  const given = single('--url', values.url as FlagText)
  const url = given === undefined ? undefined : serviceUrlForm.ofText('--url', given)
  if (state !== undefined) return { kind: 'live', directory: state, url }
  if (url !== undefined) return { kind: 'live', directory: directoryOf(url, apiKey()), url }
  const file = sessionConfig(await readConfigFile(single('--config', values.config as FlagText)), 'live').values
  const ofFile = file as Readonly<{ state?: string; url?: string }>
  if (ofFile.state !== undefined) return { kind: 'live', directory: ofFile.state, url: ofFile.url }
  const key = ofFile.url === undefined ? undefined : givenApiKey()
  const isNamed = ofFile.url !== undefined && key !== undefined
  return { kind: 'live', directory: isNamed ? directoryOf(ofFile.url, key) : onlyDirectory(), url: ofFile.url }
}

const accountsDirectory = (): string => join(userDataDirectory(), 'live')

const directoryOf = (url: string, key: string): string => join(accountsDirectory(), accountName(url, key))

function onlyDirectory(): string {
  const accounts = accountsDirectory()
  const names = existsSync(accounts) ? readdirSync(accounts).sort() : []
  const [only, ...others] = names
  if (only === undefined) throw new InputError(accounts, 'no saved state of a live session was found here')
  if (others.length === 0) return join(accounts, only)
  throw new InputError('--url', `several accounts were found: choose one with --url or --state (${names.join(', ')})`)
}
