/**
 * The outside world of a command line: its streams, its environment, its folder, signals, and where strategies run.
 * `main` is given it, so that a test runs a command line without a process; `process-io.ts` is that of the process.
 *
 * Known limit: one command line at a time in a thread. Paths that a user gives are read from the folder of the process.
 */
import type { Readable, Writable } from 'node:stream'
import { invariant } from '../domain/errors.ts'
import type { SingleJob } from './thread/thread-messages.ts'

export type CliOutput = Writable & {
  readonly isTTY?: boolean
  /** Of a terminal. */
  readonly columns?: number
  /** Of a terminal. */
  readonly rows?: number
}

export type CliInput = Readable & { readonly isTTY?: boolean }

/** How the program learns that it is to end, and how it ends. */
export interface CliLife {
  readonly pid: number
  onSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void
  offSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): void
  /** Ends it as the signal does where nobody listens. */
  raise(signal: NodeJS.Signals): void
  /** Calls back when an error of ours ends it. @returns what forgets that */
  onCrash(listener: () => void): () => void
  /** A line for stderr, also when its stream has failed. */
  tell(line: string): void
  /**
   * From now on lost output is reported and ends nothing: for commands that go on in real time, some of them with
   * orders.
   */
  outliveOutput(): void
  /** Does what runs code of others. Should the program end meanwhile, it says so, and never exits with 0. */
  notBeforeDone(work: () => Promise<number>): Promise<number>
  /** Ends it after so many milliseconds at the latest, whatever still holds it. */
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
  /** Does a command that runs a strategy, and prints what comes of it. @returns the exit code */
  runStrategy(job: SingleJob): Promise<number>
}

/** That of a command line that runs. */
interface RunningIo extends CliIo {
  /** What stands behind the name of the program. */
  readonly args: readonly string[]
}

let running: RunningIo | undefined

function current(): RunningIo {
  invariant(running !== undefined, 'what speaks to the outside world is part of a command line')
  return running
}

/** That of the command line that runs. */
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
  runStrategy: (job) => current().runStrategy(job),
}

/** Does the work of a command line, which has it as `io`. */
export async function withIo<T>(args: readonly string[], own: CliIo, work: () => Promise<T>): Promise<T> {
  invariant(running === undefined, 'one command line runs at a time')
  running = { ...own, args }
  try {
    return await work()
  } finally {
    running = undefined
  }
}
