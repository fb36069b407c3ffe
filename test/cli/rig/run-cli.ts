/**
 * The command line as a user meets it: `papertape` in a process of its own, in a folder of its own.
 *
 * It runs what is built: `npm test` builds first.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { temporaryFiles, type WriteFile } from '../../store/rig/temporary-files.ts'

export const BIN = fileURLToPath(new URL('../../../bin/papertape.js', import.meta.url))

/** The same command line as its single modules, of which a test may break one. */
export const MODULES = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export interface CliResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** Working directory. */
  readonly cwd?: string
  /** Beside PATH and HOME; nothing else is handed down. */
  readonly env?: Readonly<Record<string, string>>
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
}

export type Cli = (...args: string[]) => Promise<CliResult>

/** Runs to the end, whatever the exit code. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runProgram([BIN, ...args], options)
}

/** The same of any file. */
export function runProgram(args: readonly string[], { cwd, env, nodeFlags = [] }: CliOptions = {}): Promise<CliResult> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd, env: { PATH, HOME, ...env }, maxBuffer: 2 ** 26 }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [...nodeFlags, ...args], options, (error, stdout, stderr) => {
      const { exitCode } = child
      if (exitCode === null) reject(error ?? new Error('ended without an exit code'))
      else resolve({ code: exitCode, stdout, stderr })
    })
  })
}

/** A folder for one test file, and the command line in it. */
export function cliFolder(): { readonly folder: string; readonly write: WriteFile; readonly cli: Cli } {
  const { folder, write } = temporaryFiles()
  return { folder, write, cli: (...args) => runCli(args, { cwd: folder }) }
}

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

/** What the user has to mend is told in one plain line behind the name of the program, with exit code 2 and nothing on stdout. */
export function expectInputError({ code, stdout, stderr }: CliResult, line: string | RegExp): void {
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr.slice(0, PROGRAM.length)).toBe(PROGRAM)
  const told = stderr.slice(PROGRAM.length).trimEnd()
  expect(told).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
}
