/**
 * The examples in other languages trade on an emulator.
 */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { ask, keyOf } from '../server/rig/emulator-caller.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))
const run = promisify(execFile)

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())

/** Skipped with a word where the machine does not have the program. */
const withProgram = (program: string): typeof it | typeof it.skip => {
  if (spawnSync(program, ['--version']).status === 0) return it
  console.warn(`no ${program} on this machine: its example is not run`)
  return it.skip
}

describe('04-python-client.py', () => {
  withProgram('python3')('buys, sells and tells what came of it', async () => {
    const key = keyOf(emulator)
    const { stdout, stderr } = await run('python3', [`${EXAMPLES}04-python-client.py`, emulator.baseUrl, key])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^bought 0\.10000000 BTC at \d+(\.\d+)?, order \d+ is FILLED\nsold 0\.10000000 BTC at \d/)
    expect(stdout).toMatch(/\nprofit -?[\d.]+ USD, free [\d.]+ USD\n$/)
    const { json } = await ask<unknown[]>(emulator, '/orders', { key })
    expect(json).toMatchObject([
      { side: 'SELL', type: 'MARKET', status: 'FILLED' },
      { side: 'BUY', type: 'LIMIT', status: 'FILLED' },
    ])
  })

  withProgram('python3')('shows the error of an order, and does not try it again', async () => {
    const error = await run('python3', [`${EXAMPLES}04-python-client.py`, emulator.baseUrl, 'pt_wrong']).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 1, stderr: expect.stringMatching(/^POST \/orders: 401 .*INVALID_API_KEY/) })
  })
})

describe('04-curl-walk-through.sh', () => {
  withProgram('curl')('goes through every step', async () => {
    const key = keyOf(emulator)
    const { origin } = new URL(emulator.baseUrl)
    const { stdout, stderr } = await run('bash', [`${EXAMPLES}04-curl-walk-through.sh`, origin, key])
    const answers = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object)
    expect(stderr.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(12)
    expect(answers).toContainEqual(expect.objectContaining({ status: 'CANCELLED', price: '1000.00' }))
    expect(answers).toContainEqual(expect.objectContaining({ status: 'FILLED', type: 'MARKET' }))
    expect(answers.at(-1)).toMatchObject({ ok: true })
  })

  withProgram('curl')('ends at the first request that is refused', async () => {
    const { origin } = new URL(emulator.baseUrl)
    const error = await run('bash', [`${EXAMPLES}04-curl-walk-through.sh`, origin, 'pt_wrong']).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 22, stdout: expect.stringContaining('INVALID_API_KEY') })
  })
})
