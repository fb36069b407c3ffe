/**
 * What the documents show of strategies and programs runs in the folder of a user who has installed the package.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
const configs = blocks.filter(({ code }) => /^export default defineConfig\(/m.test(code))
const strategies = blocks.filter(({ code }) => /^export default defineStrategy\(/m.test(code))
/** A program that plays a scenario. */
const PLAYED = `
import { startEmulator } from 'papertape/emulator'
const emulator = await startEmulator({ virtualClock: true })
if ((await emulator.play($1)).length < 10) throw new Error('nothing is played')
await emulator.close()`
const programs = blocks
  .map((block) => ({ ...block, code: block.code.replace(/^export default (\w+)$/m, PLAYED) }))
  .filter(({ code }) => !/^export default /m.test(code))

let installed = ''
beforeAll(() => {
  installed = installPackage(folder)
})

it('there are some of either', () => {
  expect(new Set(strategies.map(({ page }) => page)).size).toBeGreaterThan(2)
  expect(configs).not.toEqual([])
  expect(blocks).toHaveLength(configs.length + strategies.length + programs.length)
  expect(new Set(programs.map(({ page }) => page)).size).toBeGreaterThan(3)
})

it.each(strategies)('$page: strategy $index trades', async ({ page, index, code }) => {
  const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${index}.ts`)
  writeFileSync(file, code)
  const tape = 'BTC_USD=node_modules/papertape/data/btc_usd.csv.gz'
  const series = [...code.matchAll(/\bseries\('(\w+)'/g)].flatMap(([, name = '']) => [
    '--series',
    `${name}=node_modules/papertape/data/${name}.csv`,
  ])
  const args = ['backtest', file, '--tape', tape, ...series, '--json', '--no-bounds']
  const { stdout } = await run(process.execPath, [join(installed, 'bin/papertape.js'), ...args], {
    cwd: folder,
  })
  const { failure, orders }: { failure: unknown; orders: number } = JSON.parse(stdout)
  expect(failure).toBeNull()
  expect(orders).toBeGreaterThan(0)
})

/** The strategy that a config names as the user's own. */
const OWN = `import { defineStrategy } from 'papertape'
import { first, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'mine',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyMarket }) =>
    trades(symbol).pipe(
      first(),
      map(() => buyMarket(symbol, '0.01')),
    ),
})
`

it.each(configs)('$page: config $index runs a backtest', async ({ code }) => {
  writeFileSync(join(folder, 'mine.ts'), OWN)
  writeFileSync(join(folder, 'papertape.config.ts'), code)
  symlinkSync('node_modules/papertape/data', join(folder, 'data'))
  const { stdout } = await run(process.execPath, [join(installed, 'bin/papertape.js'), 'backtest', '--json'], {
    cwd: folder,
  })
  const { strategies: parts }: { strategies: { failure: unknown; orders: number }[] } = JSON.parse(stdout)
  expect(parts).toHaveLength(2)
  for (const { failure, orders } of parts)
    expect({ failure, hasOrders: orders > 0 }).toEqual({ failure: null, hasOrders: true })
  rmSync(join(folder, 'papertape.config.ts'))
})

it.each(programs)('$page: program $index ends in order', async ({ page, index, code }) => {
  const outfile = join(folder, `${page.replaceAll(/\W/g, '-')}-program-${index}.mjs`)
  // What runs a user's TypeScript leaves the packages where they are, as this does.
  const stdin = { contents: code, loader: 'ts', resolveDir: installed } as const
  await build({ stdin, outfile, bundle: true, packages: 'external', format: 'esm', target: 'node20' })
  await expect(run(process.execPath, [outfile], { cwd: installed })).resolves.toMatchObject({ stderr: '' })
})
