/** `papertape account`: what an account of a service holds, orders and has traded, and cancels by its owner. */
import type { Argv, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import type { CliCommand } from '../cli-command.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'

export const ACCOUNT_FLAGS = {
  url: { type: 'string', requiresArg: true, describe: 'base URL of the service, such as http://127.0.0.1:8080/v1' },
  config: CONFIG_FLAG,
  json: { type: 'boolean', describe: 'print only JSON on stdout' },
} as const satisfies Record<string, Options>

const symbol: Options = { type: 'string', requiresArg: true, describe: 'only this market' }
const limit: Options = {
  type: 'string',
  requiresArg: true,
  describe: 'number of rows, the newest first, from 1 to 500 (default: 20)',
}

export const CANCEL_FLAGS = {
  all: { type: 'boolean', describe: 'cancel every open order' },
  symbol,
} as const satisfies Record<string, Options>

export const HISTORY_FLAGS = { symbol, limit } as const satisfies Record<string, Options>

const orders: CliCommand = {
  command: 'orders',
  describe: 'list open orders; with --symbol, the last orders of that market',
  builder: (yargs) => yargs.options({ ...ACCOUNT_FLAGS, ...HISTORY_FLAGS }),
  handler: async (values) => await (await import('./run-account-command.ts')).showOrders(values),
}

const fills: CliCommand = {
  command: 'fills',
  describe: 'list the last fills',
  builder: (yargs) => yargs.options({ ...ACCOUNT_FLAGS, ...HISTORY_FLAGS }),
  handler: async (values) => await (await import('./run-account-command.ts')).showFills(values),
}

const cancel: CliCommand = {
  command: 'cancel [orders..]',
  describe: 'cancel orders by their ids, or all open ones',
  builder: (yargs) =>
    yargs
      .positional('orders', { type: 'string', array: true, describe: 'ids of orders on the service' })
      .options({ ...ACCOUNT_FLAGS, ...CANCEL_FLAGS }),
  handler: async (values) => await (await import('./run-account-command.ts')).cancelOrders(values),
}

export const ACCOUNT_COMMANDS: readonly CliCommand[] = [orders, fills, cancel]

export const accountCommand: CliCommand = {
  command: 'account',
  describe: 'show balances, orders and fills of an account; cancel orders',
  builder: (yargs) =>
    Object.entries(ACCOUNT_FLAGS)
      .reduce<Argv>((all, [name, options]) => all.option(name, { ...options, global: false }), yargs)
      .command(chosenOf(ACCOUNT_COMMANDS))
      .epilogue('The API key is read from PAPERTAPE_API_KEY or .env.')
      .example('$0 account --url http://127.0.0.1:8080/v1', '')
      .example('$0 account fills --symbol BTC_USD --limit 50 --url http://127.0.0.1:8080/v1', '')
      .example('$0 account cancel --all --url http://127.0.0.1:8080/v1', ''),
  handler: async (values) => await (await import('./run-account-command.ts')).showAccount(values),
}
