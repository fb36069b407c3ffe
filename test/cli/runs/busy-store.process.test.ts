/**
 * A run that is to be kept in a store into which another process writes.
 */
import { Database } from '../../database.ts'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Living } from '../rig/living.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { BUY_AND_HOLD, IDEAL, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolder()
const TAPE = ['--tape', 'A_USD=tape.csv', ...IDEAL]

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

const kept = async (db: string): Promise<readonly unknown[]> =>
  JSON.parse((await cli('runs', '--db', db, '--json')).stdout)

/** Ids by their width. */
const plain = (text: string): string => text.replaceAll(/\b[0-9a-f]{8}\b/g, 'IDIDIDID')

describe('a store that another process writes into', () => {
  it.concurrent('is waited for, and loses nothing', async () => {
    await cli('backtest', 'hold.js', ...TAPE, '--db', 'busy.db', '--quiet')
    const other = new Database(join(folder, 'busy.db'))
    other.exec('BEGIN IMMEDIATE')
    const args = ['hold.js', ...TAPE, '--db', 'busy.db', '--param', 'qty=3']
    const waiting = new Living(args, { cwd: folder, env: {} }, 'backtest')
    waiting.child.stderr?.once('data', () => setTimeout(() => other.close(), 2_000))
    const code = await waiting.ended()
    expect({ code, stderr: plain(waiting.stderr) }).toEqual({
      code: 0,
      stderr:
        "busy.db: another process is writing to it; waiting up to 10 s\nsaved in busy.db as IDIDIDID; trial 2 of 'buy-and-hold' on this tape\n",
    })
    expect(await kept('busy.db')).toHaveLength(2)
  })

  it.concurrent('puts a run beside a store that stays busy, and says how it gets there', async () => {
    await cli('backtest', 'hold.js', ...TAPE, '--db', 'held.db', '--quiet')
    const other = new Database(join(folder, 'held.db'))
    other.exec('BEGIN IMMEDIATE')
    const { code, stdout, stderr } = await cli('backtest', 'hold.js', ...TAPE, '--db', 'held.db', '--param', 'qty=4')
    other.close()
    expect(code).toBe(2)
    expect(stdout).toContain('digest sha256:')
    const [, reported = ''] = stderr.trimEnd().split('\n')
    expect(plain(reported)).toBe(
      'papertape: held.db: another process is writing to it: wait until it has finished; the run was not saved there; the run is in held.db.run-IDIDIDID: save it with papertape runs add held.db.run-IDIDIDID --db held.db',
    )
    const [, ...args] = /papertape (.*)$/.exec(reported)?.[1]?.split(' ') ?? []
    expect((await cli('runs', ...args)).code).toBe(0)
    expect(await kept('held.db')).toHaveLength(2)
  })
})
