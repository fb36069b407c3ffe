/**
 * A process of `scripts/crash-live.mjs`, to be killed.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export class KillableProcess {
  /** What it has reported so far. */
  readonly lines: string[] = []
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  /** It has ended, and everything that it reported is here. */
  readonly #gone: Promise<unknown>
  #complaints = ''
  #onLine: () => void = () => undefined

  /** @param flag  `--bot` or `--serve`, with its settings */
  constructor(flag: string, settings: object) {
    const args = ['--import', './bench/loader.mjs', 'scripts/crash-live.mjs', flag, JSON.stringify(settings)]
    this.#child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#gone = once(this.#child, 'close')
    this.#child.stderr.on('data', (text: Buffer) => (this.#complaints += text.toString()))
    createInterface(this.#child.stdout).on('line', (line) => {
      this.lines.push(line)
      this.#onLine()
    })
  }

  /** What it said on stderr: nothing, if all is well. */
  get complaints(): string {
    return this.#complaints
  }

  /** The first line that begins so. @throws when it ends before */
  async reported(beginning: string): Promise<string> {
    const found = new Promise<string>((resolve) => {
      this.#onLine = () => {
        const line = this.lines.find((each) => each.startsWith(beginning))
        if (line !== undefined) resolve(line)
      }
      this.#onLine()
    })
    const line = await Promise.race([found, this.#gone.then(() => undefined)])
    if (line === undefined) throw new Error(`it ended before '${beginning}': ${this.#complaints}`)
    return line
  }

  end(): void {
    this.#child.kill('SIGTERM')
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#gone
  }
}
