/**
 * A Redis of our own, on loopback, in a folder of its own; it can be killed and begun again on what it has on the disk,
 * or on nothing.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const REDIS = process.env.REDIS_SERVER ?? 'redis-server'

/** Tests that need one say so, and skip without; CI has one. */
export const hasRedis = spawnSync(REDIS, ['--version']).status === 0

export class RedisServer {
  readonly port: number
  readonly #folder: string
  readonly #more: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, folder: string, more: readonly string[]) {
    this.port = port
    this.#folder = folder
    this.#more = more
  }

  /** @param more  further settings, as on its command line */
  static async start(folder: string, more: readonly string[] = []): Promise<RedisServer> {
    mkdirSync(folder, { recursive: true })
    const server = new RedisServer(await freePort(), folder, more)
    await server.begin()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async begin(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', '']
    const child = spawn(REDIS, [...settings, '--appendonly', 'yes', ...this.#more], { stdio: 'ignore' })
    this.#child = child
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
      await pause(20)
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child?.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** It says nothing any more, and closes no connection; or goes on. */
  hang(isHanging: boolean): void {
    this.#child?.kill(isHanging ? 'SIGSTOP' : 'SIGCONT')
  }

  /** While it is away. */
  forget(): void {
    rmSync(join(this.#folder, 'appendonlydir'), { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether it has loaded what it has on the disk, too. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const end = (is: boolean): void => {
      socket.destroy()
      resolve(is)
    }
    socket.on('data', (bytes) => end(/^(?:\+PONG|-NOAUTH)/.test(bytes.toString())))
    socket.on('error', () => end(false))
  })
}
