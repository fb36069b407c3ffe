/**
 * The command line in the process of the test: `main` with streams that are kept, in a folder of its own, strategies in
 * the same thread.
 *
 * It is some twenty times as fast as a process. What signals, terminals, threads and the start itself do is for
 * `run-cli.ts`.
 */
import { PassThrough, Readable, Writable } from 'node:stream'
import { main } from '../../../src/cli/command-line.ts'
import { io, type CliIo, type CliLife } from '../../../src/cli/cli-io.ts'
import { pageBeside } from '../../../src/cli/page-beside.ts'
import { runJob } from '../../../src/cli/run-job.ts'
import { temporaryFiles, type WriteFile } from '../../store/rig/temporary-files.ts'
import type { Cli, CliResult } from './cli-result.ts'

export interface HereOptions {
  /** Working directory. */
  readonly cwd: string
  /** In addition to PATH and HOME; nothing else is handed down. */
  readonly env?: Readonly<Record<string, string>>
  /** On the standard input. */
  readonly stdin?: string | Uint8Array
}

class KeptOutput extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

const lifeOf = (stderr: Writable): CliLife => ({
  pid: process.pid,
  onSignal: () => undefined,
  offSignal: () => undefined,
  raise: (signal) => {
    throw new Error(`a command line in the process of a test ends by ${signal}`)
  },
  onCrash: () => () => undefined,
  report: (line) => {
    stderr.write(`${line}\n`)
  },
  outliveOutput: () => undefined,
  notBeforeDone: (work) => work(),
  endWithin: () => undefined,
})

let before: Promise<unknown> = Promise.resolve()

/** Runs to the end, whatever the exit code: one at a time, in the order of the calls. */
export async function cliHere(args: readonly string[], options: HereOptions): Promise<CliResult> {
  const mine = before.then(() => runHere(args, options))
  before = mine.catch(() => undefined)
  return await mine
}

async function runHere(args: readonly string[], { cwd, env = {}, stdin }: HereOptions): Promise<CliResult> {
  const [stdout, stderr] = [new KeptOutput(), new KeptOutput()]
  const own: CliIo = {
    stdin: stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    env: process.env,
    cwd,
    life: lifeOf(stderr),
    runStrategy: async (job, onShown) => {
      const { code, pageOf, ...shown } = await runJob(job, undefined, () => undefined)
      if (onShown !== undefined) {
        onShown({ code, ...shown })
        return code
      }
      io.stdout.write(shown.stdout)
      io.stderr.write(`${shown.stderr}${(pageOf === undefined ? [] : [pageOf].flat()).map(pageBeside).join('')}`)
      return code
    },
  }
  return await inPlace(cwd, env, async () => {
    const code = await main(args, own)
    return { code, stdout: stdout.text, stderr: stderr.text }
  })
}

/** Folder, environment and console of the process are as they were behind it. */
async function inPlace<T>(cwd: string, env: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const saved = { cwd: process.cwd(), env: process.env, console: globalThis.console }
  const { PATH = '', HOME = '' } = saved.env
  process.chdir(cwd)
  process.env = { PATH, HOME, ...env }
  try {
    return await work()
  } finally {
    process.chdir(saved.cwd)
    process.env = saved.env
    globalThis.console = saved.console
  }
}

/** A folder for one test file, and the command line in it. */
export function cliFolderHere(): { readonly folder: string; readonly write: WriteFile; readonly cli: Cli } {
  const { folder, write } = temporaryFiles()
  return { folder, write, cli: (...args) => cliHere(args, { cwd: folder }) }
}
