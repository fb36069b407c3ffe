/**
 * What may stand next in a command line, and the scripts that ask for it.
 */
import { describe, expect, it } from 'vitest'
import type { Options } from 'yargs'
import { candidates } from '../../../src/cli/completion/candidates.ts'
import { takesFile } from '../../../src/cli/completion/flag-values.ts'
import { SHELLS } from '../../../src/cli/completion/completion-command.ts'
import { COMMAND_MODULES, commandWords } from '../../../src/cli/commands.ts'
import { flagsOf, isSwitch } from '../../../src/cli/usage-error.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliHere } from '../rig/cli-here.ts'

/** The words behind those of a line that go on as its last one begins, and whether files may, too. */
async function after(line: string): Promise<readonly [words: string, withFiles: boolean]> {
  const typed = line.split(' ')
  const { words, withFiles } = await candidates(typed)
  const fitting = words.filter(({ word }) => word.startsWith(typed.at(-1) ?? ''))
  return [fitting.map(({ word }) => word).join(' '), withFiles]
}

describe('what may stand next', () => {
  it.each`
    line                            | words                                                   | files    | why
    ${'backt'}                      | ${'backtest'}                                           | ${false} | ${'a command'}
    ${'help run'}                   | ${'runs'}                                               | ${false} | ${'a command, of which help is asked'}
    ${'help runs '}                 | ${'list show diff add rm'}                              | ${false} | ${'one below it'}
    ${'--'}                         | ${'--help --version'}                                   | ${false} | ${'flags without a command'}
    ${'runs '}                      | ${'list show diff add rm'}                              | ${false} | ${'commands below a command'}
    ${'runs --db x.db sh'}          | ${'show'}                                               | ${false} | ${'one behind a flag and its value'}
    ${'live orders '}               | ${'adopt mark-absent'}                                  | ${false} | ${'commands two deep'}
    ${'tapes c'}                    | ${'check'}                                              | ${true}  | ${'a command or a file'}
    ${'backtest sma'}               | ${'sma-cross'}                                          | ${true}  | ${'a ready strategy or a file'}
    ${'check --seed 3 --json gri'}  | ${'grid'}                                               | ${true}  | ${'one behind flags'}
    ${'live grid pai'}              | ${'pairs'}                                              | ${true}  | ${'a second one, where there may be several'}
    ${'backtest grid --n'}          | ${'--no-limits --no-bounds --null --no-count-trials'}   | ${false} | ${'what is on by itself can be put off'}
    ${'backtest grid --no-q'}       | ${'--no-quiet'}                                         | ${false} | ${'and whatever a config has put on'}
    ${'generate '}                  | ${'--out --days --seed --symbol --start --json --help'} | ${false} | ${'flags, where nothing else may stand'}
    ${'live halt '}                 | ${'--url --state --config --json --help'}               | ${false} | ${'flags of a command below another'}
    ${'runs show 1f --'}            | ${'--db --json --help'}                                 | ${false} | ${'none of the command beside it'}
    ${'runs diff 1f 2a --'}         | ${'--db --json --all --help'}                           | ${false} | ${'which has its own'}
    ${'backtest --liquidity book-'} | ${'book-power book-prorata'}                            | ${true}  | ${'a value by name, or a file'}
    ${'backtest --liquidity=book-'} | ${'--liquidity=book-power --liquidity=book-prorata'}    | ${true}  | ${'the same in one word'}
    ${'serve --speed '}             | ${'1 10 max'}                                           | ${false} | ${'values that are no text'}
    ${'serve --log-level=w'}        | ${'--log-level=warn'}                                   | ${false} | ${'values of a flag without a setting'}
    ${'track trend --kind '}        | ${'live paper'}                                         | ${false} | ${'values of a flag of this command'}
    ${'export --kind '}             | ${'depth quotes'}                                       | ${false} | ${'and of another one'}
    ${'backtest --seed '}           | ${''}                                                   | ${false} | ${'a number'}
    ${'backtest --tape A_USD=da'}   | ${''}                                                   | ${true}  | ${'a file behind its market'}
    ${'diff one '}                  | ${''}                                                   | ${true}  | ${'a second directory'}
    ${'runs diff 1f '}              | ${''}                                                   | ${false} | ${'an id'}
    ${'new '}                       | ${'strategy'}                                           | ${false} | ${'a kind'}
    ${'new strategy '}              | ${''}                                                   | ${false} | ${'a new name'}
    ${'completion '}                | ${'bash zsh fish'}                                      | ${false} | ${'a shell'}
    ${'nonsense --t'}               | ${''}                                                   | ${false} | ${'no such command'}
    ${'nonsense '}                  | ${''}                                                   | ${false} | ${'no such command'}
    ${'backtest --constructor='}    | ${''}                                                   | ${false} | ${'no such flag'}
  `('$line: $why', async ({ line, words, files }) => {
    expect(await after(line as string)).toEqual([words, files])
  })

  it('is every command, each with what it does', async () => {
    const { words } = await candidates([''])
    const names = COMMAND_MODULES.map((module) => commandWords(module).name)
    expect(words.map(({ word }) => word)).toEqual([...names, 'help'])
    expect(words.filter(({ says }) => says === '')).toEqual([])
  })

  it('is a file behind every flag that speaks of one', async () => {
    const commands = COMMAND_MODULES.map((module) => commandWords(module).name)
    const flags = (await Promise.all(commands.map((name) => flagsOf([name])))).flatMap(Object.entries<Options>)
    const isOfFile =
      /(?:SYMBOL=\]?|NAME=)FILE|^(?:(?:CSV|JSON|config|database) )?file (?!format)|^database |directory|\bor a (?:file|folder)|NAME\.tape/
    for (const [name, options] of flags)
      if (!isSwitch(options)) expect([name, takesFile(name)]).toEqual([name, isOfFile.test(options.describe ?? '')])
  })
})

describe('papertape completion', () => {
  it.concurrent.each(SHELLS)('%s prints a script alone', async (shell) => {
    const { code, stdout, stderr } = await cliHere(['completion', shell], { cwd: '.' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(' --get-completions ')
  })

  it.concurrent('of another shell is refused by name', async () => {
    expectInputError(
      await cliHere(['completion', 'fsh'], { cwd: '.' }),
      "completion: expected bash, zsh, fish, got 'fsh'; did you mean 'zsh'?",
    )
  })
})
