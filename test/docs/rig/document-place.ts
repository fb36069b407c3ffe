/**
 * Where the commands of documents are run: in the folder of the package, a clone or what is installed, with what they
 * write in a folder that goes away.
 *
 * A server runs until the next one is started or the document ends, and what stands behind it asks it, with its key in
 * `KEY`.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { Living } from '../../cli/rig/living.ts'
import { Serving } from '../../cli/rig/serving.ts'
import { RedisServer } from '../../cli/machines/redis-server.ts'

const ORIGIN = 'http://127.0.0.1:8080'
const PAPERTAPE = /^(?:npx papertape|node bin\/papertape\.js)(?= |$)/
const KEY_TAG = /^key +(\S+)$/m
const REST_TAG = /^REST +(\S+)\/v1$/m

export class DocumentPlace {
  /** Folder of the package. */
  readonly root: string
  /** Where is written what a command writes. */
  readonly #folder: string
  /** Where what was to be written to a path goes instead; a command that reads the path finds it there. */
  readonly #movedByPath = new Map<string, string>()
  readonly #living: Living[] = []
  /** Servers that others follow. */
  readonly #sources: (Serving | undefined)[] = []
  #serving: Serving | undefined
  #printed = ''
  #redis: RedisServer | undefined
  #writtenRedis = ''
  /** The last command planned a fault, so the next one may well be answered with an error. */
  #isFaulty = false

  constructor(root: string, folder: string) {
    this.root = root
    this.#folder = folder
  }

  textOf(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  /** A file that a document shows is there for its commands. */
  move(path: string, to: string): void {
    this.#movedByPath.set(path, to)
  }

  /** @returns what it prints, or else tells beside */
  async outputOf(command: string): Promise<string> {
    const papertape = `"${process.execPath}" "${this.#bin}"`
    const words = this.#moved(command).replace(PAPERTAPE, papertape)
    const options = { cwd: this.root, env: { ...process.env, ...this.#env } }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', words], options)
    return this.#asWritten(stdout || stderr)
  }

  /** Starts the exchange, in the place of one that runs unless it follows that one. */
  async serve(args: string, command: readonly string[]): Promise<string> {
    const words = wordsOf(this.#moved(args.replace(/ --port \d+/, '')))
    if (args.includes('--mirror')) this.#sources.push(this.#serving)
    else await this.#endServer()
    const program = this.#bin
    this.#serving = new Serving([...words, '--port', '0'], { cwd: this.root, program, command })
    this.#printed = await this.#serving.printed()
    return this.#printed
  }

  /** What another program is answered by it. */
  async ask(command: string): Promise<string> {
    const output = await this.outputOf(command)
    if (!this.#isFaulty) expect(output).not.toContain('"error"')
    this.#isFaulty = command.includes('/emulator/faults')
    return output
  }

  /** Runs until it says so, and is ended as by Ctrl-C. */
  async until(command: string, args: string, says: string | RegExp): Promise<string> {
    const living = this.#start(command, args)
    await living.says(says)
    expect(await living.stop()).toBe(0)
    return living.stdout
  }

  /** Begins a worker, which goes on until the document ends. */
  async work(args: string): Promise<string> {
    const worker = this.#start('worker', args)
    this.#living.push(worker)
    await worker.says('points from')
    return worker.stdout
  }

  /** On whatever port is free. */
  async startRedis(port: string, more: string): Promise<string> {
    this.#writtenRedis = `redis://127.0.0.1:${port}`
    this.#redis = await RedisServer.start(join(this.#folder, 'redis'), wordsOf(more))
    return this.#redis.url
  }

  /** Ends whatever runs, in order. */
  async end(): Promise<void> {
    for (const living of this.#living.splice(0)) expect(await living.stop()).toBe(0)
    await this.#redis?.kill()
    await this.#endServer()
    for (const source of this.#sources) expect(await source?.stop()).toBe(0)
  }

  async #endServer(): Promise<void> {
    const serving = this.#serving
    this.#serving = undefined
    if (serving !== undefined) expect(await serving.stop()).toBe(0)
  }

  #start(command: string, args: string): Living {
    return new Living(wordsOf(this.#moved(args)), { cwd: this.root, env: this.#env, program: this.#bin }, command)
  }

  get #bin(): string {
    return join(this.root, 'bin/papertape.js')
  }

  get #env(): Record<string, string> {
    const [, key = ''] = KEY_TAG.exec(this.#printed) ?? []
    const folders = { HOME: this.#folder, XDG_DATA_HOME: this.#folder, XDG_CACHE_HOME: this.#folder }
    return { ...folders, KEY: key, PAPERTAPE_API_KEY: key }
  }

  /** Output with the paths that the document names. */
  #asWritten(output: string): string {
    return [...this.#movedByPath].reduce((text, [path, moved]) => text.replaceAll(moved, path), output)
  }

  #moved(command: string): string {
    const [, origin = ORIGIN] = REST_TAG.exec(this.#printed) ?? []
    const here = this.#redis === undefined ? command : command.replaceAll(this.#writtenRedis, this.#redis.url)
    for (const [, path = ''] of here.matchAll(/ (?:--(?:out|state|db)[ =]|snapshot export \S+ )(\S+)/g)) {
      const name = path.split('/').at(-1) ?? ''
      const { size } = this.#movedByPath
      if (!this.#movedByPath.has(path)) this.move(path, join(this.#folder, `${size}-${name}`))
    }
    // The emulator that runs is not at the default address.
    const there = / (?:emulator|arena)(?: |$)/.test(here) && PAPERTAPE.test(here) ? `${here} --url ${ORIGIN}` : here
    return there.replaceAll(ORIGIN, origin).replaceAll(/[^\s=]+/g, (word) => this.#movedByPath.get(word) ?? word)
  }
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean)
