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

const reported = (...args: readonly string[]): readonly string[] =>
  execFileSync(process.execPath, ['scripts/test-counts.mjs', ...args], { encoding: 'utf8' })
    .trim()
    .split('\n')

/** A report with one file of tests a line: the file's status, then those of its tests. */
function reportOf(lines: string[]): string {
  const testResults = lines.map((line, index) => {
    const [status, ...tests] = line.split(' ')
    return {
      name: `${process.cwd()}/test/${index}.test.ts`,
      status,
      message: tests.length === 0 ? 'cannot be loaded\nat once' : '',
      assertionResults: tests.map((test, number) => ({
        status: test,
        fullName: `is\n${number}`,
        failureMessages: test === 'failed' ? ['\u001b[31mError: expected 1\u001b[39m\n    at here'] : [],
      })),
    }
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
`('$lines gives $expected: $why', ({ lines, expected }) =>
  expect(reported(reportOf(lines as string[]))[0]).toBe(expected),
)

it('counts a missing report as a failure', () => {
  expect(reported(join(folder, 'none.json'))).toEqual(['0 1 0'])
})

it('names what failed, with the first line of why', () => {
  expect(reported(reportOf(['failed passed failed', 'passed passed', 'failed', 'failed skipped']))).toEqual([
    '2 3 1',
    'test/0.test.ts > is 1: Error: expected 1',
    'test/2.test.ts: cannot be loaded',
    'test/3.test.ts: what stands before or behind its tests failed',
  ])
})

it('names the files in which something failed, to run them once more', () => {
  expect(reported('--failed', reportOf(['failed passed failed', 'passed passed', 'failed']))).toEqual([
    'test/0.test.ts',
    'test/2.test.ts',
  ])
})

const PRINTED = `
\u001b[32m\u2713\u001b[39m process test/uses/one.process.test.ts (4 tests)

\u23af\u23af Unhandled Errors \u23af\u23af

Vitest caught 1 unhandled error during the test run.
\u23af\u23af Unhandled Rejection \u23af\u23af
Error: no such program
 \u276f test/uses/one.process.test.ts:5:3
This error originated in "\u001b[1mtest/uses/one.process.test.ts\u001b[22m" test file. It does not mean more.
\u23af\u23af
 Test Files  80 passed (80)
`

it('says what failed outside of all tests, and the file that it came from', () => {
  const log = join(folder, 'printed.txt')
  writeFileSync(log, PRINTED)
  expect(reported('--outside', log)).toContain('Error: no such program')
  expect(reported('--outside', log)[0]).toBe('Vitest caught 1 unhandled error during the test run.')
  expect(reported('--outside-of', log)).toEqual(['test/uses/one.process.test.ts'])
})

it('says how it ended where it names no error', () => {
  const log = join(folder, 'ended.txt')
  writeFileSync(log, `${'a line before\n'.repeat(20)}Error: Channel closed\n    at send\n`)
  expect(reported('--outside', log)).toContain('Error: Channel closed')
  expect(reported('--outside', log)).toHaveLength(12)
})
