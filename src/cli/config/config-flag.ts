/**
 * The flag that names the config file, the same for every command that reads one.
 */
import type { Options } from 'yargs'

export const CONFIG_FLAG: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'config file (default: papertape.config.ts, .js or .json)',
}
