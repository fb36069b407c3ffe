import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder, expectInputError, runCli, type CliResult } from './rig/run-cli.ts'
import { BUY_AND_HOLD, IDEAL, TRADES } from './rig/sample-files.ts'

const { cli, write, folder } = cliFolder()

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
  // run.json knows its tape and strategy by their absolute paths.
  writeFileSync(
    path('run/run.json'),
    readFileSync(path('run/run.json'), 'utf8').replaceAll(join(folder, 'original'), own),
  )
  const recorded = { folder: own, path, verify: () => runCli(['verify', 'run'], { cwd: own }) }
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
  expect(await runCli(args, { cwd: own })).toEqual({ code: 0, stdout: '', stderr: '' })
  digest = JSON.parse(readFileSync(join(own, 'run', 'run.json'), 'utf8')).digest
})

describe('a run that is the same again', () => {
  it.concurrent('is verified, with its digest on stdout', async () => {
    const { code, stdout, stderr } = await verifyAfter(() => undefined)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `verified: ${digest}\n`, stderr: '' })
  })

  it.concurrent('from another working directory, and after its directory has moved', async () => {
    const { folder: own } = await verifyAfter(({ path }) => renameSync(path('run'), path('moved')))
    const result = await runCli(['verify', join(own, 'moved')], { cwd: tmpdir() })
    expect(result).toEqual({ code: 0, stdout: `verified: ${digest}\n`, stderr: '' })
  })

  it.concurrent('of a ready strategy needs no path of it', async () => {
    const out = join(folder, 'ready')
    const flags = ['--param', 'interval=1s', '--param', 'fast=1', '--param', 'slow=2', '--quiet', '--out', out]
    await cli('backtest', 'sma-cross', '--tape', `A_USD=${join(folder, 'original/tape.csv')}`, ...flags)
    expect(await runCli(['verify', out], { cwd: tmpdir() })).toMatchObject({ code: 0, stderr: '' })
  })

  it.concurrent('even when its strategy failed', async () => {
    const throws = BUY_AND_HOLD.replace('first(),', "map(() => { throw new Error('no') }),")
    write(throws, 'throws.js')
    const tape = `A_USD=${join(folder, 'original/tape.csv')}`
    expect(await cli('backtest', 'throws.js', '--tape', tape, '--quiet', '--out', 'failed')).toMatchObject({ code: 1 })
    expect(await cli('verify', 'failed')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a journal that differs: exit code 1 and the first line that does', () => {
  it.concurrent.each`
    change                                                                                    | line  | was                           | is                                | why
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), '"MARKET","qty":"2"', '"MARKET","qty":"3"')}       | ${3}  | ${/"type":"place".*"qty":"3"/} | ${/"type":"place".*"qty":"2"/}    | ${'a value'}
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), /.*"acknowledged".*\n/, '')}     | ${4}  | ${/"type":"order"/}           | ${/"type":"acknowledged"/}        | ${'a line is gone'}
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), /.*"end".*\n/, '')}              | ${9}  | ${/^\(no line\)$/}            | ${/"type":"end"/}                 | ${'the last line is gone'}
    ${({ path }: Recorded) => appendFileSync(path('run/journal.jsonl'), '{"t":1}\n')}          | ${10} | ${/^\{"t":1\}$/}              | ${/^\(no line\)$/}                | ${'a line too many'}
    ${({ path }: Recorded) => writeFileSync(path('run/journal.jsonl'), '')}                   | ${1}  | ${/^\(no line\)$/}            | ${/"type":"run"/}                 | ${'empty'}
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), /\n$/, '')}                     | ${9}  | ${/"end".* \(no line end\)$/} | ${/"type":"end".*\}$/}            | ${'its last line end is gone'}
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), '"credit"', '"credit" ')}        | ${2}  | ${/"credit" ,/}               | ${/"credit",/}                    | ${'the same JSON in other bytes'}
    ${({ path }: Recorded) => edit(path('run/journal.jsonl'), /\n/, '\r\n')}                   | ${1}  | ${/\\r$/}                     | ${/\}$/}                          | ${'line ends of another kind'}
  `('$why', async ({ change, line, was, is }) => {
    const { code, stdout, stderr } = await verifyAfter(change)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [place, before, now] = stderr.trimEnd().split('\n')
    expect(place).toBe(`run/journal.jsonl:${line}: the journals differ`)
    expect(before?.replace(/^ {2}was /, '')).toMatch(was)
    expect(now?.replace(/^ {2}is {2}/, '')).toMatch(is)
  })

  it.concurrent('a digest that was changed', async () => {
    const { code, stderr } = await verifyAfter(({ path }) => edit(path('run/run.json'), digest, 'sha256:00'))
    expect(stderr).toBe(`the journal is the same, but its digest is ${digest} and run.json has sha256:00\n`)
    expect(code).toBe(1)
  })

  it.concurrent('a setting that was changed, which the first line of the journal holds', async () => {
    const { code, stderr } = await verifyAfter(({ path }) => edit(path('run/run.json'), '"7.5"', '"8"'))
    expect(stderr).toMatch(/^run\/journal\.jsonl:1: the journals differ\n.*"takerFeeBps":"7\.5".*\n.*"takerFeeBps":"8"/)
    expect(code).toBe(1)
  })

  it.concurrent('another version of papertape is told, since it may be why', async () => {
    const { stderr } = await verifyAfter(({ path }) => {
      edit(path('run/run.json'), /"version": "[^"]+"/, '"version": "0.0.1"')
      edit(path('run/journal.jsonl'), '"MARKET","qty":"2"', '"MARKET","qty":"3"')
    })
    expect(stderr).toMatch(/\nit was run by papertape 0\.0\.1, and this is \d+\.\d+\.\d+\n$/)
  })
})

describe('what is not the same any more cannot be compared: exit code 2', () => {
  it.concurrent.each`
    change                                                                              | line                                                                                       | why
    ${({ path }: Recorded) => appendFileSync(path('tape.csv'), '7,1700000180000,102,1,true\n')} | ${/^\S+\/tape\.csv: is not the same any more: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/} | ${'the tape'}
    ${({ path }: Recorded) => writeFileSync(path('tape.gaps.csv'), 'from,to,why\n')} | ${/^\S+\/tape\.gaps\.csv: is not the same any more: expected sha256 none, got [0-9a-f]{64}$/} | ${'its gaps'}
    ${({ path }: Recorded) => appendFileSync(path('hold.js'), '// a comment\n')}          | ${/^\S+\/hold\.js: is not the same any more: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/} | ${'the strategy'}
    ${({ path }: Recorded) => renameSync(path('tape.csv'), path('elsewhere.csv'))}       | ${/^\S+\/tape\.csv: no such file$/}                                                         | ${'the tape is gone'}
    ${({ path }: Recorded) => rmSync(path('hold.js'))}                                  | ${/^\S+\/hold\.js: no such strategy file/}                                                  | ${'the strategy is gone'}
    ${({ path }: Recorded) => rmSync(path('run/journal.jsonl'))}                        | ${'run/journal.jsonl: cannot be read'}                                                      | ${'the journal is gone'}
    ${({ path }: Recorded) => rmSync(path('run/run.json'))}                             | ${'run/run.json: no such file; expected a directory written by backtest --out'}             | ${'run.json is gone'}
    ${({ path }: Recorded) => truncateSync(path('run/run.json'), 100)}                  | ${'run/run.json: is not JSON'}                                                              | ${'run.json is cut'}
    ${({ path }: Recorded) => writeFileSync(path('run/run.json'), '[]')}                | ${'run/run.json: Invalid input: expected object, received array'}                           | ${'run.json is no run'}
    ${({ path }: Recorded) => writeFileSync(path('run/run.json'), '{"version":"1"}')}   | ${/^run\/run\.json strategy: Invalid input/}                                                | ${'run.json is something else'}
    ${({ path }: Recorded) => edit(path('run/run.json'), '"orderLatencyMs": 700', '"orderLatencyMs": -700')} | ${/^run\/run\.json config\.orderLatencyMs: Too small/}                 | ${'a setting that no run has'}
    ${({ path }: Recorded) => edit(path('run/run.json'), '"qty": "2"', '"qtty": "2"')}  | ${/^--param qtty: strategy 'buy-and-hold' has no such parameter/}                           | ${'a parameter that it does not have'}
  `('$why', async ({ change, line }) => expectInputError(await verifyAfter(change), line))

  it.concurrent('a directory that is none', async () => {
    const line = 'none/run.json: no such file; expected a directory written by backtest --out'
    expectInputError(await cli('verify', 'none'), line)
  })
})
