/**
 * `papertape tapes`: the tapes of a store, and those of `.tape` files.
 */
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Argv, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import { DB_FLAG } from '../shared-flags.ts'

const JSON_FLAG: Options = { type: 'boolean', describe: 'print only JSON on stdout' }
const YES_FLAG: Options = { type: 'boolean', describe: 'do not ask for confirmation' }
const INTERVAL_FLAG: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'only its candles of this length: 1m, 1h, ... (default: everything of the market)',
}

export const TAPES_FLAGS: Readonly<Record<string, Options>> = {
  db: DB_FLAG,
  json: JSON_FLAG,
  yes: YES_FLAG,
  'candle-interval': INTERVAL_FLAG,
}

const withFiles = (yargs: Argv): Argv => yargs.options({ db: DB_FLAG, json: JSON_FLAG })

const check: CliCommand = {
  command: 'check [files..]',
  describe: 'check every block for damage, order, gaps and outliers; exit code 1 if damaged',
  builder: withFiles,
  handler: async ({ files, db, json }) => {
    const { checkTapes } = await import('./run-tapes-command.ts')
    return checkTapes(db, files, json === true)
  },
}

const remove: CliCommand = {
  command: 'rm <symbol>',
  describe: 'remove a market from the database',
  builder: (yargs) =>
    yargs
      .options({ db: DB_FLAG, json: JSON_FLAG, yes: YES_FLAG, 'candle-interval': INTERVAL_FLAG })
      .positional('symbol', { type: 'string', demandOption: true, describe: 'market, such as BTC_USD' }),
  handler: async ({ symbol, db, json, yes, 'candle-interval': interval }) => {
    const { removeTape } = await import('./run-tapes-command.ts')
    await removeTape(db, String(symbol), { interval, isSure: yes === true, isJson: json === true })
    return EXIT.done
  },
}

export const TAPES_COMMANDS: readonly CliCommand[] = [check, remove]

export const tapesCommand: CliCommand = {
  command: 'tapes [files..]',
  describe: 'list the tapes in a database or in .tape files',
  builder: (yargs) =>
    withFiles(yargs)
      .command(chosenOf(TAPES_COMMANDS))
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'databases and .tape files (default: the database of --db)',
      })
      .example('$0 tapes', '')
      .example('$0 tapes check btc_usdt.tape', '')
      .example('$0 tapes rm BTC_USDT --yes', ''),
  handler: async ({ files, db, json }) => {
    const { showTapes } = await import('./run-tapes-command.ts')
    showTapes(db, files, json === true)
    return EXIT.done
  },
}
