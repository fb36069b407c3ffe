import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealedText } from '../../src/store/runs/run-seal.ts'
import { expectInputError, type CliResult } from './rig/cli-result.ts'
import { cliFolderHere, cliHere } from './rig/cli-here.ts'
import { BUY_AND_HOLD, IDEAL, TRADES } from './rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

/** A copy of a good run, its tape and its strategy, in a folder of its own. */
interface Recorded {
  readonly folder: string
  readonly verify: () => Promise<CliResult>
  /** Path of one of its files. */
  readonly path: (file: string) => string
}

let copies = 0

/** Changes what `change` changes, and verifies. */
async function verifyAfter(change: (recorded: Recorded) => void): Promise<CliResult & Recorded> {
  copies += 1
  const own = join(folder, `copy-${copies}`)
  cpSync(join(folder, 'original'), own, { recursive: true })
  const path = (file: string): string => join(own, file)
  // run.json knows its tape and strategy by their absolute paths, and is sealed.
  const text = readFileSync(path('run/run.json'), 'utf8').replaceAll(join(folder, 'original'), own)
  const { filesDigest, files, ...report } = JSON.parse(text)
  expect(filesDigest).toMatch(/^sha256:/)
  writeFileSync(path('run/run.json'), sealedText(report, files))
  const recorded = { folder: own, path, verify: () => cliHere(['verify', 'run'], { cwd: own }) }
  change(recorded)
  return { ...recorded, ...(await recorded.verify()) }
}

const edit = (path: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(from)
  writeFileSync(path, text.replace(from, to))
}

let digest: string

beforeAll(async () => {
  const own = join(folder, 'original')
  cpSync(write(TRADES), join(own, 'tape.csv'))
  cpSync(write(BUY_AND_HOLD), join(own, 'hold.js'))
  const flags = ['--param', 'qty=2', '--taker-fee', '7.5', '--order-latency', '700', '--no-limits', '--seed', '3']
  const window = ['--from', '2023-11-14T22:13:21Z', '--to', '2023-11-14T22:15:00Z', '--qty-precision', '3']
  const args = [
    'backtest',
    'hold.js',
    '--tape',
    'A_USD=tape.csv',
    ...IDEAL,
    ...flags,
    ...window,
    '--quiet',
    '--out',
    'run',
  ]
  expect(await cliHere(args, { cwd: own })).toEqual({ code: 0, stdout: '', stderr: '' })
  digest = JSON.parse(readFileSync(join(own, 'run', 'run.json'), 'utf8')).digest
})

describe('a run that is the same again', () => {
  it.concurrent('is verified, with its digest on stdout', async () => {
    const { code, stdout, stderr } = await verifyAfter(() => undefined)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `verified: ${digest}\n`, stderr: '' })
  })

  it.concurrent('from another working directory, and after its directory has moved', async () => {
    const { folder: own } = await verifyAfter(({ path }) => renameSync(path('run'), path('moved')))
    const result = await cliHere(['verify', join(own, 'moved')], { cwd: tmpdir() })
    expect(result).toEqual({ code: 0, stdout: `verified: ${digest}\n`, stderr: '' })
  })

  it.concurrent('of a ready strategy needs no path of it', async () => {
    const out = join(folder, 'ready')
    const flags = ['--param', 'interval=1s', '--param', 'fast=1', '--param', 'slow=2', '--quiet', '--out', out]
    await cli('backtest', 'sma-cross', '--tape', `A_USD=${join(folder, 'original/tape.csv')}`, ...flags)
    expect(await cliHere(['verify', out], { cwd: tmpdir() })).toMatchObject({ code: 0, stderr: '' })
  })

  it.concurrent('even when its strategy failed', async () => {
    const throws = BUY_AND_HOLD.replace('first(),', "map(() => { throw new Error('no') }),")
    write(throws, 'throws.js')
    const tape = `A_USD=${join(folder, 'original/tape.csv')}`
    expect(await cli('backtest', 'throws.js', '--tape', tape, '--quiet', '--out', 'failed')).toMatchObject({ code: 1 })
    expect(await cli('verify', 'failed')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a run that differs: exit code 1', () => {
  it.concurrent('the file that was changed, and the first line that differs from the repeat', async () => {
    const { code, stdout, stderr } = await verifyAfter(({ path }) => {
      edit(path('run/journal.jsonl'), '"MARKET","qty":"2"', '"MARKET","qty":"3"')
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [fault, place, before, now, ...more] = stderr.trimEnd().split('\n')
    expect(fault).toMatch(/^run\/journal\.jsonl: was changed after the run: expected sha256 [0-9a-f]{64}, got/)
    expect(place).toBe('run/journal.jsonl:3: the repeat differs')
    expect([before, now]).toEqual([
      expect.stringMatching(/^ {2}was .*"type":"place".*"qty":"3"/),
      expect.stringMatching(/^ {2}is {2}.*"type":"place".*"qty":"2"/),
    ])
    expect(more).toEqual([])
  })

  it.concurrent('a setting that was changed, which the first line of the journal holds', async () => {
    const { code, stderr } = await verifyAfter(({ path }) => edit(path('run/run.json'), '"7.5"', '"8"'))
    expect(stderr).toMatch(/^run\/run\.json: was changed after the run/)
    expect(stderr).toMatch(/\nrun\/journal\.jsonl:1: the repeat differs\n.*"takerFeeBps":"7\.5".*\n.*"takerFeeBps":"8"/)
    expect(code).toBe(1)
  })

  it.concurrent('another version of papertape is reported, since it may be why', async () => {
    const { stderr } = await verifyAfter(({ path }) => {
      edit(path('run/run.json'), /"version": "[^"]+"/, '"version": "0.0.1"')
    })
    expect(stderr).toMatch(/\nthe run was made by papertape 0\.0\.1; this is \d+\.\d+\.\d+\n$/)
  })

  it.concurrent.each`
    change                                                               | line                                                              | why
    ${({ path }: Recorded) => rmSync(path('run/journal.jsonl'))}         | ${/^run\/journal\.jsonl: is missing\nrun\/journal\.jsonl:1: the/} | ${'the journal is gone'}
    ${({ path }: Recorded) => truncateSync(path('run/run.json'), 100)}   | ${/\nit cannot be run again: run\/run\.json: is not JSON\n$/}      | ${'run.json is cut'}
    ${({ path }: Recorded) => writeFileSync(path('run/run.json'), '[]')} | ${/^run\/run\.json: has no digest of the files of the run.*\nit cannot be run again: run\/run\.json: Invalid input: expected object, received array: changed, or of another version of papertape\n$/} | ${'run.json is no run'}
    ${({ path }: Recorded) => edit(path('run/run.json'), '"qty": "2"', '"qtty": "2"')} | ${/\nit cannot be run again: params\.qtty: strategy 'buy-and-hold' has no such parameter/} | ${'a parameter that it does not have'}
  `('$why', async ({ change, line }) => {
    const { code, stdout, stderr } = await verifyAfter(change)
    expect(stderr).toMatch(line)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

it.concurrent('a file that is none of the run is reported, and the run is verified', async () => {
  const { code, stdout, stderr } = await verifyAfter(({ path }) => writeFileSync(path('run/notes.txt'), 'mine'))
  expect(stderr).toBe('run/notes.txt: not a file of the run, so it was not compared\n')
  expect({ code, stdout }).toEqual({ code: 0, stdout: `verified: ${digest}\n` })
})

describe('what is not the same any more cannot be compared: exit code 2', () => {
  it.concurrent.each`
    change                                                                              | line                                                                                       | why
    ${({ path }: Recorded) => appendFileSync(path('tape.csv'), '7,1700000180000,102,1,true\n')} | ${/^\S+\/tape\.csv: has changed: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/} | ${'the tape'}
    ${({ path }: Recorded) => writeFileSync(path('tape.gaps.csv'), 'from,to,why\n')} | ${/^\S+\/tape\.gaps\.csv: has changed: expected sha256 none, got [0-9a-f]{64}$/} | ${'its gaps'}
    ${({ path }: Recorded) => appendFileSync(path('hold.js'), '// a comment\n')}          | ${/^\S+\/hold\.js: has changed: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/} | ${'the strategy'}
    ${({ path }: Recorded) => renameSync(path('tape.csv'), path('elsewhere.csv'))}       | ${/^\S+\/tape\.csv: no such file$/}                                                         | ${'the tape is gone'}
    ${({ path }: Recorded) => rmSync(path('hold.js'))}                                  | ${/^\S+\/hold\.js: no such file, and no ready strategy has this name/}                                                  | ${'the strategy is gone'}
    ${({ path }: Recorded) => rmSync(path('run/run.json'))}                             | ${/^run: has a journal and no report: the session was killed or is still running/} | ${'run.json is gone'}
  `('$why', async ({ change, line }) => expectInputError(await verifyAfter(change), line))

  it.concurrent('a directory that is none', async () => {
    const line = 'none/run.json: no such file; expected a directory written by backtest --out'
    expectInputError(await cli('verify', 'none'), line)
  })
})
