/**
 * The command line as a user meets it: `papertape` in a process of its own, in a folder of its own.
 *
 * It runs what is built: `npm test` builds first.
 */
import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFiles, type WriteFile } from '../../store/rig/temporary-files.ts'
import type { Cli, CliResult } from './cli-result.ts'

export const BIN = fileURLToPath(new URL('../../../bin/papertape.js', import.meta.url))

/** The same command line as its single modules, of which a test may break one. */
export const MODULES = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** For a process whose HOME is the test's: compiling the program again takes three times what a short command does. */
export const CODE_CACHE = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache') }

export interface CliOptions {
  /** Working directory. */
  readonly cwd?: string
  /** In addition to PATH, HOME and the code cache; nothing else is handed down. */
  readonly env?: Readonly<Record<string, string>>
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
}

/** Runs to the end, whatever the exit code. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runProgram([BIN, ...args], options)
}

/** The same of any file. */
export function runProgram(args: readonly string[], { cwd, env, nodeFlags = [] }: CliOptions = {}): Promise<CliResult> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd, env: { PATH, HOME, ...CODE_CACHE, ...env }, maxBuffer: 2 ** 26 }
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
