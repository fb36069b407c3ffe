/**
 * The start of the command line: what takes longest to load begins before anything else.
 */
import { startRunThread } from './thread/run-thread.ts'

const [command, ...flags] = process.argv.slice(2)
const isHelp = flags.some((flag) => ['--help', '-h', '--version'].includes(flag))
if ((command === 'backtest' || command === 'verify') && !isHelp) startRunThread()

await import('./command-line.ts')
