/**
 * Runs the strategies and the command of docs/strategies.md on the bundled tape.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backtest } from '../../src/run.ts'
import { cliFolderHere } from '../cli/rig/cli-here.ts'
import { commandsIn } from './rig/document-commands.ts'

const PROJECT = join(import.meta.dirname, '../..')
const page = readFileSync(join(PROJECT, 'docs/strategies.md'), 'utf8')
const blocks = [...page.matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const { cli, write } = cliFolderHere()

it('each strategy that it shows runs and orders', async () => {
  expect(blocks.length).toBeGreaterThan(0)
  for (const [index, code] of blocks.entries()) {
    const { report } = await backtest({
      strategy: write(code, `shown-${index}.ts`),
      tapes: { BTC_USD: join(PROJECT, 'data/btc_usd.csv.gz') },
      series: { mood: join(PROJECT, 'data/mood.csv') },
    })
    expect(report.failure).toBeNull()
    expect(report.orders).toBeGreaterThan(0)
  }
})

it('its commands run the strategies that they name', async () => {
  write(blocks[0] ?? '', 'above-average.ts')
  write(blocks.find((code) => code.includes("'docs-mood'")) ?? '', 'docs-mood.ts')
  const commands = commandsIn(page)
  expect(commands).toHaveLength(2)
  for (const command of commands) {
    const args = command.replaceAll('=data/', `=${join(PROJECT, 'data')}/`).split(' ')
    expect(args.splice(0, 2)).toEqual(['npx', 'papertape'])
    expect(await cli(...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/above-average|docs-mood/) })
  }
})
