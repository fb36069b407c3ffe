/** The command line: commands, help, and error output. */
import yargs from 'yargs'
import { ChosenCommand, chosenOf } from './chosen-command.ts'
import type { FlagValues } from './cli-command.ts'
import { io, withIo, type CliIo } from './cli-io.ts'
import { COMMAND_GROUPS, COMMAND_MODULES, commandWords } from './commands.ts'
import { errorText } from './error-text.ts'
import { EXIT, exitCodeOf } from './exit-code.ts'
import { knownCommand, refuseIgnored, usageError } from './usage-error.ts'
import { InputError } from '../domain/errors.ts'
import { version } from '../runtime/version.ts'

/** Yargs passes most of its errors to `fail` as text, and throws the others. */
class UsageFault extends Error {
  override readonly name = 'YError'
}

/**
 * Executes one command line.
 *
 * @param argv  arguments after the name of the program
 * @returns     the exit code
 */
export function main(argv: readonly string[], own: CliIo): Promise<number> {
  const args = spelled(argv)
  const obey = async (): Promise<number> => {
    try {
      return await obeyed(args)
    } catch (thrown) {
      const error = await asUsageError(thrown, args)
      io.stderr.write(`${await errorText(error, args[0])}\n`)
      return exitCodeOf(error)
    }
  }
  return withIo(args, own, obey, valuesOf)
}

/** Implements `valuesOf` of `io`. */
async function valuesOf(args: readonly string[]): Promise<FlagValues> {
  const chosen = await chosenBy(args).catch(async (thrown: unknown) => {
    throw await asUsageError(thrown, args)
  })
  if (chosen === undefined) throw new InputError(args.join(' '), 'does not run a command')
  return chosen.values
}

/** Former names of flags, still accepted. The help mentions the one that scripts search for. */
const FORMER_FLAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '--believe': '--print-filter',
    '--ladder': '--level-size',
    '--ledger': '--count-trials',
    '--no-ledger': '--no-count-trials',
    '--settle-ms': '--reconcile-ms',
  }),
)

function withCurrentName(arg: string): string {
  const [flag = '', ...value] = arg.split('=')
  return [FORMER_FLAGS.get(flag) ?? flag, ...value].join('=')
}

/** `papertape help diff` is `papertape diff --help`, and `-` is standard input. */
function spelled(given: readonly string[]): readonly string[] {
  if (given[0] === 'help') return [...given.slice(1), '--help']
  const isDisown = given[0] === 'live' && given[1] === 'orders' && given[2] === 'disown'
  const args = isDisown ? given.with(2, 'mark-absent') : given
  return args.map((arg) => (arg === '-' ? '/dev/stdin' : withCurrentName(arg)))
}

const isOverview = (args: readonly string[]): boolean =>
  args.length === 0 || (args.length === 1 && ['--help', '-h'].includes(args[0] ?? ''))

async function asUsageError(error: unknown, args: readonly string[]): Promise<unknown> {
  return error instanceof Error && error.name === 'YError' ? await usageError(error.message, args) : error
}

/** Last lines of the overview, which a small terminal still shows. */
const FIRST_STEPS = `
Try first:
  papertape generate --days 30 --out btc_usd.csv.gz
  papertape backtest grid --tape BTC_USD=btc_usd.csv.gz --out run
  papertape report run --open

Run papertape <command> --help to see the flags of a command.
The page docs/errors.md explains error messages and refusal codes.
`

/** Lines of at most 80 columns. */
export function overview(): string {
  const width = Math.max(
    ...COMMAND_GROUPS.flatMap(({ commands }) => commands.map((each) => commandWords(each).name.length)),
  )
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const lines = commands.map((each) => `  ${commandWords(each).name.padEnd(width)}  ${String(each.describe)}\n`)
    return `\n${title}:\n${lines.join('')}`
  })
  return `papertape <command> [flags]\n${groups.join('')}${FIRST_STEPS}`
}

async function obeyed(args: readonly string[]): Promise<number> {
  if (isOverview(args)) {
    io.stdout.write(overview())
    return EXIT.done
  }
  const chosen = await chosenBy(withoutOther(args))
  return chosen === undefined ? EXIT.done : await chosen.run()
}

/** Without the command line that `expect save` has after `--`. */
function withoutOther(args: readonly string[]): readonly string[] {
  const separator = args[0] === 'expect' ? args.indexOf('--') : -1
  return separator === -1 ? args : args.slice(0, separator)
}

/** @returns undefined if help or the version was printed */
async function chosenBy(args: readonly string[]): Promise<ChosenCommand | undefined> {
  if (args[0]?.startsWith('-') === false) knownCommand(args[0])
  await refuseIgnored(args)
  try {
    await parsed(args)
    return undefined
  } catch (thrown) {
    if (thrown instanceof ChosenCommand) return thrown
    throw thrown
  }
}

const NARROWEST = 40
const WIDEST = 100
const UNKNOWN = 80

/** Width of a help text. @param columns  of the terminal; undefined if there is none */
export const helpWidth = (columns: number | undefined): number =>
  columns === undefined || columns === 0 ? UNKNOWN : Math.max(NARROWEST, Math.min(WIDEST, columns))

const FLAG_TYPES = / *\[(?:string|boolean|array)\](?: \[required\])?(?: \[default: \[\]\])?$/

/** Start of our own text after the flags. */
const END = /^(?:Examples:|Parameters of )/

/** Help text of yargs without the types of flags, which the descriptions already contain. */
export function helpText(text: string): string {
  const lines = text.split('\n')
  const found = lines.findIndex((line) => END.test(line))
  const end = found === -1 ? lines.length : found
  return [...lines.slice(0, end).flatMap(untyped), ...lines.slice(end)].join('\n')
}

function untyped(line: string): readonly string[] {
  const rest = line.replace(FLAG_TYPES, '').trimEnd()
  return rest === '' && line.trim() !== '' ? [] : [rest]
}

async function parsed(args: readonly string[]): Promise<void> {
  const named = COMMAND_MODULES.filter((each) => commandWords(each).name === args[0])
  await yargs(args)
    .scriptName('papertape')
    // Usage errors are recognized by their English text.
    .locale('en')
    .usage('$0 <command>')
    .command(chosenOf(named.length === 0 ? COMMAND_MODULES : named))
    .demandCommand(1, 'expected a command; see papertape --help')
    .strict()
    .version(version())
    .describe('version', 'print the version')
    .help()
    .describe('help', 'print this help')
    .alias('help', 'h')
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .wrap(helpWidth(io.stdout.columns))
    .fail((message: string | null, error: unknown) => {
      throw error instanceof Error ? error : new UsageFault(message ?? '')
    })
    // Empty if a command has printed for itself.
    .parseAsync(args, {}, (_error, _values, printed) => {
      if (printed !== '') io.stdout.write(`${helpText(printed)}\n`)
    })
}
