/**
 * `papertape diff` on a run beside itself, and beside copies that are not whole.
 */
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunDifference } from '../../src/report/run-difference/run-difference.ts'
import { expectInputError } from './rig/cli-result.ts'
import { cliFolderHere } from './rig/cli-here.ts'
import { BUY_AND_HOLD, TRADES } from './rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

async function difference(a: string, b: string, ...flags: string[]): Promise<RunDifference> {
  const { code, stdout, stderr } = await cli('diff', a, b, '--json', ...flags)
  const reported = JSON.parse(stdout) as RunDifference
  expect({ code, stderr }).toEqual({ code: reported.isSame ? 0 : 1, stderr: '' })
  return reported
}

/** A copy of a run, changed. */
function copy(name: string, change: (directory: string) => void): string {
  cpSync(join(folder, 'held'), join(folder, name), { recursive: true })
  change(join(folder, name))
  return name
}

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
  const args = ['backtest', 'hold.js', '--tape', 'A_USD=tape.csv', '--no-bounds', '--quiet', '--out', 'held']
  expect(await cli(...args)).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('papertape diff', () => {
  it.concurrent('says that runs are the same, with exit code 0', async () => {
    const { code, stdout, stderr } = await cli('diff', 'held', 'held')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^the runs are identical: 1 request, with the same answers and fills at the same\n {2}times\n/,
    )
  })

  it.concurrent('reads a session that was killed: without a report, the last line half written', async () => {
    const killed = copy('killed', (directory) => {
      rmSync(join(directory, 'run.json'))
      const path = join(directory, 'journal.jsonl')
      const lines = readFileSync(path, 'utf8').split('\n')
      writeFileSync(path, lines.slice(0, lines.length >> 1).join('\n'))
      appendFileSync(path, '\n{"t":17')
    })
    const { runs, cause, totals } = await difference('held', killed)
    expect(runs.b).toMatchObject({ hasReport: false, isEnded: false, isCut: true })
    expect(cause?.kind).toBe('end')
    expect(totals.b.finalEquity).toBeNull()
    expect((await cli('diff', killed, 'held')).stdout.replace(/\n +/g, ' ')).toContain(
      'the last line of its journal is incomplete',
    )
  })

  it.concurrent('reads a journal without a line, and one without its last line end', async () => {
    const empty = copy('empty', (directory) => {
      rmSync(join(directory, 'run.json'))
      writeFileSync(join(directory, 'journal.jsonl'), '')
    })
    expect((await difference('held', empty)).totals.b).toMatchObject({ requests: 0, fills: 0, answerMs: null })
    const bare = copy('bare', (directory) => {
      const path = join(directory, 'journal.jsonl')
      writeFileSync(path, readFileSync(path, 'utf8').trimEnd())
    })
    expect(await difference('held', bare)).toMatchObject({ isSame: true, runs: { b: { isCut: false } } })
  })

  it.concurrent('takes a report of another version, and names the version', async () => {
    const other = copy('other', (directory) => {
      const path = join(directory, 'run.json')
      const report = JSON.parse(readFileSync(path, 'utf8'))
      writeFileSync(path, JSON.stringify({ ...report, statistics: undefined, version: '9.0.0', more: [1] }))
    })
    const { settings, isSame, cause, totals } = await difference('held', other)
    expect({ isSame, cause, names: settings.map(({ setting }) => setting) }).toEqual({
      isSame: false,
      cause: null,
      names: ['version'],
    })
    expect(totals.b.return).toBeNull()
  })

  it.concurrent.each`
    why                            | change                                                                                       | line
    ${'a half line in the middle'} | ${(path: string) => writeFileSync(join(path, 'journal.jsonl'), '{"t":1\n{"t":1,"type":"end"}\n')} | ${'half/journal.jsonl:1: is not JSON'}
    ${'a report that is no JSON'}  | ${(path: string) => writeFileSync(join(path, 'run.json'), '{')}                              | ${'half/run.json: is not JSON'}
    ${'a report of something'}     | ${(path: string) => writeFileSync(join(path, 'run.json'), '[]')}                             | ${'half/run.json: is not a run'}
  `('$why', async ({ why, change, line }) => {
    const name = String(why).replaceAll(' ', '-')
    copy(name, change)
    const result = await cli('diff', 'held', name)
    expectInputError({ ...result, stderr: result.stderr.replace(name, 'half') }, line)
  })

  it.concurrent.each`
    args                  | line
    ${'held none'}       | ${'none/journal.jsonl: no such file; expected a directory of a run'}
    ${'held'}            | ${'diff: expected <b>; see papertape diff --help'}
    ${'held held --al'} | ${'unknown flag --al; did you mean --all?'}
    ${'held held --json=1'} | ${"--json: expected no value, got '1'"}
  `('papertape diff $args: $line', async ({ args, line }) => {
    expectInputError(await cli('diff', ...args.split(' ')), line)
  })

  it.concurrent('names the runs of a session of several strategies', async () => {
    mkdirSync(join(folder, 'several'))
    copy(join('several', 'grid'), () => undefined)
    expectInputError(
      await cli('diff', 'several', 'held'),
      'several/journal.jsonl: no such file; expected a directory of a run, as there is several/grid',
    )
  })
})
