/**
 * What the documents show of strategies and programs runs in the folder of a user who has installed the package.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { installPackage } from '../../cli/rig/installed-package.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { fenced } from '../rig/document-commands.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const { folder } = temporaryFiles()
const run = promisify(execFile)

const pages = [
  'README.md',
  ...readdirSync(join(PROJECT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const blocks = pages.flatMap((page) =>
  fenced(readFileSync(join(PROJECT, page), 'utf8'), 'ts')
    .filter((code) => /^import .* from 'papertape/m.test(code))
    .map((code, index) => ({ page, index: index + 1, code })),
)
const strategies = blocks.filter(({ code }) => /^export default /m.test(code))
const programs = blocks.filter(({ code }) => !/^export default /m.test(code))

let installed = ''
beforeAll(() => {
  installed = installPackage(folder)
})

it('there are some of either', () => {
  expect(new Set(strategies.map(({ page }) => page)).size).toBeGreaterThan(2)
  expect(new Set(programs.map(({ page }) => page)).size).toBeGreaterThan(3)
})

it.each(strategies)('$page: strategy $index trades', async ({ page, index, code }) => {
  const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${index}.ts`)
  writeFileSync(file, code)
  const tape = 'BTC_USD=node_modules/papertape/data/btc_usd.csv.gz'
  const args = ['backtest', file, '--tape', tape, '--json', '--no-bounds']
  const { stdout } = await run(process.execPath, [join(installed, 'bin/papertape.js'), ...args], {
    cwd: folder,
  })
  const { failure, orders }: { failure: unknown; orders: number } = JSON.parse(stdout)
  expect(failure).toBeNull()
  expect(orders).toBeGreaterThan(0)
})

it.each(programs)('$page: program $index ends in order', async ({ page, index, code }) => {
  const outfile = join(folder, `${page.replaceAll(/\W/g, '-')}-program-${index}.mjs`)
  // What runs a user's TypeScript leaves the packages where they are, as this does.
  const stdin = { contents: code, loader: 'ts', resolveDir: installed } as const
  await build({ stdin, outfile, bundle: true, packages: 'external', format: 'esm', target: 'node20' })
  await expect(run(process.execPath, [outfile], { cwd: installed })).resolves.toMatchObject({ stderr: '' })
})
