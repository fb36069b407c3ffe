/**
 * Completions of a command line: commands, flags, enumerated values and built-in strategies. The shell completes file
 * names and filters by prefix.
 */
import { readFileSync } from 'node:fs'
import type { Options } from 'yargs'
import { READY_FOLDER, readyStrategies } from '../../runtime/strategies/ready-strategies.ts'
import type { CliCommand } from '../cli-command.ts'
import { COMMAND_MODULES, commandOf, commandsBelow, commandWords } from '../commands.ts'
import { NEW_KINDS } from '../new/strategy-template.ts'
import { premiseIn } from '../strategies/premise.ts'
import { flagsOf, isSwitch } from '../usage-error.ts'
import { SHELLS } from './completion-command.ts'

type Flags = Readonly<Record<string, Options>>

/** Parses an incomplete command line: its command, and which argument comes next. */
interface WordsSoFar {
  /** Words of the command, such as `live orders`; empty for an unknown command. */
  readonly path: string
  /** Flags that the command has. */
  readonly flags: Flags
  /** Flag that needs a value next, without its hyphens; undefined if a new word starts. */
  readonly valued: string | undefined
  /** True if only flags are between the command and the next word. */
  readonly isFirst: boolean
  /** Name of the next argument, such as `strategy`; undefined if there is none. */
  readonly argument: string | undefined
}

/** Flags of a command that only one of those below it has, and that one. */
const BELOW_ALONE: Readonly<Record<string, string>> = {
  'expect --figure': 'expect save',
  'expect --force': 'expect save',
  'expect --junit': 'expect',
  'expect --update': 'expect',
  'runs --all': 'runs diff',
  'tapes --yes': 'tapes rm',
  'tapes --candle-interval': 'tapes rm',
}

/** @param words  complete words after `papertape` */
async function wordsSoFar(words: readonly string[]): Promise<WordsSoFar> {
  const flags = await flagsOf(words)
  const { plain, valued } = withoutFlags(words, flags)
  const command = commandOf(plain)
  const path = command?.path ?? ''
  const taken = plain.length - path.split(' ').length
  return {
    path,
    flags: await ownFlags(path, flags),
    valued,
    isFirst: taken === 0,
    argument: command === undefined ? undefined : argumentAt(taken, commandWords(command.module).positionals),
  }
}

function withoutFlags(
  words: readonly string[],
  flags: Flags,
): { readonly plain: readonly string[]; readonly valued: string | undefined } {
  const plain: string[] = []
  let valued: string | undefined
  for (const word of words) {
    const [, flag] = /^--([^=]+)$/.exec(word) ?? []
    const options = flag === undefined ? undefined : flags[flag]
    if (valued === undefined && !word.startsWith('-')) plain.push(word)
    valued = options === undefined || isSwitch(options) ? undefined : flag
  }
  return { plain, valued }
}

async function ownFlags(path: string, flags: Flags): Promise<Flags> {
  if (path.startsWith('live ')) return (await import('../operator/operator-flags.ts')).OPERATOR_FLAGS
  const [first = ''] = path.split(' ')
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => [path, undefined].includes(BELOW_ALONE[`${first} --${name}`])),
  )
}

/** @param positionals  as a command has them: `<kind> <name>`, or `[files..]` for as many as there are */
function argumentAt(index: number, positionals: string): string | undefined {
  const each = [...positionals.matchAll(/(\w+)(\.\.)?[>\]]/g)]
  const last = each.at(-1)
  return (each[index] ?? (last?.[2] === undefined ? undefined : last))?.[1]
}

export interface Candidate {
  readonly word: string
  /** Description for shells that show it; may be empty. */
  readonly says: string
}

export interface Candidates {
  readonly words: readonly Candidate[]
  /** True if a file or a directory is also valid. */
  readonly withFiles: boolean
}

const HELP: Candidate = { word: '--help', says: 'print this help' }
const VERSION: Candidate = { word: '--version', says: 'print the version' }

const NOTHING: Candidates = { words: [], withFiles: false }

/** @param words  after `papertape`; the last one is incomplete or empty */
export async function candidates(words: readonly string[]): Promise<Candidates> {
  const begun = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  if (before[0] === 'help') return only(commandsAfter(before.slice(1)))
  if (before.length === 0) {
    const help = { word: 'help', says: 'print the help of a command' }
    return only(begun.startsWith('-') ? [HELP, VERSION] : [...commandsAfter([]), help])
  }
  const soFar = await wordsSoFar(before)
  if (soFar.valued !== undefined) return valuesOf(soFar, soFar.valued, '')
  const [start = '', name = ''] = /^--([^=]+)=/.exec(begun) ?? []
  if (Object.hasOwn(soFar.flags, name)) return valuesOf(soFar, name, start)
  return begun.startsWith('-') ? only(flagWords(soFar, begun)) : argumentWords(soFar)
}

const only = (words: readonly Candidate[]): Candidates => ({ words, withFiles: false })

const named = (words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word, says: '' }))

/** @param before  words of a command, such as `live orders` */
function commandsAfter(before: readonly string[]): readonly Candidate[] {
  if (before.length === 0) return COMMAND_MODULES.map(commandWord)
  const path = before.join(' ')
  return commandOf(before)?.path === path ? commandsBelow(path).map(commandWord) : []
}

const commandWord = (module: CliCommand): Candidate => ({
  word: commandWords(module).name,
  says: String(module.describe),
})

/** @param start  text before the value in the same word */
async function valuesOf({ path }: WordsSoFar, flag: string, start: string): Promise<Candidates> {
  const { namesBehind, takesFile } = await import('./flag-values.ts')
  return { words: named(namesBehind(flag, path).map((name) => start + name)), withFiles: takesFile(flag) }
}

function flagWords({ path, flags }: WordsSoFar, begun: string): readonly Candidate[] {
  if (path === '') return []
  return [...Object.entries(flags).flatMap(([name, options]) => flagWord(name, options, begun)), HELP]
}

/** The negation of a switch is offered only if it is on by default, or if the user has typed `--no`. */
function flagWord(name: string, options: Options, begun: string): readonly Candidate[] {
  const says = options.describe ?? ''
  const [on, off] = [`--${name}`, `--no-${name}`]
  const isShown = isSwitch(options) && (begun.startsWith('--no') || says.includes(off))
  return [{ word: on, says }, ...(isShown ? [{ word: off, says: `not --${name}` }] : [])]
}

function argumentWords(soFar: WordsSoFar): Candidates {
  const { path, argument, isFirst } = soFar
  const below = isFirst ? commandsBelow(path).map(commandWord) : []
  switch (argument) {
    case 'strategy':
      return { words: [...below, ...strategyWords()], withFiles: true }
    case 'files':
    case 'run':
    case 'directory':
      return { words: below, withFiles: true }
    case 'a':
    case 'b':
      return { words: below, withFiles: path === 'diff' }
    case 'shell':
      return only(named(SHELLS))
    case 'kind':
      return only(named(NEW_KINDS))
    case undefined:
      return only(below.length > 0 ? below : flagWords(soFar, ''))
    default:
      return NOTHING
  }
}

const strategyWords = (): readonly Candidate[] =>
  readyStrategies().map((word) => ({ word, says: premiseIn(readFileSync(`${READY_FOLDER}${word}.ts`, 'utf8')) }))

/**
 * Protocol of the completion scripts: the first line is `files` or `words`; each following line is a word, a tab and
 * its description.
 *
 * @param words  after `papertape`; the last one is incomplete or empty
 */
export async function answerText(words: readonly string[]): Promise<string> {
  const found = await candidates(words)
  const lines = found.words.map(({ word, says }) => `${word}\t${says}`)
  return `${[found.withFiles ? 'files' : 'words', ...lines].join('\n')}\n`
}
