import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportIn } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  const run = "log('from the strategy'); console.log('from its console'); console.error('an error'); return NEVER"
  write(`console.log('while it is loaded')\n${strategySource({ run })}`, 'talks.js')
})

describe('--json', () => {
  it.concurrent('prints one object on stdout and nothing else, nothing on stderr', async () => {
    const result = await cli('backtest', 'hold.js', ...TAPE, '--json')
    expect(reportIn(result)).toMatchObject({ version: expect.any(String), fills: 1 })
    expect(result).toMatchObject({ code: 0, stderr: '' })
  })

  it.concurrent('whatever the strategy says: that goes to stderr', async () => {
    const result = await cli('backtest', 'talks.js', ...TAPE, '--json')
    expect(reportIn(result).strategy.name).toBe('sample')
    const said = 'while it is loaded\n2023-11-14T22:13:20.000Z from the strategy\nfrom its console\nan error\n'
    expect(result).toMatchObject({ code: 0, stderr: said })
  })

  it.concurrent('is what --out writes as run.json, but for the hashes of the files', async () => {
    const result = await cli('backtest', 'hold.js', ...TAPE, '--json', '--out', 'run')
    const { files, filesDigest, ...report } = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8'))
    expect(Object.keys({ files, filesDigest, ...files })).toHaveLength(9)
    expect(report).toEqual(reportIn(result))
  })
})

describe('without --json', () => {
  it.concurrent('a summary of at most 80 columns and 23 lines stands on stdout', async () => {
    const { code, stdout, stderr } = await cli('backtest', 'hold.js', ...TAPE, '--taker-fee', '7.5')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/^strategy +buy-and-hold \(papertape \d+\.\d+\.\d+\)$/m)
    expect(stdout).toMatch(/^equity +10,000 → 10,001\.925 USD \(\+1\.925\)$/m)
    expect(stdout).toMatch(/^fees +0\.075 USD \(maker 0 bps, taker 7\.5 bps\)$/m)
    expect(stdout).toMatch(/^execution +liquidity \w+; latency: order 50 ms, response 0 ms, feed 0 ms$/m)
    expect(stdout).toMatch(/^audit USD: credited 10000 = held 9999\.925 \+ fees 0\.075$/m)
    expect(stdout).toMatch(/^digest sha256:[0-9a-f]{64}$/m)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.concurrent('--quiet leaves it out, and only that', async () => {
    expect(await cli('backtest', 'hold.js', ...TAPE, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    const { stdout, stderr } = await cli('backtest', 'talks.js', ...TAPE, '--quiet')
    expect(stdout).toBe('')
    expect(stderr).toContain('from the strategy')
  })

  it.concurrent('what a strategy prints does not get into the summary', async () => {
    const { stdout, stderr } = await cli('backtest', 'talks.js', ...TAPE)
    expect(stdout).not.toContain('from')
    expect(stderr).toContain('from its console')
  })
})
