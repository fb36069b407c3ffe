/**
 * The command line: commands, help, and how every failure is shown.
 */
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { InputError, InvariantError } from '../domain/errors.ts'
import { backtestCommandModule } from './backtest-command.ts'
import { EXIT } from './exit-code.ts'
import { usageMessage } from './usage-message.ts'
import { verifyCommandModule } from './verify-command.ts'
import { version } from './version.ts'

const args = hideBin(process.argv)

function exitCodeOf(error: unknown): number {
  if (error instanceof InputError) return EXIT.input
  return error instanceof InvariantError ? EXIT.invariant : EXIT.failed
}

/** Input is mended by one line; a bug of ours by its stack. */
function show(error: unknown): void {
  const text = error instanceof InputError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message)
  process.stderr.write(`${text.replace(/^InputError: /, '')}\n`)
}

try {
  await yargs(args)
    .scriptName('papertape')
    .usage('$0 <command>')
    .command(backtestCommandModule)
    .command(verifyCommandModule)
    .demandCommand(1, 'expected a command')
    .strict()
    .version(version())
    .help()
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .wrap(Math.min(120, process.stdout.columns || 100))
    .fail((message: string | null, error: unknown) => {
      if (error instanceof Error) throw error
      throw new InputError('papertape', usageMessage(message ?? '', args))
    })
    .parseAsync()
} catch (error) {
  show(error)
  process.exitCode = exitCodeOf(error)
}
