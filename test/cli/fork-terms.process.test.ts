/** A fork with other terms, as a user runs it: the fees of the fills, and what verify, why and diff say of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cliFolder } from './rig/run-cli.ts'

const { cli, folder } = cliFolder()
const TAPE = `BTC_USD=${fileURLToPath(new URL('../../data/btc_usd.csv.gz', import.meta.url))}`

it('forks a backtest with a fee, a liquidity model and a limit from a day on', async () => {
  const run = await cli(
    'backtest',
    'sma-cross',
    '--tape',
    TAPE,
    '--param',
    'interval=1h',
    '--no-bounds',
    '--out',
    'run',
  )
  expect(run.code).toBe(0)
  const terms = ['--taker-fee', '10', '--liquidity', 'ideal', '--max-position', '90000']
  const forked = await cli('fork', 'run', '--at', '2024-01-20', ...terms, '--json')
  expect(forked.code).toBe(0)
  expect(JSON.parse(forked.stdout)).toMatchObject({
    isSame: false,
    fork: { terms: { takerFeeBps: '10', liquidity: 'ideal', liquiditySha256: null, maxPosition: '90000' } },
  })
  expect(await cli('verify', 'run-fork')).toMatchObject({ code: 0 })
  const lines = readFileSync(join(folder, 'run-fork', 'fills.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  const cells = lines.map((line) => line.split(','))
  const isCharged = cells.map(([, time, , , , , , , fee]) => [Number(time) >= Date.UTC(2024, 0, 20), fee !== '0'])
  expect(isCharged.every(([isLater, hasFee]) => isLater === hasFee)).toBe(true)
  expect(new Set(isCharged.map(String)).size).toBe(2)
  const difference = await cli('diff', 'run', 'run-fork')
  expect(difference.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'fork.from, fork.takerFeeBps, fork.maxPosition, fork.liquidity',
  )
  await cli('fork', 'run', '--at', '2024-01-20', '--max-position', '9000', '--out', 'limited')
  const refused = await cli('why', 'limited', `ref:${refusedRef()}`)
  expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain('the limit is 9000')
  const same = await cli(
    'fork',
    'run',
    '--at',
    '2024-01-20',
    '--taker-fee',
    '0',
    '--max-position',
    'off',
    '--out',
    'same',
  )
  expect(same.stdout).toContain('the digest is the same')
}, 120_000)

function refusedRef(): number {
  const journal = readFileSync(join(folder, 'limited', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const line = journal.find((each) => each.includes('maxPosition:')) ?? '{}'
  return (JSON.parse(line) as { ref: number }).ref
}
