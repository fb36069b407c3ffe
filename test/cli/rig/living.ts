/**
 * `papertape live` in a process of its own, for as long as a test needs it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach } from 'vitest'
import { BIN, CODE_CACHE } from './run-cli.ts'

export interface LivingOptions {
  readonly cwd: string
  /** In addition to PATH and the code cache; nothing else is handed down, so that HOME is the test's. */
  readonly env: Readonly<Record<string, string>>
  /** What is run instead of what the package runs. */
  readonly program?: string
}

export class Living {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly #ended: Promise<number | null>

  constructor(args: readonly string[], { cwd, env, program = BIN }: LivingOptions, command = 'live') {
    const { PATH = '' } = process.env
    const given = { PATH, HOME: cwd, ...CODE_CACHE, ...env }
    this.child = spawn(process.execPath, [program, command, ...args], { cwd, env: given })
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.#ended = once(this.child, 'close').then(([code]) => code as number | null)
  }

  /** Resolves when stdout has the text; throws when the process ends before. */
  async says(text: string | RegExp): Promise<void> {
    while (typeof text === 'string' ? !this.stdout.includes(text) : !text.test(this.stdout)) {
      const code = await Promise.race([
        this.#ended,
        once(this.child.stdout ?? this.child, 'data').then(() => undefined),
      ])
      if (code !== undefined) throw new Error(`ended with ${String(code)}: ${this.stdout}${this.stderr}`)
    }
  }

  /** Exit code, when it has ended; null for one that a signal ended. */
  ended(): Promise<number | null> {
    return this.#ended
  }

  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL' = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal)
    return this.#ended
  }
}

/** Starts processes, of `live` unless another command is named, that are gone after the test. */
export function livings(): (args: readonly string[], options: LivingOptions, command?: string) => Living {
  const started: Living[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((living) => living.stop('SIGKILL')))
  })
  return (args, options, command) => {
    const living = new Living(args, options, command)
    started.push(living)
    return living
  }
}
