/**
 * A directory that holds a run is replaced only when that was said, and nothing else ever is.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const RUN = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--quiet']
const reportOf = (directory: string): string => readFileSync(join(folder, directory, 'run.json'), 'utf8')

/** Its fills are elsewhere. */
function link(at: string): void {
  renameSync(join(at, 'fills.csv'), `${at}.csv`)
  symlinkSync(`${at}.csv`, join(at, 'fills.csv'))
}

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

describe('--out', () => {
  it.concurrent('where a run is, is refused, and the run left as it was; --force replaces it', async () => {
    await cli(...RUN, '--out', 'run')
    const before = reportOf('run')
    expectInputError(
      await cli(...RUN, '--out', 'run', '--seed', '2'),
      "--out: 'run' already has a run: use another directory, or overwrite it with --force",
    )
    expect(reportOf('run')).toBe(before)
    expect(await cli(...RUN, '--out', 'run', '--seed', '2', '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(reportOf('run')).not.toBe(before)
    expect(await cli('verify', 'run')).toMatchObject({ code: 0 })
  })

  it.concurrent('is refused before a tape is read', async () => {
    await cli(...RUN, '--out', 'early')
    expectInputError(
      await cli('backtest', 'hold.js', '--tape', 'A_USD=none.csv', '--out', 'early'),
      /^--out: 'early' already has a run/,
    )
  })

  it.concurrent('in a config file may say force, too', async () => {
    await cli(...RUN, '--out', 'again')
    write('{ "out": "again", "force": true }', 'force.json')
    expect(await cli(...RUN, '--config', 'force.json')).toMatchObject({ code: 0, stderr: '' })
    expectInputError(await cli(...RUN, '--config', 'force.json', '--no-force'), /already has a run/)
  })

  it.concurrent.each`
    title                   | make                                                        | line
    ${'a foreign file'}     | ${(at: string) => writeFileSync(join(at, 'mine.txt'), '')}  | ${/has 'mine\.txt', which is not a file of a run: use another directory$/}
    ${'half a run'}         | ${(at: string) => rmSync(join(at, 'run.json'))}             | ${/has 'candles\.csv.*' but no 'run\.json', as if a session were running or was killed: use another directory$/}
    ${'a linked file'}      | ${(at: string) => link(at)} | ${/has 'fills\.csv', which is not a file of a run/}
    ${'a folder in it'}     | ${(at: string) => mkdirSync(join(at, 'more'))}              | ${/has 'more', which is not a file of a run/}
    ${'a report of others'} | ${(at: string) => writeFileSync(join(at, 'run.json'), '{}')} | ${/has a 'run\.json' of something else: use another directory$/}
  `('with $title is refused even with --force', async ({ title, make, line }) => {
    const out = String(title).replaceAll(' ', '-')
    await cli(...RUN, '--out', out)
    ;(make as (at: string) => void)(join(folder, out))
    expectInputError(await cli(...RUN, '--out', out, '--force'), line)
  })

  it.concurrent('that is a link to a run is refused even with --force', async () => {
    await cli(...RUN, '--out', 'linked')
    symlinkSync('linked', join(folder, 'link'))
    const before = reportOf('linked')
    expectInputError(
      await cli(...RUN, '--out', 'link', '--force'),
      "--out: 'link' is a link: give the directory itself",
    )
    expect(reportOf('linked')).toBe(before)
  })

  it.concurrent('that is empty needs no --force, nor does one that is not there', async () => {
    mkdirSync(join(folder, 'empty'))
    expect(await cli(...RUN, '--out', 'empty')).toMatchObject({ code: 0 })
    expect(await cli(...RUN, '--out', 'new/er', '--force')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'new/er/run.json'))).toBe(true)
  })
})
