/**
 * The strategy of docs/strategies.md, run on the tape that comes along.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backtest } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = join(import.meta.dirname, '../..')
const { write } = temporaryFiles()

it('each strategy that it shows runs and orders', async () => {
  const page = readFileSync(join(PROJECT, 'docs/strategies.md'), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  expect(blocks.length).toBeGreaterThan(0)
  for (const [index, code] of blocks.entries()) {
    const { report } = await backtest({
      strategy: write(code, `shown-${index}.ts`),
      tapes: { BTC_USD: join(PROJECT, 'data/btc_usd.csv.gz') },
    })
    expect(report.failure).toBeNull()
    expect(report.orders).toBeGreaterThan(0)
  }
})
