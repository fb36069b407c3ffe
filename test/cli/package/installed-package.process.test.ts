/**
 * What `npm pack` makes of the project, in a folder with its dependencies and no others: no better-sqlite3, no
 * compiler.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { installPackage } from '../rig/installed-package.ts'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { runProgram } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, TRADES } from '../rig/sample-files.ts'

const { folder: parent, write } = temporaryFiles()
/** Of the user. */
const folder = join(parent, 'my bots')
const installed = join(folder, 'node_modules/papertape')

const compiler = join(folder, 'node_modules/typescript')

const run = (...args: string[]): Promise<CliResult> =>
  runProgram([join(installed, 'bin/papertape.js'), ...args], { cwd: folder })

const BUY_ONCE = `
import { defineStrategy, Decimal } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buy-once',
  params: z.object({ symbol: z.string() }),
  run: ({ trades, params: { symbol }, buyMarket }) =>
    trades(symbol).pipe(
      take(1),
      map((trade): unknown => trade.price instanceof Decimal && buyMarket(symbol, '1')),
    ),
})
`

const PROGRAM = `
import { backtest } from 'papertape/run'
import mine from './once.js'

const { digest } = await backtest({ strategy: mine, tapes: { A_USD: 'tape.csv' } })
console.log(digest)
`

beforeAll(() => {
  installPackage(folder)
  mkdirSync(join(parent, 'not built/bin'), { recursive: true })
  write(TRADES, 'my bots/tape.csv')
  write(BUY_AND_HOLD, 'my bots/hold.js')
  write(BUY_ONCE, 'my bots/once.ts')
  write(BUY_ONCE.replace('): unknown =>', ') =>'), 'my bots/once.js')
  write(PROGRAM, 'my bots/program.mjs')
})

describe('the package as it is installed', () => {
  it('has no script of which npm would warn', () => {
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { scripts: object }
    const ofInstalls = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
    expect(Object.keys(scripts).filter((name) => ofInstalls.includes(name))).toEqual([])
  })

  it('says how to build it, where it came from its repository', async () => {
    write(readFileSync(join(installed, 'bin/papertape.js'), 'utf8'), 'not built/bin/papertape.mjs')
    const { code, stderr } = await runProgram([join(parent, 'not built/bin/papertape.mjs'), '--help'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('npm run build && npm pack') as string,
    })
  })

  it('names the place of its example files where a document is followed in another folder', async () => {
    const tape = 'node_modules/papertape/data/btc_usd.csv.gz'
    expectInputError(
      await run('backtest', 'grid', '--tape', 'BTC_USD=data/btc_usd.csv.gz'),
      `data/btc_usd.csv.gz: no such file; there is one in ${tape}`,
    )
    const example = 'examples/01-first-strategy.ts'
    const { code, stderr } = await run('backtest', example, '--tape', `BTC_USD=${tape}`)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      new RegExp(`^papertape: ${example}: no such .*; there is one in node_modules/papertape/${example}\n$`),
    )
    const found = await run(
      'backtest',
      `node_modules/papertape/${example}`,
      '--tape',
      `BTC_USD=${tape}`,
      '--to',
      '2024-01-02',
    )
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expectInputError(await run('backtest', 'grid', '--tape', 'data/none.csv'), 'data/none.csv: no such file')
    const model = 'examples/03-liquidity-model.ts'
    const { stderr: reported } = await run('backtest', 'grid', '--tape', 'A_USD=tape.csv', '--liquidity', model)
    expect(reported).toMatch(
      new RegExp(`^papertape: --liquidity: .*; there is one in node_modules/papertape/${model}\\n$`),
    )
  })

  it('holds no source, test or rig, and the licence of each package that is in the bundle', () => {
    expect(readdirSync(installed).sort()).toEqual([
      ...[
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'README.md',
        'THIRD_PARTY_NOTICES.md',
        'bench',
        'bin',
        'bundle',
      ],
      ...['config.schema.json', 'data', 'dist', 'docs', 'examples', 'llms-full.txt', 'llms.txt', 'package.json'],
      ...['strategies', 'templates'],
    ])
    expect(readFileSync(join(installed, 'bundle/LICENSES.txt'), 'utf8')).toMatch(/^yargs \d+\..*\n\nMIT License$/m)
  })

  it('reports its commands', async () => {
    const { code, stdout, stderr } = await run('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^papertape <command> \[flags\]$/m)
    expect(stdout).toMatch(/^ {2}backtest +run a strategy/m)
  })

  it('runs a strategy in JavaScript and in TypeScript, and each prints the same bounds and digest twice', async () => {
    for (const strategy of ['hold.js', 'once.ts', 'grid']) {
      const backtest = ['backtest', strategy, '--tape', 'A_USD=tape.csv']
      const [one, two] = await Promise.all([run(...backtest), run(...backtest)])
      expect(one).toMatchObject({ code: 0, stderr: '' })
      expect(one.stdout).toMatch(/^digest sha256:[0-9a-f]{64}$/m)
      expect(two).toEqual(one)
    }
  })

  it('checks the types of a strategy once TypeScript is there, by its own declarations', async () => {
    const typed = BUY_ONCE.replace('(trade): unknown => trade.price instanceof Decimal &&', '() =>')
    write(typed.replace('buyMarket(symbol', 'buyMarke(symbol'), 'my bots/typed.ts')
    write(typed, 'my bots/mended.ts')
    const check = ['check', 'typed.ts', '--types', '--runs', '1']
    expectInputError(await run(...check), '--types: needs TypeScript: npm install --save-dev typescript')
    symlinkSync(fileURLToPath(import.meta.resolve('typescript/package.json')).replace(/.package\.json$/, ''), compiler)
    try {
      const { code, stdout } = await run(...check)
      expect(code).toBe(1)
      expect(stdout).toContain("typed.ts:12:17: Cannot find name 'buyMarke'. Did you mean 'buyMarket'? (TS2552)\n")
      expect(stdout).toContain('typed.ts: 1 type error\n')
      expect((await run('check', 'mended.ts', '--types', '--runs', '1')).stdout).toContain(
        'mended.ts: no type errors\n',
      )
    } finally {
      rmSync(compiler)
    }
  })

  it('shows a program the error by its name', async () => {
    write(
      "import { backtest } from 'papertape/run'\nawait backtest({ strategy: 'grid', tapes: { A_USD: 'none.csv' } })\n",
      'my bots/fails.mjs',
    )
    const { code, stderr } = await runProgram(['fails.mjs'], { cwd: folder })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^InputError: none\.csv: no such file$/m)
  })

  it('runs a strategy from a program, with the digest of the command line', async () => {
    const [cli, program] = await Promise.all([
      run('backtest', 'once.js', '--tape', 'A_USD=tape.csv'),
      runProgram(['program.mjs'], { cwd: folder }),
    ])
    expect(program).toMatchObject({ code: 0, stderr: '' })
    expect(cli.stdout).toContain(`digest sha256:${program.stdout.trim().replace('sha256:', '')}`)
  })

  it.each([
    ['import', ['import', 'A_USD=tape.csv'], 'papertape.db'],
    ['backtest --db', ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--db', 'kept.db'], 'kept.db'],
    ['serve --state', ['serve', '--port', '0', '--state', 'exchange.db'], 'exchange.db'],
  ])('%s says in one line what to install, and leaves nothing', async (_, args, file) => {
    const before = readdirSync(folder)
    const which = process.version < 'v22' ? '@12, which may compile for one to two minutes' : ''
    expectInputError(
      await run(...args),
      `${file}: needs the package better-sqlite3: run npm install better-sqlite3${which}`,
    )
    expect(readdirSync(folder)).toEqual(before)
  })
})
