import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { BIN, runCli } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, IDEAL, TRADES } from '../rig/sample-files.ts'

const { folder } = temporaryFiles()
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const BACKTEST = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', ...IDEAL]

interface Place {
  readonly own: string
  readonly cli: (...args: string[]) => Promise<CliResult>
  readonly path: (name: string) => string
  readonly edit: (name: string, from: string | RegExp, to: string) => void
}

let places = 0

/** A folder with a strategy and a tape. */
function place(): Place {
  places += 1
  const own = join(folder, `place-${places}`)
  mkdirSync(own)
  writeFileSync(join(own, 'hold.js'), BUY_AND_HOLD)
  writeFileSync(join(own, 'tape.csv'), TRADES)
  const path = (name: string): string => join(own, name)
  return {
    own,
    path,
    cli: (...args) => runCli(args, { cwd: own }),
    edit: (name, from, to) => {
      const text = readFileSync(path(name), 'utf8')
      expect(text).toMatch(from)
      writeFileSync(path(name), text.replace(from, to))
    },
  }
}

async function saved(...figures: string[]): Promise<Place> {
  const made = place()
  const flags = figures.flatMap((figure) => ['--figure', figure])
  const { code, stdout, stderr } = await made.cli('expect', 'save', 'hold', ...flags, '--', ...BACKTEST)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^expect\/hold\.json: sha256:[0-9a-f]{64}\n$/)
  return made
}

describe('an expectation', () => {
  it.concurrent('is met by the same run, and its files are the same bytes each time', async () => {
    const [{ own, cli, path }, other] = await Promise.all([saved(), saved()])
    expect(readdirSync(own).sort()).toEqual(['expect', 'hold.js', 'tape.csv'])
    for (const name of ['hold.json', 'hold.journal.gz'])
      expect(readFileSync(path(`expect/${name}`))).toEqual(readFileSync(other.path(`expect/${name}`)))
    expect(await cli('expect')).toEqual({ code: 0, stdout: 'hold: same\n1 expectation: met\n', stderr: '' })
    expect(JSON.parse((await cli('expect', 'hold', '--json')).stdout)).toEqual({
      expectations: [{ name: 'hold', outcome: 'same', changed: [], figures: [], first: [], error: null }],
    })
  })

  it.concurrent('reports a changed strategy, the figures, and the first order, until it is updated', async () => {
    const { cli, edit, path } = await saved()
    edit('hold.js', "default('1')", "default('2')")
    const { code, stdout } = await cli('expect', '--junit', 'results.xml')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^hold: differs$/m)
    expect(stdout).toMatch(/^ {2}strategy\.sha256: [0-9a-f]{12}… → [0-9a-f]{12}…$/m)
    expect(stdout).toMatch(/^ {2}params\.qty: 1 → 2$/m)
    expect(stdout).toMatch(/^ {2}finalEquity: 10002 → 10004$/m)
    expect(stdout).toMatch(/^ {4}a {2}buy 1 A_USD at market \(ref:1, .+\)$/m)
    expect(stdout).toMatch(/^ {4}b {2}buy 2 A_USD at market \(ref:1, .+\)$/m)
    expect(stdout).toMatch(/\n1 expectation: 1 not met; accept a change with papertape expect NAME --update\n$/)
    const xml = readFileSync(path('results.xml'), 'utf8')
    expect(xml).toContain('<testsuite name="papertape expect" tests="1" failures="1" errors="0">')
    expect(xml).toContain('<failure message="finalEquity, return, maxDrawdown beyond the tolerance">hold: differs')
    expect(await cli('expect', 'hold', '--update')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 saved again\n$/),
    })
    expect(await cli('expect')).toEqual({ code: 0, stdout: 'hold: same\n1 expectation: met\n', stderr: '' })
  })

  it.concurrent('names a changed tape and changed settings', async () => {
    const { cli, edit } = await saved()
    edit('tape.csv', /102\.00/, '103.00')
    edit('expect/hold.json', '"--liquidity",', '"--taker-fee", "10", "--liquidity",')
    const { code, stdout } = await cli('expect')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}tape\.A_USD\.sha256: /m)
    expect(stdout).toMatch(/^ {2}takerFeeBps: 0 → 10$/m)
  })

  it.concurrent('accepts differences within its tolerances, and says that the run is another', async () => {
    const { cli, edit } = await saved('finalEquity=1%', 'orders=1')
    edit('hold.js', "default('1')", "default('2')")
    const { code, stdout } = await cli('expect')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^hold: within its tolerances, but not the same$/m)
    expect(stdout).toMatch(/^1 expectation: met$/m)
  })

  it.concurrent('finds no first difference without its journal', async () => {
    const { cli, edit, path } = await saved()
    rmSync(path('expect/hold.journal.gz'))
    edit('hold.js', "default('1')", "default('2')")
    const { stdout } = await cli('expect')
    expect(stdout).toContain('the first difference is unknown, because there is no expect/hold.journal.gz')
    expect(stdout).toMatch(/^ {2}params\.qty: 1 → 2$/m)
    writeFileSync(path('expect/hold.journal.gz'), 'x')
    expect(await cli('expect')).toMatchObject({
      code: 1,
      stdout:
        'hold: failed\n  expect/hold.journal.gz: is damaged: restore it, or delete it\n1 expectation: 1 not met\n',
    })
  })

  it.concurrent('fails with the error of a backtest that does not end', async () => {
    const { cli, edit, path } = await saved()
    edit('hold.js', 'return trades', "throw new Error('no <luck>'); return trades")
    const { code, stdout } = await cli('expect', '--junit', 'results.xml')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^hold: failed\n {2}strategy 'buy-and-hold' failed at .+no <luck>/)
    expect(readFileSync(path('results.xml'), 'utf8')).toMatch(/<error message="strategy .+no &lt;luck&gt;/)
    rmSync(path('tape.csv'))
    expect((await cli('expect')).stdout).toMatch(/^hold: failed\n {2}tape\.csv: no such file/)
  })
})

const expectError = (result: CliResult, line: string | RegExp): void => {
  expectInputError({ ...result, stdout: '' }, line)
}

describe('errors', () => {
  it.concurrent('name the line of a damaged expectation, and the others still run', async () => {
    const { cli, edit, path } = await saved()
    const text = readFileSync(path('expect/hold.json'), 'utf8')
    writeFileSync(path('expect/other.json'), text)
    edit('expect/hold.json', '"tolerance": "0"', '"tolerance": "some"')
    const { code, stdout } = await cli('expect', '--junit', 'results.xml')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^hold: failed\n {2}expect\/hold\.json:\d+ figures\.finalEquity\.tolerance: expected a tolerance such as "0\.5" or "1%"\nother: same\n2 expectations: 1 not met\n$/,
    )
    expect(readFileSync(path('results.xml'), 'utf8')).toContain('tests="2" failures="0" errors="1"')
    writeFileSync(path('expect/hold.json'), text.replace('{', '{ "speed": 1,'))
    expect((await cli('expect', 'hold', 'hold')).stdout).toBe(
      "hold: failed\n  expect/hold.json:1: unknown key 'speed'\n1 expectation: 1 not met\n",
    )
    writeFileSync(path('expect/hold.json'), text.slice(0, 80))
    expect((await cli('expect', 'hold')).stdout).toMatch(/ expect\/hold\.json:?\d*: is not JSON: .+; restore it, or save it again\n/) // prettier-ignore
    expectInputError(await cli('expect', '--junit', 'none/x.xml'), "--junit: the directory 'none' does not exist: create it first") // prettier-ignore
    for (const flags of [['--update'], ['--junit', 'x.xml']])
      expectInputError(await cli('expect', 'save', 'new', ...flags, '--', ...BACKTEST), `${String(flags[0])}: is for checking expectations, not for saving one`) // prettier-ignore
  })

  it.concurrent('name what a command line lacks', async () => {
    const { cli, path } = place()
    expectError(await cli('expect'), /^expect\/: has no expectations: save one with/)
    expectError(await cli('expect', 'x'), 'expect/x.json: no such expectation')
    expectError(
      await cli('expect', 'save', 'x'),
      /^expect save: expected a backtest, such as papertape expect save x --/,
    )
    expectError(await cli('expect', 'save', '../x', '--', ...BACKTEST), /^expect: expected a name of letters/)
    expectError(await cli('expect', 'save', 'x', '--', ...BACKTEST, '--out', 'run'), /^--out: is about the output/)
    expectError(await cli('expect', 'save', 'x', '--', ...BACKTEST, '--taker', '3'), /^unknown flag --taker/)
    expectError(await cli('expect', 'save', 'x', '--figure', 'shape', '--', ...BACKTEST), /did you mean 'sharpe'\?$/)
    expectError(await cli('expect', 'save', 'x', '--figure', 'orders=few', '--', ...BACKTEST), /^--figure: expected a tolerance/) // prettier-ignore
    expectError(await cli('expect', 'save', 'x', '--', ...BACKTEST, '--null', '9'), /^--null: runs further backtests/)
    const parts = ['a', 'b'].map((name) => ({ use: './hold.js', name, capital: { share: 0.5 } }))
    writeFileSync(path('many.json'), JSON.stringify({ tape: 'A_USD=tape.csv', strategies: parts }))
    expectError(await cli('expect', 'save', 'x', '--', 'backtest', '--config', 'many.json'), /^expect: the config file lists several/) // prettier-ignore
    expect(await cli('expect', 'save', 'x', '--', ...BACKTEST)).toMatchObject({ code: 0 })
    expectError(await cli('expect', 'save', 'x', '--', ...BACKTEST), /^expect\/x\.json: exists: pass --force/)
    expect(await cli('expect', 'save', 'x', '--force', '--', ...BACKTEST)).toMatchObject({ code: 0 })
  })
})

/** The script of the composite action, as GitHub runs it in bash. */
const actionScript = (text: string): string => {
  const [, block = ''] = /^ {6}run: \|\n((?: {8}.*\n|\n)+)/m.exec(text) ?? []
  return block.replaceAll(/^ {8}/gm, '')
}

describe('the action of a project', () => {
  it.concurrent('passes without expectations, fails if one differs, and writes a summary', async () => {
    const bot = join(folder, 'bot')
    expect(await runCli(['init', bot])).toMatchObject({ code: 0 })
    expect(readFileSync(join(bot, '.github/workflows/test.yml'), 'utf8')).toContain(
      'uses: ./.github/actions/papertape-expect',
    )
    const script = actionScript(readFileSync(join(bot, '.github/actions/papertape-expect/action.yml'), 'utf8'))
    expect(script).toBe(actionScript(readFileSync(join(PROJECT, 'templates/github/action.yml'), 'utf8')))
    // In place of npm, which finds the installed package.
    mkdirSync(join(folder, 'bin'))
    const npx = join(folder, 'bin/npx')
    writeFileSync(npx, `#!/usr/bin/env bash\nshift 2\nexec '${process.execPath}' '${BIN}' "$@"\n`)
    chmodSync(npx, 0o755)
    const act = (names = ''): Promise<{ code: number; stdout: string }> =>
      new Promise((resolve) => {
        const env = {
          ...{ PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`, HOME: folder, NAMES: names },
          ...{ JUNIT: 'expect-results.xml', GITHUB_STEP_SUMMARY: join(bot, 'summary.md') },
        }
        const child = execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: bot, env }, (_, stdout) =>
          resolve({ code: child.exitCode ?? -1, stdout }),
        ) // prettier-ignore
      })
    expect(await act()).toMatchObject({ code: 0, stdout: expect.stringContaining('no expectations yet') })
    expect(await runCli(['expect', 'save', 'trend', '--', 'backtest'], { cwd: bot })).toMatchObject({ code: 0 })
    expect(await act('trend')).toEqual({ code: 0, stdout: 'trend: same\n1 expectation: met\n' })
    expect(readFileSync(join(bot, 'summary.md'), 'utf8')).toBe('```text\ntrend: same\n1 expectation: met\n```\n')
    const config = join(bot, 'papertape.config.json')
    writeFileSync(config, readFileSync(config, 'utf8').replace('"takerFee": "5"', '"takerFee": "50"'))
    const { code, stdout } = await act()
    expect(code).toBe(1)
    expect(stdout).toContain('takerFeeBps: 5 → 50')
    expect(existsSync(join(bot, 'expect-results.xml'))).toBe(true)
  })
})
