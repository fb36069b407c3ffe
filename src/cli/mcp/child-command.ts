/**
 * Commands of the shipped program as child processes with limits of time, memory and output.
 *
 * Invariants: a child gets no API key unless it is given one, and ends with the server, also if that is killed.
 * Known limits: the memory limit is that of the heap of each thread, not of buffers. On Windows only the process itself
 * is killed, not what it started.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { shellQuoted } from '../shell-quoted.ts'
import { PACKAGE, type Sandbox } from './sandbox.ts'
import type { ToolAnswer } from './tool.ts'

const BIN = join(PACKAGE, 'bin', 'papertape.js')
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024
/** Time to end after SIGTERM. */
const GRACE_MS = 3_000
const IS_WINDOWS = process.platform === 'win32'

/** Variables that a child gets: where things are, and how to reach the network. */
const PASSED =
  /^(?:PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|XDG_.+|LANG|LC_.+|TZ|SYSTEMROOT|(?:LOCAL)?APPDATA|NODE_EXTRA_CA_CERTS|(?:HTTPS?|ALL|NO)_PROXY)$/i

/** Ends a process whose parent has ended. It looks from a thread of its own, so that no endless loop stops it. */
const WATCH = `let looks = 0
setInterval(() => {
  if (process.ppid === ${process.pid}) return
  if (looks === 0 || looks === 10) process.kill(process.pid, looks === 0 ? 'SIGTERM' : 'SIGKILL')
  looks += 1
}, 1000)`
const GUARD = `data:text/javascript,${encodeURIComponent(
  `import { isMainThread, Worker } from 'node:worker_threads'
if (isMainThread) new Worker(${JSON.stringify(WATCH)}, { eval: true, execArgv: [] }).unref()`,
)}`

/** Runs a program, and ends it and all that it started when the server has ended. */
const HOST = `const program = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })
program.on('error', ({ message }) => {
  console.error(message)
  process.exit(1)
})
program.on('exit', (code) => process.exit(code ?? 1))
setInterval(() => {
  if (process.ppid !== ${process.pid}) process.kill(0, 'SIGKILL')
}, 1000)`

export interface CommandLimits {
  readonly timeMs: number
  readonly memoryMb: number
}

export interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  /** Null after a signal. */
  readonly code: number | null
  /** Reason why the server ended it. */
  readonly stopped: 'late' | 'cancelled' | undefined
}

export interface CommandsOptions extends CommandLimits {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Only say what would run. */
  readonly isDryRun: boolean
}

/** Parts that the tools of a server share, whatever number of clients is connected. */
export interface Workspace {
  readonly sandbox: Sandbox
  readonly commands: Commands
}

export class Commands {
  readonly #options: CommandsOptions
  readonly #env: Readonly<Record<string, string | undefined>>

  constructor(options: CommandsOptions) {
    this.#options = options
    const passed = Object.entries(options.env).filter(([name]) => PASSED.test(name))
    this.#env = { ...Object.fromEntries(passed), NO_COLOR: '1' }
  }

  get isDryRun(): boolean {
    return this.#options.isDryRun
  }

  /** Answer of a dry run. */
  planned(args: readonly string[]): ToolAnswer {
    return { text: `dry run, nothing was done; this would run: papertape ${args.map(shellQuoted).join(' ')}` }
  }

  /**
   * Runs a command to its end.
   *
   * @param results  exit codes that are a result and no failure
   */
  async answer(args: readonly string[], signal: AbortSignal, results: readonly number[] = [0]): Promise<ToolAnswer> {
    if (this.isDryRun) return this.planned(args)
    return this.textOf(await this.run(args, signal), results)
  }

  /** @param env  more variables, such as an API key */
  async run(
    args: readonly string[],
    signal: AbortSignal,
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandEnd> {
    return await this.#ended(this.start(args, env), signal)
  }

  /** Starts a command that goes on. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    const node = [`--max-old-space-size=${this.#options.memoryMb}`, `--import=${GUARD}`, BIN]
    return this.#spawn(process.execPath, [...node, ...args], env)
  }

  /** Runs another program with the same limits. */
  async program(path: string, args: readonly string[], signal: AbortSignal): Promise<CommandEnd> {
    return await this.#ended(this.#spawn(process.execPath, ['--eval', HOST, '--', path, ...args], {}), signal)
  }

  textOf({ stdout, stderr, code, stopped }: CommandEnd, results: readonly number[] = [0]): ToolAnswer {
    const { timeMs, memoryMb } = this.#options
    const isFull = /heap out of memory|ended early: out of memory/.test(stderr)
    const reason =
      stopped === 'cancelled'
        ? 'cancelled by the client'
        : stopped === 'late'
          ? `stopped after ${timeMs / 1000} s, the limit of --call-time; ask for less, such as a shorter --to`
          : isFull
            ? `used more memory than the ${memoryMb} MB of --memory`
            : code === null
              ? 'was killed'
              : results.includes(code)
                ? ''
                : `exit code ${code}`
    // The dump of an exhausted heap says nothing to a reader.
    const said = [stdout.trim(), isFull ? '' : stderr.trim(), reason].filter((text) => text !== '')
    return { text: said.join('\n\n') || 'done', isError: reason !== '' }
  }

  #spawn(path: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    return spawn(path, args, {
      cwd: this.#options.folder,
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it.
      detached: !IS_WINDOWS,
      windowsHide: true,
    })
  }

  async #ended(child: ChildProcess, signal: AbortSignal): Promise<CommandEnd> {
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => new Output(stream))
    let stopped: CommandEnd['stopped']
    let killing: NodeJS.Timeout | undefined
    const stop = (why: CommandEnd['stopped']): void => {
      stopped ??= why
      endGroup(child, 'SIGTERM')
      killing ??= setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS)
    }
    const onAbort = (): void => stop('cancelled')
    const timer = setTimeout(() => stop('late'), this.#options.timeMs)
    signal.addEventListener('abort', onAbort)
    try {
      const closed = once(child, 'close')
      if (signal.aborted) onAbort()
      const [code] = (await closed) as [number | null]
      return { code, stopped, stdout: stdout?.text ?? '', stderr: stderr?.text ?? '' }
    } finally {
      clearTimeout(timer)
      clearTimeout(killing)
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** Sends a signal to a process and all that it started. */
export function endGroup(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    if (IS_WINDOWS) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The first bytes of a stream; the rest is read and dropped, so that the child does not wait. */
class Output {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => {
      if (this.#bytes < MAX_OUTPUT_BYTES) this.#chunks.push(chunk.subarray(0, MAX_OUTPUT_BYTES - this.#bytes))
      this.#bytes += chunk.length
    })
  }

  get text(): string {
    const text = Buffer.concat(this.#chunks).toString()
    return this.#bytes > MAX_OUTPUT_BYTES ? `${text}\n(the first ${MAX_OUTPUT_BYTES} of ${this.#bytes} bytes)` : text
  }
}
