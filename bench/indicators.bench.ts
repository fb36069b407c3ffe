/**
 * How much of the processor does an indicator take for one input, beside npm's indicatorts and trading-signals on the
 * same candles?
 *
 * Budget: none takes more than 1.5 times what the faster of the two takes, and none takes more for a window of 10 000
 * than for one of 10 (`cci` does: the mean that its deviations are from moves). Ours and trading-signals are fed one by
 * one; indicatorts gets whole arrays. The peers are installed into a temporary folder; where that fails, ours are
 * reported alone. `npm run bench -- indicators`
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CASES, lengthCase, measured, type Peers } from './indicator-cases.ts'

const PEERS = ['indicatorts@2.2.2', 'trading-signals@8.3.0']
const LENGTHS = [10, 100, 1_000, 10_000]
const BUDGET = 1.5

/** Runs this file again for one case, so that no other has warmed up or spoilt its code. */
function inOwnProcess(...args: readonly string[]): readonly string[] {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), ...args],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`)
  return stdout.trim().split(' ')
}

function compareAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
  try {
    const install = ['install', '--no-audit', '--no-fund', '--prefix', folder, ...PEERS]
    const areThere = spawnSync('npm', install, { cwd: folder, timeout: 120_000 }).status === 0
    if (!areThere) console.log(`${PEERS.join(' and ')} did not install: reported alone`)
    console.log(
      'ns of the processor an input, median of rounds in turn: ours, indicatorts, trading-signals; ours by the faster',
    )
    for (const name of Object.keys(CASES)) {
      const [ours = Number.NaN, ...theirs] = inOwnProcess(name, areThere ? folder : '').map(Number)
      const ratio = ours / Math.min(...theirs.filter((ns) => !Number.isNaN(ns)))
      const verdict = !Number.isFinite(ratio) ? '' : `${ratio.toFixed(2)}${ratio > BUDGET ? ' over the budget' : ''}`
      const cells = [ours, ...theirs].map((ns) => (Number.isNaN(ns) ? '-' : ns.toFixed(1)).padStart(8))
      console.log(`${name.padEnd(18)} ${cells.join(' ')}   ${verdict}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compareLengths(): void {
  console.log(`\nns an input with windows of ${LENGTHS.join(', ')}`)
  for (const name of [
    'sma',
    'wma',
    'ema',
    'deviation',
    'linearRegression',
    'highest',
    'stochastic',
    'kama',
    'mfi',
    'cci',
  ]) {
    const cells = inOwnProcess('--length', name, LENGTHS.join(',')).map((ns) => Number(ns).toFixed(1).padStart(9))
    console.log(`${name.padEnd(18)}${cells.join(' ')}`)
  }
}

async function loaded(folder: string): Promise<Peers | undefined> {
  if (folder === '') return undefined
  const module = async (path: string): Promise<unknown> => import(join(folder, 'node_modules', path))
  const [batch, streaming] = [
    await module('indicatorts/dist/cjs/index.js'),
    await module('trading-signals/dist/index.js'),
  ]
  return { batch, streaming } as Peers
}

const [name, ...rest] = process.argv.slice(2)
if (name === '--length') {
  const [of = '', lengths = ''] = rest
  console.log(measured(lengths.split(',').map((length) => lengthCase(of, Number(length)))).join(' '))
} else if (name !== undefined) {
  const peers = await loaded(rest[0] ?? '')
  console.log(measured(CASES[name]?.(peers) ?? []).join(' '))
} else {
  compareAll()
  compareLengths()
}
