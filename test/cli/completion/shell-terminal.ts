/**
 * A shell in a terminal of its own, as a user has it: interactive, with the completion in its start-up file, and asked
 * by pressing Tab.
 *
 * Known limit: the terminal is made by `script` of util-linux, which every Linux has.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMPLETION_SCRIPTS, type Shell } from '../../../src/cli/completion/completion-command.ts'

/** Pressed behind Tab: prints what then stands in the line, and empties it. */
const REPORT = '\u0014'

/** As the documentation says, and then the key, without which no one would hear what stands in the line. */
const START_UP: Readonly<Record<Shell, readonly [file: string, text: string][]>> = {
  bash: [
    [
      '.bashrc',
      `${COMPLETION_SCRIPTS.bash}
tell() { printf '\\n<<%s>>\\n' "$READLINE_LINE"; READLINE_LINE=''; }
bind -x '"\\C-t": tell'
`,
    ],
  ],
  // Without compinit.
  zsh: [
    [
      '.zshrc',
      `${COMPLETION_SCRIPTS.zsh}
tell() { print -r -- $'\\n<<'$BUFFER'>>'; BUFFER='' }
zle -N tell; bindkey -e; bindkey '^T' tell
`,
    ],
  ],
  fish: [
    ['.config/fish/conf.d/papertape.fish', COMPLETION_SCRIPTS.fish],
    [
      '.config/fish/config.fish',
      `function tell; printf '\\n<<%s>>\\n' (commandline); commandline -r ''; end
function fish_user_key_bindings; bind \\ct tell; end
`,
    ],
  ],
}

/** Whether there is the shell, and `script`. */
export const hasTerminal = (shell: Shell): boolean =>
  spawnSync(shell, ['-c', 'true']).status === 0 && spawnSync('script', ['--version']).status === 0

export interface TerminalOptions {
  readonly cwd: string
  /** Made where it is not there. */
  readonly home: string
  readonly path: string
}

export interface Typed {
  /** Each line as it stands once Tab has been pressed behind it. */
  readonly lines: readonly string[]
  /** All that the terminal showed. */
  readonly screen: string
}

/** Types each line, presses Tab, and does not run it. @throws {Error} when the shell ends before */
export async function typeLines(
  shell: Shell,
  typed: readonly string[],
  { cwd, home, path }: TerminalOptions,
): Promise<Typed> {
  for (const [name, text] of START_UP[shell]) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const env = { PATH: path, HOME: home, TERM: 'dumb', LC_ALL: 'C.UTF-8' }
  const command = `stty cols 160 rows 50; exec ${shell} -i`
  const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], { cwd, env })
  let screen = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  const ended = once(terminal, 'close').then(() => 'ended')
  const reported = (): readonly string[] => [...screen.matchAll(/<<(.*?)>>/g)].map(([, line = '']) => line)
  const press = async (keys: string): Promise<void> => {
    const before = reported().length
    terminal.stdin.write(keys + REPORT)
    while (reported().length === before) {
      if ((await Promise.race([ended, once(terminal.stdout, 'data')])) === 'ended')
        throw new Error(`${shell} ended: ${screen}`)
    }
  }
  await press('')
  for (const line of typed) await press(`${line}\t`)
  // At the end of what is typed a shell ends, too.
  terminal.stdin.end()
  await ended
  return { lines: reported().slice(1), screen }
}
