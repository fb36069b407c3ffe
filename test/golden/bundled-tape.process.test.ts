/**
 * Digests of runs on the bundled tape, kept in files: anyone who changes what a run gives has to do it on purpose.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { jsonRun } from '../cli/rig/cli-result.ts'
import { runCli } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const GOLDEN = new URL('sma-cross.txt', import.meta.url)
const DIGEST = /^sha256:\S+$/m

it('sma-cross on the bundled tape has the digest of test/golden/sma-cross.txt, which says how to renew it', async () => {
  const cli = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: PROJECT })
  const { digest, audit, fills } = await jsonRun(cli, 'backtest', 'sma-cross', '--tape', 'BTC_USD=data/btc_usd.csv.gz', '--no-bounds')
  expect(audit.ok).toBe(true)
  expect(fills).toBeGreaterThan(100)
  const text = readFileSync(GOLDEN, 'utf8')
  if (process.env.RENEW_GOLDEN !== undefined) writeFileSync(GOLDEN, text.replace(DIGEST, digest))
  else expect(digest).toBe(DIGEST.exec(text)?.[0])
})

const FILES = ['orders.csv', 'fills.csv', 'equity.csv'] as const

it.each(['grid', 'market-maker'])(
  '%s on the bundled tape has the digest and the files of test/golden',
  async (strategy) => {
    const { folder } = temporaryFiles()
    const out = join(folder, 'run')
    const cli = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: PROJECT })
    const flags = ['--tape', 'BTC_USD=data/btc_usd.csv.gz', '--no-bounds', '--out', out]
    const { digest, audit } = await jsonRun(cli, 'backtest', strategy, ...flags)
    expect(audit.ok).toBe(true)
    const hashes = FILES.map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(out, name)))
      return `${name} ${hash.digest('hex')}`
    })
    const golden = new URL(`${strategy}.txt`, import.meta.url)
    const [comments, kept] = [/^#.*$/gm, readFileSync(golden, 'utf8')]
    const found = [digest, ...hashes].join('\n')
    if (process.env.RENEW_GOLDEN !== undefined) {
      writeFileSync(golden, `${[...(kept.match(comments) ?? []), found].join('\n')}\n`)
    } else expect(kept.replaceAll(comments, '').trim()).toBe(found)
  },
)
