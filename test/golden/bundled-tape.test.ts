/**
 * The digest of one run on the bundled tape, kept in a file: whoever changes what a run gives has to do it on purpose.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { jsonRun, runCli } from '../cli/rig/run-cli.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const GOLDEN = new URL('sma-cross.txt', import.meta.url)
const DIGEST = /^sha256:\S+$/m

it('sma-cross on the bundled tape has the digest of test/golden/sma-cross.txt, which says how to renew it', async () => {
  const cli = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: PROJECT })
  const { digest, audit, fills } = await jsonRun(cli, 'backtest', 'sma-cross', '--tape', 'BTC_USD=data/btc_usd.csv.gz')
  expect(audit.ok).toBe(true)
  expect(fills).toBeGreaterThan(100)
  const text = readFileSync(GOLDEN, 'utf8')
  if (process.env.RENEW_GOLDEN !== undefined) writeFileSync(GOLDEN, text.replace(DIGEST, digest))
  else expect(digest).toBe(DIGEST.exec(text)?.[0])
})
