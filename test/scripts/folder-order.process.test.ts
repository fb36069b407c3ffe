import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * A project in which every file breaks one rule, but for the proper ones; `target.ts` stands where it is imported from.
 */
const FILES = {
  'src/domain/order.ts': "import '../exchange/target.ts'",
  'src/domain/file-reader.ts': "import 'node:fs'",
  'src/exchange/replay.ts': "import '../tape/target.ts'",
  'src/tape/book.ts': "import type { target } from '../exchange/target.ts'",
  'src/analysis/reader.ts': "import '../tape/target.ts'",
  'src/store/strategy-file.ts': "import '../strategy/target.ts'",
  'src/runtime/printed-run.ts': "import '../report/target.ts'",
  'src/report/command.ts': "import '../cli/target.ts'",
  'src/cli/lost.ts': "import '../nowhere/target.ts'",
  'src/cli/stray.ts': "import '../target.ts'",
  'src/cli/loop.ts': "import './loop-back.ts'",
  'src/cli/loop-back.ts': "import './loop.ts'",
  'src/cli/gatherer.ts': "import '../store/index.ts'",
  'src/cli/vague.ts': "import '../domain/utils.ts'",
  'src/cli/tested.ts': "import '../../test/target.ts'",
  'src/server/http/listener.ts': "import '../service/target.ts'",
  'src/server/service/caller.ts': "import '../http/target.ts'",
  'src/server/serve.ts': "import './emulator/target.ts'",
  'src/cli/alone.ts': '',
  'src/cli/unresolved.ts': "import './absent.ts'",
  'src/cli/tester.ts': "import 'vitest'",
  'src/cli/borrower.ts': "import 'unlisted'",
  'src/index.ts': "import './cli/target.ts'",
  'src/report/served.ts': "import '../server/target.ts'",
  'src/liquidity.ts': "import './report/served.ts'",
  'src/emulator.ts': "import './server/target.ts'",
  'strategies/insider.ts': "import '../src/domain/target.ts'",
  'examples/reader.ts': "import 'node:fs'",
  'examples/insider.mjs': "import '../src/domain/target.ts'",
  'examples/program.mjs': "import 'node:fs'\nimport 'papertape/emulator'",
  'strategies/proper.ts': "import 'papertape'\nimport 'rxjs'",
  'examples/proper.ts': "import 'papertape/liquidity'\nimport 'papertape/emulator'",
  'src/cli/proper.ts': "import '../domain/target.ts'\nimport '../report/target.ts'\nimport 'node:fs'",
}
const TARGETS = [
  ...['domain', 'exchange', 'tape', 'strategy', 'server', 'report', 'cli', 'nowhere'].map(
    (folder) => `src/${folder}/target.ts`,
  ),
  ...['http', 'service', 'emulator'].map((room) => `src/server/${room}/target.ts`),
  ...['src/target.ts', 'src/store/index.ts', 'src/domain/utils.ts', 'test/target.ts'],
]

let folder: string
/** `rule file` of every violation. */
let violations: string[]

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-order-'))
  for (const [path, text] of Object.entries(FILES)) write(path, text)
  for (const path of TARGETS) write(path, 'export const target = 1')
  write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: { rxjs: '*' }, devDependencies: { vitest: '*' } }),
  )
  for (const name of ['rxjs', 'vitest', 'unlisted']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    write(`node_modules/${name}/index.js`, 'export const target = 1')
  }
  copyFileSync('tsconfig.json', join(folder, 'tsconfig.json'))
  const depcruise = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [depcruise, '--config', resolve('.dependency-cruiser.mjs'), '--output-type', 'json', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } }
  violations = summary.violations.map(({ from, rule }) => `${rule.name} ${from}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the folder order', () => {
  it.each`
    rule                                  | file                            | why
    ${'folder-order-domain'}              | ${'src/domain/order.ts'}        | ${'domain is the first'}
    ${'folder-order-exchange'}            | ${'src/exchange/replay.ts'}     | ${'exchange knows only domain'}
    ${'folder-order-tape'}                | ${'src/tape/book.ts'}           | ${'a type is an import too'}
    ${'folder-order-analysis'}            | ${'src/analysis/reader.ts'}     | ${'analysis knows only domain, though tape comes before it'}
    ${'folder-order-store'}               | ${'src/store/strategy-file.ts'} | ${'strategy comes later'}
    ${'folder-order-runtime'}             | ${'src/runtime/printed-run.ts'} | ${'report comes later'}
    ${'folder-order-report'}              | ${'src/report/command.ts'}      | ${'cli is the last'}
    ${'pure-folders-do-no-io'}            | ${'src/domain/file-reader.ts'}  | ${'values in, values out'}
    ${'known-folders'}                    | ${'src/cli/lost.ts'}            | ${'a folder without a place'}
    ${'known-folders'}                    | ${'src/cli/stray.ts'}           | ${'a file of src that is no export'}
    ${'no-circular'}                      | ${'src/cli/loop-back.ts'}       | ${'a cycle, reported of one of its files'}
    ${'no-room-cycles'}                   | ${'src/server/http'}            | ${'service knows it, too, though no two files know each other'}
    ${'server-before-emulator'}           | ${'src/server/serve.ts'}        | ${'who makes a market comes after who serves it'}
    ${'no-barrels'}                       | ${'src/cli/gatherer.ts'}        | ${'an index.ts'}
    ${'no-nameless-names'}                | ${'src/cli/vague.ts'}           | ${'utils says nothing'}
    ${'src-stands-alone'}                 | ${'src/cli/tested.ts'}          | ${'src knows no test'}
    ${'no-orphans'}                       | ${'src/cli/alone.ts'}           | ${'nobody imports it'}
    ${'resolvable'}                       | ${'src/cli/unresolved.ts'}      | ${'there is no such file'}
    ${'no-dev-dependencies-in-src'}       | ${'src/cli/tester.ts'}          | ${'a user does not get it'}
    ${'no-dev-dependencies-in-src'}       | ${'src/cli/borrower.ts'}        | ${'nobody asked for it'}
    ${'index-without-cli'}                | ${'src/index.ts'}               | ${'importing papertape loads no command'}
    ${'index-without-cli'}                | ${'src/liquidity.ts'}           | ${'nor a server, by whatever way'}
    ${'written-as-a-user-would'}          | ${'strategies/insider.ts'}      | ${'a user has no src'}
    ${'written-as-a-user-would'}          | ${'examples/reader.ts'}         | ${'only papertape, rxjs and zod'}
    ${'programs-written-as-a-user-would'} | ${'examples/insider.mjs'}       | ${'what Node has, and no src'}
  `('refuses $file by $rule: $why', ({ rule, file }) => expect(violations).toContain(`${rule} ${file}`))

  it.each([
    'strategies/proper.ts',
    'examples/proper.ts',
    'examples/program.mjs',
    'src/cli/proper.ts',
    'src/emulator.ts',
  ])('allows %s', (file) => {
    expect(violations.filter((violation) => violation.endsWith(` ${file}`))).toEqual([])
  })
})
