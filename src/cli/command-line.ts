/**
 * The command line: commands, help, and how every failure is shown. Loading it runs it.
 */
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { ChosenCommand, chosenOf } from './chosen-command.ts'
import { COMMAND_MODULES } from './commands.ts'
import { errorText } from './error-text.ts'
import { exitCodeOf } from './exit-code.ts'
import { helpText, helpWidth } from './help-text.ts'
import { overview } from './overview.ts'
import { leave, watchOutput } from './process-end.ts'
import { knownCommand, refuseIgnored, usageError } from './usage-error.ts'
import { version } from '../runtime/version.ts'

const args = spelled(hideBin(process.argv))

watchOutput()

/** Yargs tells most of its errors to `fail` in words, and throws the others. */
class UsageFault extends Error {
  override readonly name = 'YError'
}

/** `papertape help diff` is `papertape diff --help`, and `-` the standard input. */
function spelled(given: readonly string[]): readonly string[] {
  if (given[0] === 'help') return [...given.slice(1), '--help']
  return given.map((arg) => (arg === '-' ? '/dev/stdin' : arg))
}

const isOverview = (): boolean => args.length === 0 || (args.length === 1 && ['--help', '-h'].includes(args[0] ?? ''))

async function asUsageError(error: unknown): Promise<unknown> {
  return error instanceof Error && error.name === 'YError' ? await usageError(error.message, args) : error
}

async function obey(): Promise<void> {
  if (isOverview()) {
    process.stdout.write(overview())
    return
  }
  if (args[0]?.startsWith('-') === false) knownCommand(args[0])
  await refuseIgnored(args)
  await yargs(args)
    .scriptName('papertape')
    // Usage errors are told apart by their English text.
    .locale('en')
    .usage('$0 <command>')
    .command(chosenOf(COMMAND_MODULES))
    .demandCommand(1, 'expected a command; see papertape --help')
    .strict()
    .version(version())
    .describe('version', 'print the version')
    .help()
    .describe('help', 'print this help')
    .alias('help', 'h')
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .wrap(helpWidth(process.stdout.columns))
    .fail((message: string | null, error: unknown) => {
      throw error instanceof Error ? error : new UsageFault(message ?? '')
    })
    // Called with nothing where a command prints for itself.
    .parseAsync(args, {}, (_error, _values, printed) => {
      if (printed !== '') process.stdout.write(`${helpText(printed)}\n`)
    })
}

try {
  try {
    await obey()
  } catch (thrown) {
    if (!(thrown instanceof ChosenCommand)) throw thrown
    await thrown.run()
  }
} catch (thrown) {
  const error = await asUsageError(thrown)
  process.stderr.write(`${await errorText(error, args[0])}\n`)
  process.exitCode = exitCodeOf(error)
}
await leave()
