import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { installedFrom } from '../../../src/cli/init/project-files.ts'
import { fillWhole, packageName } from '../../../src/cli/init/run-init-command.ts'
import { withIo } from '../../../src/cli/cli-io.ts'
import { processIo } from '../../../src/cli/process-io.ts'
import { expectInputError, jsonRun } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const { folder, cli } = cliFolder()

const FILES = [
  ...['.github', '.github/actions', '.github/actions/papertape-expect'],
  ...['.github/actions/papertape-expect/action.yml', '.github/workflows', '.github/workflows/test.yml'],
  ...['.env.example', '.gitignore', 'README.md', 'data', 'data/btc_usd.csv.gz', 'package.json'],
  ...['papertape.config.json', 'strategies', 'strategies/my-strategy.ts', 'test', 'test/my-strategy.test.ts'],
  ...['tsconfig.json', 'vitest.config.ts'],
]

FILES.sort()

const filesIn = (name: string): string[] => readdirSync(join(folder, name), { recursive: true }).map(String).sort()

interface PackageJson {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const packageIn = (name: string): PackageJson => JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))

describe('papertape init', () => {
  it.concurrent('makes a project below folders that are not there, and says what to do next', async () => {
    const { code, stdout, stderr } = await cli('init', "new/it's/My Bot")
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`Created the project new/it's/My Bot:

  strategies/my-strategy.ts   the strategy
  test/my-strategy.test.ts    its test, on a few candles
  papertape.config.json       the settings of the backtest
  .github/workflows/test.yml  runs test and expectations on GitHub
  data/btc_usd.csv.gz         five days of generated trades to run it on
  package.json, tsconfig.json, vitest.config.ts
  README.md, .env.example, .gitignore

Next:

  cd 'new/it'\\''s/My Bot'
  npm install
  npm start           run a backtest
  npm test            run the test
  npm run check       test the strategy on generated markets
  npm run watch       run the backtest again on every save
`)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(filesIn("new/it's/My Bot")).toEqual(FILES)
    expect(readdirSync(join(folder, "new/it's"))).toEqual(['My Bot'])
    expect(packageIn("new/it's/My Bot").name).toBe('my-bot')
    const report = await jsonRun((...args) => runCli(args, { cwd: join(folder, "new/it's/My Bot") }), 'backtest')
    expect(report).toMatchObject({ failure: null, refusals: {}, audit: { ok: true } })
    expect(report.orders).toBeGreaterThan(10)
  })

  it.concurrent('in JavaScript, without a word of TypeScript, in a folder that somebody stands in', async () => {
    mkdirSync(join(folder, 'here/.git'), { recursive: true })
    const before = statSync(join(folder, 'here')).ino
    const { code, stdout } = await runCli(['init', '.', '--javascript'], { cwd: join(folder, 'here') })
    expect([code, stdout.includes('cd ')]).toEqual([0, false])
    const expected = FILES.filter((file) => file !== 'tsconfig.json').map((file) => file.replace(/\.ts$/, '.js'))
    expect(filesIn('here')).toEqual(['.git', ...expected].sort())
    expect(statSync(join(folder, 'here')).ino).toBe(before)
    const text = expected.filter((file) => /\.(?:js|json|md)$/.test(file)).map((file) => readFileSync(join(folder, 'here', file), 'utf8')) // prettier-ignore
    expect(text.join('')).not.toMatch(/\.ts\b|typescript|tsc/i)
    expect(packageIn('here')).toMatchObject({
      name: 'here',
      devDependencies: { vitest: expect.stringMatching(/^\^\d/) },
    })
    const report = await jsonRun((...args) => runCli(args, { cwd: join(folder, 'here') }), 'backtest')
    expect(report.orders).toBeGreaterThan(10)
  })

  it.concurrent('installs the papertape that is named, by its way from the project', async () => {
    writeFileSync(join(folder, 'papertape-0.1.0.tgz'), '')
    symlinkSync(folder, join(folder, 'link'))
    expect(await cli('init', 'link/deep/bot', '--papertape', 'papertape-0.1.0.tgz')).toMatchObject({ code: 0 })
    expect(packageIn('deep/bot').dependencies.papertape).toBe('file:../../papertape-0.1.0.tgz')
  })

  it.concurrent('has one RxJS with a clone, which npm links: that of the clone', async () => {
    expect(await cli('init', 'linked', '--papertape', PROJECT)).toMatchObject({ code: 0 })
    const { papertape, rxjs } = packageIn('linked').dependencies
    const [clone, copy] = [papertape, rxjs].map((range) =>
      realpathSync(join(folder, 'linked', range?.slice('file:'.length) ?? '')),
    )
    expect([clone, copy]).toEqual([realpathSync(PROJECT), realpathSync(join(PROJECT, 'node_modules/rxjs'))])
  })

  it.concurrent('names what is in a directory that is not empty, and leaves it as it is', async () => {
    mkdirSync(join(folder, 'full'))
    const names = ['a', 'b\n', 'c', 'd', 'e', 'f', '.hidden']
    for (const name of names) writeFileSync(join(folder, 'full', name), name)
    expectInputError(
      await cli('init', 'full'),
      'full: is not empty: it has .hidden, a, b\\n, c, d and 2 more; give a directory that does not exist yet',
    )
    expect(filesIn('full')).toEqual([...names].sort())
  })

  it.concurrent('prints with --json where it is, and its files', async () => {
    const { stdout } = await cli('init', 'as-json', '--json')
    const { directory, files } = JSON.parse(stdout) as { directory: string; files: string[] }
    expect(directory).toBe(join(realpathSync(folder), 'as-json'))
    expect(files.filter((file) => !existsSync(join(directory, file)))).toEqual([])
    expect(files).toContain('data/btc_usd.csv.gz')
  })

  it.concurrent.each`
    args                                        | line
    ${['init']}                                 | ${'init: expected <directory>; see papertape init --help'}
    ${['init', '']}                             | ${'init: expected the name of a directory'}
    ${['init', 'file']}                         | ${'file: exists and is not a directory'}
    ${['init', 'dangling']}                     | ${'dangling: exists and is not a directory'}
    ${['init', 'file/below']}                   | ${/^file\/below: cannot be created \(ENOTDIR/}
    ${['init', 'x'.repeat(300)]}                | ${/^x{80}\.\.\.: cannot be created \(ENAMETOOLONG/}
    ${['init', 'a', '--papertape', 'none.tgz']} | ${"--papertape: no such file or folder 'none.tgz'"}
    ${['init', 'a', '--papertape', 'file']}     | ${"--papertape: expected a packed package (.tgz) or a folder with package.json, got 'file'"}
    ${['init', 'a', '--papertap', 'file']}      | ${'unknown flag --papertap; did you mean --papertape?'}
  `('$args: $line', async ({ args, line }) => {
    writeFileSync(join(folder, 'file'), '')
    if (!readdirSync(folder).includes('dangling')) symlinkSync('nowhere', join(folder, 'dangling'))
    expectInputError(await cli(...(args as string[])), line)
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })
})

describe('a folder that is filled whole or not at all', () => {
  const filled = (directory: string, fill: (stage: string) => Promise<void>): Promise<void> =>
    withIo([], processIo(), () => fillWhole(directory, fill))
  const failing = async (stage: string): Promise<void> => {
    writeFileSync(join(stage, 'half'), '')
    return Promise.reject(new Error('no more'))
  }

  it('leaves nothing of itself or of the parents that it made', async () => {
    mkdirSync(join(folder, 'kept'))
    await expect(filled(join(folder, 'kept/new/parents/bot'), failing)).rejects.toThrow('no more')
    expect(readdirSync(join(folder, 'kept'))).toEqual([])
  })

  it('leaves an empty folder as empty as it was', async () => {
    mkdirSync(join(folder, 'empty'))
    await expect(filled(join(folder, 'empty'), failing)).rejects.toThrow('no more')
    expect(readdirSync(join(folder, 'empty'))).toEqual([])
  })

  it('overwrites nothing that has come meanwhile', async () => {
    const [bot, empty] = [join(folder, 'meanwhile'), join(folder, 'meanwhile-empty')]
    const coming =
      (target: string) =>
      (stage: string): Promise<void> => {
        mkdirSync(target, { recursive: true })
        writeFileSync(join(target, 'mine'), 'mine')
        writeFileSync(join(stage, 'mine'), 'ours')
        return Promise.resolve()
      }
    mkdirSync(empty)
    await expect(filled(bot, coming(bot))).rejects.toThrow(/meanwhile: cannot be created \(ENOTEMPTY/)
    await expect(filled(empty, coming(empty))).rejects.toThrow('mine: appeared in the directory meanwhile')
    for (const each of [bot, empty]) {
      expect(readdirSync(each)).toEqual(['mine'])
      expect(readFileSync(join(each, 'mine'), 'utf8')).toBe('mine')
    }
  })
})

describe('a name of a package', () => {
  it.each`
    folder             | name
    ${'my-bot'}        | ${'my-bot'}
    ${'Mein Bot (2)'}  | ${'mein-bot-2'}
    ${'.hidden'}       | ${'hidden'}
    ${'Über_Bot.js'}   | ${'uber_bot.js'}
    ${'日本'}          | ${'my-bot'}
    ${''}              | ${'my-bot'}
    ${'rxjs'}          | ${'rxjs-bot'}
    ${'node_modules'}  | ${'node_modules-bot'}
    ${'a'.repeat(250)} | ${'a'.repeat(100)}
  `('of $folder is $name', ({ folder: name, name: expected }) => {
    expect(packageName(name)).toBe(expected)
  })
})

describe('where papertape came from', () => {
  const installed = (name: string, resolved: string): string => {
    const root = join(folder, name, 'node_modules/papertape')
    mkdirSync(root, { recursive: true })
    const lock = { packages: { 'node_modules/papertape': { resolved } } }
    writeFileSync(join(folder, name, 'node_modules/.package-lock.json'), JSON.stringify(lock))
    return root
  }

  it('is the file that npm installed, as long as it is there', () => {
    const root = installed('from-file', 'file:../packed.tgz')
    expect(installedFrom(root)).toBeUndefined()
    writeFileSync(join(folder, 'packed.tgz'), '')
    expect(installedFrom(root)).toBe(join(folder, 'packed.tgz'))
  })

  it('is the registry, also where nothing says so', () => {
    expect(installedFrom(installed('from-registry', 'https://registry.example/papertape.tgz'))).toBeUndefined()
    mkdirSync(join(folder, 'other/node_modules/papertape'), { recursive: true })
    expect(installedFrom(join(folder, 'other/node_modules/papertape'))).toBeUndefined()
  })

  it('is a clone itself', () => {
    expect(installedFrom(folder)).toBe(folder)
  })
})
