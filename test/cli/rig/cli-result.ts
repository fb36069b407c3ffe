/**
 * What came of a command line, and what is expected of it.
 */
import { expect } from 'vitest'
import type { RunReport } from '../../../src/report/run/run-report.ts'

export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export type Cli = (...args: string[]) => Promise<CliResult>

/** The report that `--json` printed: the only thing on stdout. */
export function reportIn({ stdout }: CliResult): RunReport {
  expect(stdout).toMatch(/^\{.*\}\n$/)
  return JSON.parse(stdout)
}

/** The report of a run that succeeds without a word on stderr. */
export async function jsonRun(cli: Cli, ...args: string[]): Promise<RunReport> {
  const result = await cli(...args, '--json')
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return reportIn(result)
}

const PROGRAM = 'papertape: '

/**
 * What the user has to mend is reported in one plain line behind the name of the program, with exit code 2 and nothing
 * on stdout.
 */
export function expectInputError({ code, stdout, stderr }: CliResult, line: string | RegExp): void {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr.slice(0, PROGRAM.length)).toBe(PROGRAM)
  const reported = stderr.slice(PROGRAM.length).trimEnd()
  expect(reported).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
}
