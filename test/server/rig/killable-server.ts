/**
 * A service with a state file in a process of its own, to be killed.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export class KillableServer {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #gone: Promise<unknown>
  #complaints = ''

  /**
   * @param mostKilobytes  no file that it writes may be larger, as if the disk were full then
   * @param flag           which service it is
   */
  constructor(
    file: string,
    mostKilobytes: number | 'unlimited' = 'unlimited',
    flag: '--serve' | '--serve-virtual' = '--serve',
  ) {
    const args = ['--import', './bench/loader.mjs', 'scripts/crash.mjs', flag, file]
    const limited = ['-c', 'ulimit -f "$0" && exec "$@"', String(mostKilobytes), process.execPath, ...args]
    this.#child = spawn('bash', limited, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#gone = once(this.#child, 'exit')
    this.#child.stderr.on('data', (text: Buffer) => (this.#complaints += text.toString()))
  }

  /** Its base URL, once it listens. @throws when it ends before */
  async listening(): Promise<string> {
    for await (const line of createInterface(this.#child.stdout)) return line
    await this.#gone
    throw new Error(`the service did not start: ${this.#complaints}`)
  }

  /** What it said on stderr: nothing, if all is well. */
  get complaints(): string {
    return this.#complaints
  }

  /** Waits for its end, which it comes to by itself. @returns its exit code */
  async ended(): Promise<number | null> {
    await this.#gone
    return this.#child.exitCode
  }

  /** Lets it come to its end. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#gone
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
    await this.#gone
  }
}
