/** The commands below `papertape paper` for operators of a session with a state. */
import type { Argv } from 'yargs'
import type { OperatorCommand } from '../../store/state/live/operator-command.ts'
import type { CliCommand } from '../cli-command.ts'

const withFlags = async (yargs: Argv): Promise<Argv> =>
  yargs.options((await import('./paper-account.ts')).PAPER_OPERATOR_FLAGS)

const stating = (kind: 'halt' | 'reduce' | 'resume', describe: string): CliCommand => ({
  command: kind,
  describe,
  builder: withFlags,
  handler: async (values) => {
    const [{ report }, { paperAccount }] = await loaded()
    const command: OperatorCommand = kind === 'resume' ? { kind, symbol: undefined } : { kind }
    return await report(command, values, paperAccount)
  },
})

const loaded = () => Promise.all([import('../live/run-operator-command.ts'), import('./paper-account.ts')])

const status: CliCommand = {
  command: 'status',
  describe: 'show the running session of a state, or the last one',
  builder: withFlags,
  handler: async (values) => {
    const [{ showStatus }, { paperAccount }] = await loaded()
    return await showStatus(values, paperAccount)
  },
}

const flatten: CliCommand = {
  command: 'flatten',
  describe: 'cancel all orders and sell what the strategies bought at the market price',
  builder: async (yargs) => yargs.options((await import('./paper-account.ts')).PAPER_FLATTEN_FLAGS),
  handler: async (values) => {
    const [{ runFlatten }, { flattenOfPaper }] = await Promise.all([
      import('../live/run-flatten-command.ts'),
      import('./paper-account.ts'),
    ])
    return await runFlatten(values, flattenOfPaper)
  },
}

export const PAPER_OPERATOR_COMMANDS: readonly CliCommand[] = [
  stating('halt', 'send no more orders, only cancels'),
  stating('reduce', 'send only cancels and orders that reduce a position'),
  stating('resume', 'send orders again'),
  status,
  flatten,
]
