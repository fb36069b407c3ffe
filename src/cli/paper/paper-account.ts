/** The state that an operator of a paper session means. */
import type { Options } from 'yargs'
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import { InputError } from '../../domain/errors.ts'
import { reportAccount } from '../../run/operator.ts'
import { without } from '../../domain/without.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import { FLATTEN_FLAGS, OPERATOR_FLAGS, type FlagValues, type OperatorAccount } from '../live/operator-flags.ts'
import type { Flatten } from '../live/run-flatten-command.ts'
import { single, type FlagText } from '../option-values.ts'

const state: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'directory of the state, as passed to papertape paper --state',
}

export const PAPER_OPERATOR_FLAGS: Readonly<Record<string, Options>> = { ...without(OPERATOR_FLAGS, 'url'), state }

export const PAPER_FLATTEN_FLAGS: Readonly<Record<string, Options>> = {
  ...without(FLATTEN_FLAGS, 'url', 'whole-account'),
  state,
}

/** @throws {InputError} if neither the flag nor the config file names a state */
export async function paperAccount(values: FlagValues): Promise<OperatorAccount> {
  const given = single('--state', values.state as FlagText)
  const file =
    given ?? sessionConfig(await readConfigFile(single('--config', values.config as FlagText)), 'paper').values.state
  if (typeof file !== 'string')
    throw new InputError('--state', 'missing: pass the directory that papertape paper --state has')
  return { kind: 'paper', directory: file, url: undefined }
}

/** The process of the session cancels and sells. */
export async function flattenOfPaper(values: FlagValues): Promise<Flatten> {
  const { directory } = await paperAccount(values)
  return (command, waitMs) => reportAccount({ directory, kind: 'paper', clocks: MACHINE_CLOCKS }, command, waitMs)
}
