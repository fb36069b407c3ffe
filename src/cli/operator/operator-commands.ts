/**
 * The commands below `papertape live` and `papertape paper` for operators: they show an account, or send commands to
 * its process.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Argv } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import type { OperatorCommand } from '../../store/state/live/operator-command.ts'

/** Loaded by the command that is asked for: the settings of a live account are a tenth of a second of their own. */
const withFlags = async (yargs: Argv): Promise<Argv> =>
  yargs.options((await import('./operator-flags.ts')).OPERATOR_FLAGS)

const halt: CliCommand = {
  command: 'halt',
  describe: 'send no more orders, only cancels',
  builder: withFlags,
  handler: async (values) => {
    const { report } = await import('./run-operator-command.ts')
    return await report({ kind: 'halt' }, values)
  },
}

const reduce: CliCommand = {
  command: 'reduce',
  describe: 'send only cancels and orders that reduce a position',
  builder: withFlags,
  handler: async (values) => {
    const { report } = await import('./run-operator-command.ts')
    return await report({ kind: 'reduce' }, values)
  },
}

const resume: CliCommand = {
  command: 'resume [symbol]',
  describe: 'send orders again; with a symbol, resume that halted market',
  builder: async (yargs) =>
    (await withFlags(yargs)).positional('symbol', { type: 'string', describe: 'halted market to resume' }),
  handler: async ({ symbol, ...values }) => {
    const { report } = await import('./run-operator-command.ts')
    return await report({ kind: 'resume', symbol: symbol as string | undefined }, values)
  },
}

const status: CliCommand = {
  command: 'status',
  describe: 'show the running session of an account, or the state of the last one',
  builder: withFlags,
  handler: async (values) => {
    const { showStatus } = await import('./run-operator-command.ts')
    return await showStatus(values)
  },
}

/** @param yargs  with the flags */
const withChanges = (yargs: Argv): Argv =>
  yargs.positional('changes', {
    type: 'string',
    array: true,
    demandOption: true,
    describe: 'name of the strategy, if several run, and NAME=VALUE of each parameter',
  })

const SET = {
  command: 'set <changes..>',
  describe: 'start a running strategy again with other parameters; its orders and positions stay',
}

const set: CliCommand = {
  ...SET,
  builder: async (yargs) => withChanges(await withFlags(yargs)),
  handler: async ({ changes, ...values }) => {
    const { report, setCommand } = await import('./run-operator-command.ts')
    return await report(setCommand(changes as readonly string[]), values)
  },
}

const adopt: CliCommand = {
  command: 'adopt <intent> <order>',
  describe: 'assign an order of the service to a request with an unknown outcome',
  builder: async (yargs) =>
    (await withFlags(yargs))
      .positional('intent', { type: 'string', demandOption: true, describe: 'number of the request (intent)' })
      .positional('order', { type: 'string', demandOption: true, describe: 'id of the order on the service' }),
  handler: async ({ intent, order, ...values }) => {
    const { intentId, report } = await import('./run-operator-command.ts')
    return await report({ kind: 'adopt', intent: intentId(intent), order: String(order) }, values)
  },
}

const markAbsent: CliCommand = {
  command: 'mark-absent <intent>',
  describe: 'declare that a request with an unknown outcome has no order',
  builder: async (yargs) =>
    (await withFlags(yargs)).positional('intent', {
      type: 'string',
      demandOption: true,
      describe: 'number of the request (intent)',
    }),
  handler: async ({ intent, ...values }) => {
    const { intentId, report } = await import('./run-operator-command.ts')
    return await report({ kind: 'disown', intent: intentId(intent) }, values)
  },
}

export const ORDERS_COMMANDS: readonly CliCommand[] = [adopt, markAbsent]

const orders: CliCommand = {
  command: 'orders',
  describe: 'list requests (intents) with an unknown outcome or an open order',
  builder: async (yargs) => (await withFlags(yargs)).command(chosenOf(ORDERS_COMMANDS)),
  handler: async (values) => {
    const { showOrders } = await import('./run-operator-command.ts')
    return await showOrders(values)
  },
}

const flatten: CliCommand = {
  command: 'flatten',
  describe: 'cancel all orders and sell the positions of the sessions at the market price',
  builder: async (yargs) => yargs.options((await import('./operator-flags.ts')).FLATTEN_FLAGS),
  handler: async (values) => {
    const { runFlatten } = await import('./run-operator-command.ts')
    return await runFlatten(values)
  },
}

export const OPERATOR_COMMANDS: readonly CliCommand[] = [halt, reduce, resume, set, status, orders, flatten]

/** The commands below `papertape paper` for operators of a session with a state. */
const withPaperFlags = async (yargs: Argv): Promise<Argv> =>
  yargs.options((await import('./operator-flags.ts')).PAPER_OPERATOR_FLAGS)

const stating = (kind: 'halt' | 'reduce' | 'resume', describe: string): CliCommand => ({
  command: kind,
  describe,
  builder: withPaperFlags,
  handler: async (values) => {
    const { paperAccount, report } = await import('./run-operator-command.ts')
    const command: OperatorCommand = kind === 'resume' ? { kind, symbol: undefined } : { kind }
    return await report(command, values, paperAccount)
  },
})

const paperSet: CliCommand = {
  ...SET,
  builder: async (yargs) => withChanges(await withPaperFlags(yargs)),
  handler: async ({ changes, ...values }) => {
    const { paperAccount, report, setCommand } = await import('./run-operator-command.ts')
    return await report(setCommand(changes as readonly string[]), values, paperAccount)
  },
}

const paperStatus: CliCommand = {
  command: 'status',
  describe: 'show the running session of a state, or the last one',
  builder: withPaperFlags,
  handler: async (values) => {
    const { paperAccount, showStatus } = await import('./run-operator-command.ts')
    return await showStatus(values, paperAccount)
  },
}

const paperFlatten: CliCommand = {
  command: 'flatten',
  describe: 'cancel all orders and sell what the strategies bought at the market price',
  builder: async (yargs) => yargs.options((await import('./operator-flags.ts')).PAPER_FLATTEN_FLAGS),
  handler: async (values) => {
    const { flattenOfPaper, runFlatten } = await import('./run-operator-command.ts')
    return await runFlatten(values, flattenOfPaper)
  },
}

export const PAPER_OPERATOR_COMMANDS: readonly CliCommand[] = [
  stating('halt', 'send no more orders, only cancels'),
  stating('reduce', 'send only cancels and orders that reduce a position'),
  stating('resume', 'send orders again'),
  paperSet,
  paperStatus,
  paperFlatten,
]
