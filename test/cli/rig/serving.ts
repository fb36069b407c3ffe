/**
 * `papertape serve` in a process of its own, for as long as a test needs it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from 'vitest'
import { BIN } from './run-cli.ts'

/** The line of `--json`. */
export interface ServerLine {
  readonly baseUrl: string
  readonly streamUrl: string
  readonly emulatorUrl: string
  readonly windowUrl: string
  readonly adminToken: string | null
  /** URL of the service that is followed. */
  readonly mirror: string | null
  readonly users: readonly { readonly id: string; readonly email: string; readonly keys: readonly string[] }[]
}

export interface ServingOptions {
  readonly cwd?: string
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
  /** What is run instead of what the package runs. */
  readonly program?: string
  /** Default: `serve`. */
  readonly command?: readonly string[]
}

export class Serving {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly #ended: Promise<number | null>

  constructor(args: readonly string[], { cwd, nodeFlags = [], program = BIN, command = ['serve'] }: ServingOptions) {
    const { PATH = '', HOME = '' } = process.env
    this.child = spawn(process.execPath, [...nodeFlags, program, ...command, ...args], { cwd, env: { PATH, HOME } })
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.#ended = once(this.child, 'close').then(([code]) => code as number | null)
  }

  /** What it printed once it listens; throws when it ends before. */
  async printed(): Promise<string> {
    while (!this.stdout.endsWith('\n')) {
      const code = await Promise.race([
        this.#ended,
        once(this.child.stdout ?? this.child, 'data').then(() => undefined),
      ])
      if (code !== undefined) throw new Error(`ended with ${String(code)}: ${this.stderr}`)
    }
    return this.stdout
  }

  async line(): Promise<ServerLine> {
    return JSON.parse(await this.printed())
  }

  /** Exit code, when it has ended. */
  ended(): Promise<number | null> {
    return this.#ended
  }

  /** Exit code after a signal. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal)
    return this.#ended
  }
}

/** Starts servers that are gone after the test, on free ports unless one is named. */
export function servers(): (args?: readonly string[], options?: ServingOptions) => Serving {
  const started: Serving[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((serving) => serving.stop('SIGKILL')))
  })
  return (args = [], options = {}) => {
    const serving = new Serving(
      [...(args.some((arg) => arg === '--port' || arg === '--http') ? [] : ['--port', '0']), ...args],
      options,
    )
    started.push(serving)
    return serving
  }
}
