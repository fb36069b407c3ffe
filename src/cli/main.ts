/**
 * The command line: commands, help, and how every failure is shown.
 */
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { InputError } from '../domain/errors.ts'
import { backtestCommand } from './backtest/backtest-command.ts'
import { generateCommand } from './generate-command.ts'
import { exitCodeOf } from './exit-code.ts'
import { serveCommand } from './serve/serve-command.ts'
import { refuseIgnored, usageError } from './usage-error.ts'
import { verifyCommand } from './verify-command.ts'
import { version } from './version.ts'
import { whyCommand } from './why-command.ts'

const args = hideBin(process.argv)

// Whoever reads the output may stop early, as in `papertape ... | head`: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Yargs passes most of its errors to `fail`, and throws the others. */
const asUsageError = (error: unknown): unknown =>
  error instanceof Error && error.name === 'YError' ? usageError(error.message, args) : error

/** Input is mended by one line; a bug of ours by its stack. */
function show(error: unknown): void {
  const text = error instanceof InputError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message)
  process.stderr.write(`${text.replace(/^InputError: /, '')}\n`)
}

try {
  refuseIgnored(args)
  await yargs(args)
    .scriptName('papertape')
    // Usage errors are told apart by their English text.
    .locale('en')
    .usage('$0 <command>')
    .command(backtestCommand)
    .command(verifyCommand)
    .command(whyCommand)
    .command(generateCommand)
    .command(serveCommand)
    .demandCommand(1, 'expected a command')
    .strict()
    .version(version())
    .help()
    .alias('help', 'h')
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .wrap(Math.min(120, process.stdout.columns || 100))
    .fail((message: string | null, error: unknown) => {
      throw error instanceof Error ? error : usageError(message ?? '', args)
    })
    .parseAsync()
} catch (thrown) {
  const error = asUsageError(thrown)
  show(error)
  process.exitCode = exitCodeOf(error)
}
