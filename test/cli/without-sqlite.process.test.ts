/**
 * Without better-sqlite3 everything works, except a database on Node 20, whose commands say in one line what to do.
 */
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { withoutPackage } from './rig/hidden-package.ts'
import { expectInputError, type CliResult } from './rig/cli-result.ts'
import { cliFolder, runCli } from './rig/run-cli.ts'
import { BUY_AND_HOLD, TRADES } from './rig/sample-files.ts'
import { servers } from './rig/serving.ts'
import { nodeSqlite } from '../../src/store/database/node-sqlite.ts'

const { write, folder } = cliFolder()
const serving = servers()
const options = { cwd: folder, nodeFlags: [withoutPackage('better-sqlite3')] }
const cli = (...args: string[]): Promise<CliResult> => runCli(args, options)

const VERSION = process.version < 'v22' ? '@12, which may compile for one to two minutes' : ''
const REFUSED = `needs the package better-sqlite3: run npm install better-sqlite3${VERSION}`

/** This Node opens databases itself. */
const hasOwn = nodeSqlite() !== undefined

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  const backtest = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--quiet', '--out', 'held']
  expect(await cli(...backtest)).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('without better-sqlite3', () => {
  it.concurrent.each([
    ['backtest', ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv'], /^digest sha256:[0-9a-f]{64}$/m],
    ['verify', ['verify', 'held'], /^verified: sha256:/],
    ['diff', ['diff', 'held', 'held'], /^the runs are identical/],
    ['why', ['why', 'held', 'ref:1'], /buy 1 A_USD at market/],
    ['generate', ['generate', '--days', '1', '--out', 'made.csv'], /^$/],
    ['strategies', ['strategies'], /sma-cross/],
  ])('%s works', async (_, args, said) => {
    const { code, stdout } = await cli(...args)
    expect(code).toBe(0)
    expect(stdout).toMatch(said)
  })

  it('a run replaces another', async () => {
    const again = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--quiet', '--out', 'twice']
    expect(await cli(...again)).toMatchObject({ code: 0, stderr: '' })
    expect(await cli(...again, '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(folder).filter((name) => name.includes('twice'))).toEqual(['twice'])
  })

  it('serve works', async () => {
    const { baseUrl } = await serving(['--json'], options).line()
    expect((await fetch(new URL('/health', baseUrl))).status).toBe(200)
  })

  it('import writes a file of blocks, which a backtest plays, and no store', async () => {
    expect(await cli('import', 'A_USD=tape.csv', '--out', 'blocks.tape', '--quiet')).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect((await cli('backtest', 'hold.js', '--tape', 'blocks.tape', '--quiet')).code).toBe(0)
  })

  it.runIf(hasOwn)('a store is written and read, and no warning is printed', async () => {
    expect(await cli('import', 'A_USD=tape.csv', '--db', 'own.db', '--quiet')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    const kept = await cli('backtest', 'hold.js', '--tape', 'A_USD=own.db', '--db', 'own.db', '--quiet')
    expect(kept).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await cli('runs', '--db', 'own.db')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe.skipIf(hasOwn)('without any SQLite', () => {
  it('import --db is refused, and leaves nothing', async () => {
    expectInputError(await cli('import', 'A_USD=tape.csv', '--db', 'tapes.db'), `tapes.db: ${REFUSED}`)
    expect(readdirSync(folder).filter((name) => name.includes('tapes'))).toEqual([])
  })

  it('runs and backtest --db are refused, and leave nothing', async () => {
    expectInputError(
      await cli('backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--db', 'kept.db'),
      `kept.db: ${REFUSED}`,
    )
    write('SQLite format 3', 'runs.db')
    expectInputError(await cli('runs', '--db', 'runs.db'), /^runs\.db: is not a papertape database/)
    expect(readdirSync(folder).filter((name) => name.includes('kept'))).toEqual([])
  })

  it('serve --state is refused, and leaves nothing', async () => {
    expectInputError(await cli('serve', '--port', '0', '--state', 'exchange.db'), `exchange.db: ${REFUSED}`)
    expect(readdirSync(folder).filter((name) => name.includes('exchange'))).toEqual([])
  })
})
