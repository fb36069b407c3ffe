import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-counts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const counts = (file: string): string =>
  execFileSync(process.execPath, ['scripts/test-counts.mjs', file], { encoding: 'utf8' }).trim()

/** A report with one file of tests a line: the file's status, then those of its tests. */
function reportOf(lines: string[]): string {
  const testResults = lines.map((line) => {
    const [status, ...tests] = line.split(' ')
    return { status, assertionResults: tests.map((test) => ({ status: test })) }
  })
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify({ testResults }))
  return file
}

it.each`
  lines                                        | expected   | why
  ${['passed passed passed', 'passed passed']} | ${'3 0 0'} | ${'adds up the files'}
  ${['failed passed failed', 'passed passed']} | ${'2 1 0'} | ${'a failed test is counted once, not again for its file'}
  ${['passed passed skipped todo pending']}    | ${'1 0 3'} | ${'whatever did not run is skipped'}
  ${['passed passed', 'failed']}               | ${'1 1 0'} | ${'a file that does not load is a failure'}
  ${['passed passed', 'failed skipped']}       | ${'1 1 1'} | ${'so is one whose set-up fails'}
  ${[]}                                        | ${'0 1 0'} | ${'no test is a failure'}
  ${['passed skipped']}                        | ${'0 1 1'} | ${'only skipped tests show nothing'}
`('$lines gives $expected: $why', ({ lines, expected }) => expect(counts(reportOf(lines as string[]))).toBe(expected))

it('counts a missing report as a failure', () => {
  expect(counts(join(folder, 'none.json'))).toBe('0 1 0')
})
