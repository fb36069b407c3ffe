import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategyFiles } from '../../../src/cli/new/strategy-template.ts'
import { strategyName } from '../../../src/cli/new/run-new-command.ts'
import { TRADES } from '../rig/sample-files.ts'
import { expectInputError, jsonRun, type CliResult } from '../rig/cli-result.ts'
import { cliFolderHere, cliHere } from '../rig/cli-here.ts'

const { folder } = cliFolderHere()

/** A project of its own, with the files that are given. */
function project(
  name: string,
  files: Readonly<Record<string, string>> = {},
): (...args: string[]) => Promise<CliResult> {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
  return (...args) => cliHere(args, { cwd })
}

describe('papertape new strategy', () => {
  it.concurrent('writes a strategy that runs, and says by which command', async () => {
    const cli = project('bare', { 'tape.csv': TRADES })
    expect(await cli('new', 'strategy', 'buy-the-dip')).toEqual({
      code: 0,
      stderr: '',
      stdout: `strategies/buy-the-dip.ts
test/buy-the-dip.test.ts

Next:

  npx papertape backtest strategies/buy-the-dip.ts --tape BTC_USD=FILE
  npm install --save-dev vitest
  npx vitest run test/buy-the-dip.test.ts
`,
    })
    const report = await jsonRun(cli, 'backtest', 'strategies/buy-the-dip.ts', '--tape', 'A_USD=tape.csv')
    expect(report).toMatchObject({ strategy: { name: 'buy-the-dip' }, failure: null })
  })

  const TYPED = JSON.stringify({ devDependencies: { typescript: '1', vitest: '1' } })
  it.concurrent.each`
    name           | files                                                 | flags               | ending  | why
    ${'none'}      | ${{}}                                                 | ${[]}               | ${'ts'} | ${'a backtest takes TypeScript as it is'}
    ${'by-types'}  | ${{ 'package.json': TYPED }}                          | ${[]}               | ${'ts'} | ${'package.json has TypeScript'}
    ${'by-config'} | ${{ 'package.json': '{}', 'tsconfig.json': '{}' }}    | ${[]}               | ${'ts'} | ${'tsconfig.json is there'}
    ${'untyped'}   | ${{ 'package.json': '\uFEFF{"dependencies":null}' }}  | ${[]}               | ${'js'} | ${'nothing says TypeScript'}
    ${'flagged'}   | ${{ 'package.json': TYPED }}                          | ${['--javascript']} | ${'js'} | ${'the flag wins'}
  `('in $ending: $why', async ({ name, files, flags, ending }) => {
    const cli = project(`language-${name}`, files)
    const { code, stdout } = await cli('new', 'strategy', 'mine', ...(flags as string[]))
    expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      [`strategies/mine.${ending}`, `test/mine.test.${ending}`],
    ])
  })

  it.concurrent('leaves out what a project of ours has: a tape in its config, and vitest', async () => {
    const cli = project('whole', { 'package.json': TYPED, 'papertape.config.json': '{}' })
    const { stdout } = await cli('new', 'strategy', 'mine')
    expect(stdout.split('Next:\n\n')[1]).toBe(
      '  npx papertape backtest strategies/mine.ts\n  npx vitest run test/mine.test.ts\n',
    )
  })

  it.concurrent('touches nothing that is there, in either language, and then writes neither file', async () => {
    const cli = project('taken')
    mkdirSync(join(folder, 'taken/test'))
    writeFileSync(join(folder, 'taken/test/mine.test.js'), 'mine')
    expectInputError(
      await cli('new', 'strategy', 'mine'),
      'test/mine.test.js: exists already and was left unchanged: give another name',
    )
    expect(existsSync(join(folder, 'taken/strategies'))).toBe(false)
    expect(readFileSync(join(folder, 'taken/test/mine.test.js'), 'utf8')).toBe('mine')
  })

  it.concurrent('takes the strategy away again when its test cannot be written', async () => {
    const cli = project('half', { test: 'a file where the folder would be' })
    expectInputError(await cli('new', 'strategy', 'mine'), /^test\/mine\.test\.ts: cannot be written \(/)
    expect(readdirSync(join(folder, 'half/strategies'))).toEqual([])
  })

  it.concurrent.each`
    args                    | line
    ${['strategi', 'mine']} | ${"new: expected strategy, got 'strategi'; did you mean 'strategy'?"}
    ${['strategy']}         | ${'new: expected <name>; see papertape new --help'}
    ${['strategy', 'grid']} | ${"new strategy: 'grid' is the name of a ready strategy: choose another name"}
  `('papertape new $args: $line', async ({ args, line }) => {
    expectInputError(await cliHere(['new', ...(args as string[])], { cwd: folder }), line)
  })

  it.concurrent('prints with --json what it wrote', async () => {
    const { stdout } = await project('as-json', {})('new', 'strategy', 'mine', '--json')
    const { files } = JSON.parse(stdout) as { files: string[] }
    expect(files.map((file) => existsSync(join(folder, 'as-json', file)))).toEqual([true, true])
  })

  it.concurrent('reports a package.json that is none', async () => {
    expectInputError(await project('broken', { 'package.json': '{' })('new', 'strategy', 'mine'), /^package\.json: /)
  })
})

describe('a name of a strategy', () => {
  it.each(['a', 'sma2', 'buy-the-dip', 'x'.repeat(60)])('is %s', (name) => {
    expect(strategyName('name', name)).toBe(name)
  })

  it.each`
    name                    | hint
    ${'MyStrategy'}         | ${"; did you mean 'my-strategy'?"}
    ${'strategies/mine.ts'} | ${"; did you mean 'mine'?"}
    ${'my strategy'}        | ${"; did you mean 'my-strategy'?"}
    ${'2fast'}              | ${"; did you mean 'fast'?"}
    ${'a--b'}               | ${"; did you mean 'a-b'?"}
    ${'../../etc/passwd'}   | ${"; did you mean 'passwd'?"}
    ${'-'}                  | ${''}
    ${''}                   | ${''}
    ${'戦略'}               | ${''}
  `('is not $name', ({ name, hint }) => {
    expect(() => strategyName('name', name)).toThrow(
      `name: expected a name such as my-strategy (lower-case letters and digits in words with single hyphens, at most 60 characters), got '${name}'${hint}`,
    )
  })
})

it.each(['typescript', 'javascript'] as const)(
  'no line of a %s template is of another language or name',
  (language) => {
    for (const { text } of strategyFiles('buy-the-dip', language)) {
      expect(text).toContain('buy-the-dip')
      expect(text).not.toMatch(language === 'javascript' ? /my-strategy|\.ts\b/ : /my-strategy|\.js\b/)
    }
  },
)
