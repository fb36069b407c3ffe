/**
 * Environment of a command line: streams, variables, working directory, signals, and the place where strategies run.
 * `main` receives it, so that tests need no process; `process-io.ts` is that of the process.
 *
 * Known limit: one command line at a time per thread. Paths given by a user are relative to the directory of the
 * process.
 */
import type { Readable, Writable } from 'node:stream'
import { invariant } from '../domain/errors.ts'
import type { FlagValues } from './cli-command.ts'
import type { Shown, SingleJob } from './thread/thread-messages.ts'

export type CliOutput = Writable & {
  readonly isTTY?: boolean
  /** Only in a terminal. */
  /** Width of a terminal; 0 in some that do not know it. Read it by `columnsOf`. */
  readonly columns?: number
  /** Only in a terminal. */
  readonly rows?: number
}

export type CliInput = Readable & { readonly isTTY?: boolean }

/** Signals and the end of the program. */
export interface CliLife {
  readonly pid: number
  onSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void
  offSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void
  /** Ends the process like an unhandled signal. */
  raise(signal: NodeJS.Signals): void
  /** Registers a callback for internal errors that end the process. @returns a function to unregister it */
  onCrash(listener: () => void): () => void
  /** Prints a line on stderr, even if its stream has failed. */
  report(line: string): void
  /**
   * From now on a lost output is reported but does not end the process: for commands in real time, which may have
   * orders.
   */
  outliveOutput(): void
  /** Runs user code. If the program exits before it is done, that is reported with a non-zero exit code. */
  notBeforeDone(work: () => Promise<number>): Promise<number>
  /** Ends the process after this time at the latest. */
  endWithin(ms: number, code: number): void
}

export interface CliIo {
  readonly stdin: CliInput
  readonly stdout: CliOutput
  readonly stderr: CliOutput
  readonly env: Record<string, string | undefined>
  /** Absolute path of the working directory. */
  readonly cwd: string
  readonly life: CliLife
  /**
   * Executes a command that runs a strategy, and prints the result.
   *
   * @param onShown  receives the result instead of the streams
   * @returns the exit code
   */
  runStrategy(job: SingleJob, onShown?: (shown: Shown) => void): Promise<number>
}

/** Environment of the running command line. */
interface RunningIo extends CliIo {
  /** Arguments after the name of the program. */
  readonly args: readonly string[]
  /**
   * Parses another command line, with the errors of its own.
   *
   * @returns the values of its flags and arguments
   * @throws {InputError} if it is not valid
   */
  valuesOf(args: readonly string[]): Promise<FlagValues>
}

let running: RunningIo | undefined

function current(): RunningIo {
  invariant(running !== undefined, 'what speaks to the outside world is part of a command line')
  return running
}

/** Environment of the running command line. */
export const io: RunningIo = {
  get args() {
    return current().args
  },
  get stdin() {
    return current().stdin
  },
  get stdout() {
    return current().stdout
  },
  get stderr() {
    return current().stderr
  },
  get env() {
    return current().env
  },
  get cwd() {
    return current().cwd
  },
  get life() {
    return current().life
  },
  runStrategy: (job, onShown) => current().runStrategy(job, onShown),
  valuesOf: (args) => current().valuesOf(args),
}

/** Runs a command line with its own `io`. @param valuesOf  undefined in a thread, which parses none */
export async function withIo<T>(
  args: readonly string[],
  own: CliIo,
  work: () => Promise<T>,
  valuesOf: RunningIo['valuesOf'] = () => Promise.reject(new Error('a thread parses no command line')),
): Promise<T> {
  invariant(running === undefined, 'one command line runs at a time')
  running = { ...own, args, valuesOf }
  try {
    return await work()
  } finally {
    running = undefined
  }
}

/** Columns of a terminal; undefined if there is none, or it does not know. */
export const columnsOf = ({ columns = 0 }: Pick<CliOutput, 'columns'>): number | undefined =>
  columns === 0 ? undefined : columns
