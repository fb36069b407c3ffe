/**
 * Completion as a user of each shell meets it: in a terminal, by pressing Tab.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, it } from 'vitest'
import { SHELLS } from '../../../src/cli/completion/completion-command.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { BIN } from '../rig/run-cli.ts'
import { hasTerminal, typeLines } from './shell-terminal.ts'

const { folder, write } = temporaryFiles()
const { PATH = '' } = process.env
const bin = join(folder, 'node_modules/.bin')
const elsewhere = temporaryFiles()

beforeAll(() => {
  for (const made of [bin, join(folder, 'data')]) mkdirSync(made, { recursive: true })
  symlinkSync(BIN, join(bin, 'papertape'))
  for (const file of ['my strategy.ts', 'co:lon.ts', 'data/trades.csv']) write('', file)
  elsewhere.write('', 'mine.ts')
})

const LEFT = '\u0002'

/** What is typed, and how it goes on. */
const LINES: readonly (readonly [typed: string, becomes: string])[] = [
  [`papertape back --force${LEFT.repeat(' --force'.length)}`, 'papertape backtest --force'],
  ['papertape backtest grid --taker', 'papertape backtest grid --taker-fee'],
  ['papertape backtest --liquidity=tou', 'papertape backtest --liquidity=touch'],
  ['papertape backtest --seed m', 'papertape backtest --seed m'],
  ['papertape backtest my', 'papertape backtest my\\ strategy.ts'],
  ['papertape backtest co', 'papertape backtest co:lon.ts'],
  ['papertape backtest --tape A_USD=da', 'papertape backtest --tape A_USD=data/'],
  ['papertape backtest --tape=A_USD=data/t', 'papertape backtest --tape=A_USD=data/trades.csv'],
  ["papertape backtest '$(touch made)' --taker", "papertape backtest '$(touch made)' --taker-fee"],
  ['papertape runs > my', 'papertape runs > my\\ strategy.ts'],
  ['./node_modules/.bin/papertape swe', './node_modules/.bin/papertape sweep'],
  ['npx papertape swe', 'npx papertape sweep'],
  ['npx co', 'npx co:lon.ts'],
]

/** Some shells escape a colon, and some put a space behind a word in the middle. */
const plain = (line: string): string => line.trimEnd().replaceAll('\\:', ':').replaceAll(/ +/g, ' ')

describe.concurrent.each(SHELLS)('completion in %s', (shell) => {
  const home = join(folder, `home-${shell}`)

  it('goes on with what was begun', async ({ expect, skip }) => {
    skip(!hasTerminal(shell), `${shell} is not here`)
    const options = { cwd: folder, home, path: `${bin}:${PATH}` }
    const { lines } = await typeLines(
      shell,
      LINES.map(([typed]) => typed),
      options,
    )
    expect(lines.map(plain)).toEqual(LINES.map(([, becomes]) => becomes))
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })

  it('names files, and says nothing, where there is no papertape', async ({ expect, skip }) => {
    skip(!hasTerminal(shell), `${shell} is not here`)
    const typed = ['papertape swe', 'papertape mi', 'npx papertape mi']
    const { lines, screen } = await typeLines(shell, typed, { cwd: elsewhere.folder, home: `${home}-2`, path: PATH })
    expect(lines.map(plain)).toEqual(['papertape swe', 'papertape mine.ts', 'npx papertape mine.ts'])
    expect(screen).not.toMatch(/not found|no such|error/i)
  })
})

describe.concurrent('what a word means', () => {
  const RUNS = 'list the runs saved by backtest --db'

  it('is shown by zsh', async ({ expect, skip }) => {
    skip(!hasTerminal('zsh'), 'zsh is not here')
    const options = { cwd: folder, home: join(folder, 'home-3'), path: `${bin}:${PATH}` }
    const { screen } = await typeLines('zsh', ['papertape '], options)
    expect(screen).toMatch(new RegExp(`^runs +-- ${RUNS}`, 'm'))
  })

  it('is shown by fish', async ({ expect, skip }) => {
    skip(!hasTerminal('fish'), 'fish is not here')
    const asked = 'papertape completion fish | source; complete -C "papertape ru"'
    const env = { PATH: `${bin}:${PATH}`, HOME: join(folder, 'home-4') }
    const { stdout } = await promisify(execFile)('fish', ['-c', asked], { env })
    expect(stdout).toBe(`runs\t${RUNS}\n`)
  })
})
