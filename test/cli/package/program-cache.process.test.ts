/**
 * Compiled code of the program is kept in the user's cache folder. Whatever state that folder is in, a command does the
 * same.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { TRADES } from '../rig/sample-files.ts'

const { folder, write } = cliFolder()
const BACKTEST = ['backtest', 'sma-cross', '--tape', 'A_USD=tape.csv']

let caches = 0
const newCache = (): string => join(folder, `cache-${(caches += 1)}`)
const entries = (cache: string): string[] => {
  const program = join(cache, 'papertape/program')
  return readdirSync(program)
    .sort()
    .map((name) => join(program, name))
}
/** A file that was written again has another inode, since it is renamed into its place. */
const inodes = (cache: string): number[] => entries(cache).map((path) => statSync(path).ino)

const run = (cache: string, ...args: readonly string[]) => runCli(args, { cwd: folder, env: { XDG_CACHE_HOME: cache } })

beforeAll(() => {
  write(TRADES, 'tape.csv')
})

describe.skipIf(process.platform === 'win32')('the compiled program', () => {
  it('is kept by the first start of a command, for each of its threads, and not written again by the next', async () => {
    const cache = newCache()
    const first = await run(cache, ...BACKTEST)
    // Scripts `front` and `run`, in the thread of the run.
    const kept = inodes(cache)
    const second = await run(cache, ...BACKTEST)
    expect(first.code).toBe(0)
    expect(second.stdout).toBe(first.stdout)
    expect([kept.length, inodes(cache)]).toEqual([2, kept])
  })

  it('is compiled and kept again where an entry was spoiled', async () => {
    const cache = newCache()
    const first = await run(cache, ...BACKTEST)
    for (const path of entries(cache)) {
      const bytes = readFileSync(path)
      bytes.fill(0x5a, bytes.length >> 1)
      writeFileSync(path, bytes)
    }
    const second = await run(cache, ...BACKTEST)
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 0, stdout: first.stdout })
    expect(
      entries(cache).filter((path) =>
        readFileSync(path)
          .subarray(-64)
          .every((byte) => byte === 0x5a),
      ),
    ).toEqual([])
  })

  it('is not kept where a file is in the way, and the command runs', async () => {
    const cache = newCache()
    mkdirSync(join(cache, 'papertape'), { recursive: true })
    writeFileSync(join(cache, 'papertape/program'), '')
    const { code, stdout } = await run(cache, ...BACKTEST)
    expect([code, stdout]).toEqual([0, expect.stringContaining('digest sha256:')])
  })

  it('includes the strategies of the package and their copies, so that only an edited one is compiled', async () => {
    const cache = newCache()
    const compiled = (): string[] => readdirSync(join(cache, 'papertape/compiled'))
    await run(cache, ...BACKTEST)
    const text = readFileSync(new URL('../../../strategies/sma-cross.ts', import.meta.url), 'utf8')
    write(text, 'copy.ts')
    write(text.replace('Moving average', 'Averages'), 'edited.ts')
    const { stdout } = await run(cache, 'backtest', 'copy.ts', '--tape', 'A_USD=tape.csv')
    expect([stdout, compiled()]).toEqual([expect.stringContaining('digest sha256:'), []])
    await run(cache, 'backtest', 'edited.ts', '--tape', 'A_USD=tape.csv')
    expect(compiled()).toHaveLength(1)
  })

  it('is neither read nor kept by verify, in any of its threads', async () => {
    await run(newCache(), ...BACKTEST, '--out', 'out')
    const cache = newCache()
    const { code } = await run(cache, 'verify', 'out')
    expect([code, existsSync(join(cache, 'papertape/program'))]).toEqual([0, false])
  })
})
