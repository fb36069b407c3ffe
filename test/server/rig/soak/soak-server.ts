/**
 * The emulator as it is started by hand, in a process of its own.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../../../bin/papertape.js', import.meta.url))

/** Hears what should not have been. */
interface FaultLog {
  fault(text: string): void
}

export class SoakServer {
  readonly baseUrl: string
  readonly streamUrl: string
  readonly emulatorUrl: string
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  #complaints = ''

  private constructor(child: ChildProcessByStdio<null, Readable, Readable>, urls: Urls) {
    this.#child = child
    this.baseUrl = urls.baseUrl
    this.streamUrl = urls.streamUrl
    this.emulatorUrl = urls.emulatorUrl
    child.stderr.on('data', (text: Buffer) => (this.#complaints += text.toString()))
  }

  get port(): number {
    return Number(new URL(this.baseUrl).port)
  }

  static async start(folder: string): Promise<SoakServer> {
    const flags = ['--port', '0', '--json', '--config', `${folder}/config.json`, '--state', `${folder}/state.db`]
    const child = spawn(process.execPath, [PROGRAM, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
    for await (const line of createInterface(child.stdout)) return new SoakServer(child, JSON.parse(line) as Urls)
    throw new Error(`it did not start: ${String(child.stderr.read())}`)
  }

  /** @returns milliseconds that it took */
  async stop(log: FaultLog): Promise<number> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) {
      log.fault(`it ended by itself with ${exitCode ?? signalCode}: ${this.#complaints}`)
      return 0
    }
    const start = performance.now()
    this.#child.kill('SIGTERM')
    const [code] = (await once(this.#child, 'exit')) as [number | null]
    if (code !== 0) log.fault(`it ended with ${code}: ${this.#complaints}`)
    else if (this.#complaints !== '') log.fault(`it complained: ${this.#complaints}`)
    return performance.now() - start
  }
}

interface Urls {
  readonly baseUrl: string
  readonly streamUrl: string
  readonly emulatorUrl: string
}
