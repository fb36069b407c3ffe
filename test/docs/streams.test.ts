/**
 * The programs of docs/streams.md hold what they assert, and its strategy trades.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { backtest } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(PROJECT, 'docs/streams.md'), 'utf8')
const blocks = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
const programs = blocks.filter((code) => code.includes('assert.'))
const strategies = blocks.filter((code) => code.includes('defineStrategy('))
const { write } = temporaryFiles()

it('every block is one or the other', () => {
  expect(programs.length).toBeGreaterThan(1)
  expect(strategies).toHaveLength(1)
  expect(programs.length + strategies.length).toBe(blocks.length)
})

it.each(programs.map((code, index) => [index + 1, code] as const))(
  'program %i holds what it asserts',
  async (_, code) => {
    // Packages are found from the project's folder, wherever the file is.
    const found = code.replaceAll(/ from '(rxjs|papertape)'/g, (_whole, name: string) => ` from '${urlOf(name)}'`)
    await expect(import(pathToFileURL(write(found, `program-${code.length}.ts`)).href)).resolves.toBeDefined()
  },
)

const urlOf = (name: string): string =>
  name === 'papertape' ? join(PROJECT, 'src/index.ts') : join(PROJECT, 'node_modules/rxjs/dist/cjs/index.js')

it('its strategy trades and leaves', async () => {
  const { report } = await backtest({
    strategy: write(strategies[0] ?? '', 'shown.ts'),
    tapes: { BTC_USD: join(PROJECT, 'data/btc_usd.csv.gz') },
    bounds: false,
  })
  expect(report).toMatchObject({ failure: null, refusals: {} })
  expect(report.orders).toBeGreaterThan(10)
})
