/** Parses an incomplete command line: its command, and which argument comes next. */
import type { Options } from 'yargs'
import { commandOf, commandWords } from '../commands.ts'
import { flagsOf, isSwitch } from '../usage-error.ts'

type Flags = Readonly<Record<string, Options>>

export interface WordsSoFar {
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
  'runs --all': 'runs diff',
  'tapes --yes': 'tapes rm',
  'tapes --candle-interval': 'tapes rm',
}

/** @param words  complete words after `papertape` */
export async function wordsSoFar(words: readonly string[]): Promise<WordsSoFar> {
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
  if (path.startsWith('live ')) return (await import('../live/operator-flags.ts')).OPERATOR_FLAGS
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
