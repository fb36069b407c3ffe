/**
 * Plays random scripts through a drive, one seed after the other, and reports of a difference what a person needs to
 * mend it: how to have it again, and the fewest steps that still show it.
 */
import { CommandSource } from './random-commands.ts'
import type { Action } from './random-commands.ts'
import type { CornerWatch } from './corner-watch.ts'
import type { Corners } from './corners.ts'
import { shown } from './difference.ts'
import { randomScript } from './random-script.ts'
import type { RandomScript, Step } from './random-script.ts'
import { shrink } from './shrink.ts'
import { TwinDrive } from './twin-drive.ts'
import type { DriveOptions } from './twin-drive.ts'

export type PlayOptions = Omit<DriveOptions, 'accounts' | 'watch'>

/** What came of one script. */
interface Outcome {
  readonly commands: number
  /** What went wrong, and the last of the actions is the one at which it did. */
  readonly failure: string | undefined
  readonly actions: readonly Action[]
}

/** A script that went wrong. */
export interface Failure {
  readonly script: RandomScript
  readonly message: string
}

export interface Played {
  readonly commands: number
  readonly scripts: number
  readonly failure: Failure | undefined
}

const SEEDS = 2 ** 32
/** Steps of a script that is too long to be looked at all the time. */
const LONG = 1_000

export interface PlaySettings {
  readonly seed: number
  /** At least so many, or scripts; default: one script. */
  readonly commands?: number
  readonly scripts?: number
  readonly corners?: Corners
  /** Makes a script of a seed; default: a short one. */
  readonly write?: (seed: number) => RandomScript
  /** Called after each script with the commands so far. */
  readonly onScript?: (commands: number) => void
  /** Called after each script that went well. */
  readonly onEnd?: (drive: TwinDrive) => void
}

/** Plays scripts one after the other, until one goes wrong. */
export function playScripts(
  { seed, commands = 1, scripts = 1, corners, write = randomScript, onScript, onEnd }: PlaySettings,
  options: PlayOptions,
): Played {
  const played = { commands: 0, scripts: 0 }
  while (played.commands < commands || played.scripts < scripts) {
    const script = write((seed + played.scripts) % SEEDS)
    const outcome = playScript(script, options, corners?.watch(), onEnd)
    played.scripts += 1
    played.commands += outcome.commands
    if (outcome.failure !== undefined) return { ...played, failure: { script, message: outcome.failure } }
    onScript?.(played.commands)
  }
  return { ...played, failure: undefined }
}

/** Whatever is thrown is a failure: an exchange that throws at a command that may come is as wrong as one that lies. */
function playScript(
  script: RandomScript,
  options: PlayOptions,
  watch?: CornerWatch,
  onEnd?: (drive: TwinDrive) => void,
): Outcome {
  const actions: Action[] = []
  const drive = new TwinDrive(script.config, { ...options, accounts: script.accounts, watch })
  const source = new CommandSource(script)
  try {
    for (const step of script.steps) {
      for (const action of source.actionsOf(step, drive.exchange)) {
        actions.push(action)
        drive.play(action)
      }
    }
    drive.look(source.now)
    onEnd?.(drive)
    return { commands: drive.commands, failure: undefined, actions }
  } catch (error) {
    const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { commands: drive.commands, failure, actions }
  }
}

/**
 * The failure as text: what, the command that shows it again, and the fewest actions that lead to it.
 *
 * @param again  a line with the command
 */
export function failureText({ script, message }: Failure, options: PlayOptions, again: string): string {
  // Looks after every command, so that the difference shows as early as it can; of a long script that would take a day.
  const closely = script.steps.length > LONG ? options : { ...options, lookEvery: 1 }
  const play = (steps: readonly Step[]): Outcome => playScript({ ...script, steps }, closely)
  const { actions, failure } = play(shrink(script.steps, (some) => play(some).failure !== undefined))
  return [
    message,
    again,
    failure === undefined ? 'looked at after every command it is right' : `shrunk: ${failure}`,
    ...actions.map((action) => `  ${actionLine(action)}`),
  ].join('\n')
}

function actionLine(action: Action): string {
  switch (action.do) {
    case 'execute':
      return shown(action.command)
    case 'enter':
      return `enter ${shown(action.row)}`
    case 'print':
    case 'list':
      return `${action.do} ${shown(action.print)}`
  }
}
