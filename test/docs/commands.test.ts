/**
 * Every command in the Markdown that a newcomer reads is run, as it stands there.
 *
 * A line of a fenced `sh` block, or what stands in the last column of a table where that is named Command, is either run, from the root of the project and with what it writes in a folder that goes away, or it
 * is a script of the project that only has to be there. Anything else fails. A server runs until the next one is started or the
 * document ends, and what stands behind it asks it, with its key in `KEY`.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { BIN } from '../cli/rig/run-cli.ts'
import { Living } from '../cli/rig/living.ts'
import { Serving } from '../cli/rig/serving.ts'
import { RedisServer } from '../cli/machines/redis-server.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENTS = [
  'README.md',
  'examples/README.md',
  'docs/liquidity.md',
  'docs/emulator.md',
  'docs/testing.md',
  'docs/sweeps.md',
  'docs/report.md',
]

/** What installs, tests and measures is not run by a test. */
const ONLY_THERE = /^npm (?:ci|test|run \S+)$/
const PAPERTAPE = /^(?:npx papertape|node bin\/papertape\.js)(?= |$)/

/** A program of the examples. */
const PROGRAM = /^node examples\/\S+\.mjs$/

const SERVE = /^npx papertape serve(?= |$)/
/** Runs until Ctrl-C. */
const LIVE = /^npx papertape live(?= )/
/** Its port, and what stands behind the address. */
const REDIS = /^redis-server --port (\d+) --bind 127\.0\.0\.1(.*)$/
/** Runs until Ctrl-C. */
const WORKER = /^npx papertape worker(?= )/
/** Programs that ask a server. */
const CLIENT = /^(curl|python3|bash)(?= )/
const ORIGIN = 'http://127.0.0.1:8080'

const { folder, write } = temporaryFiles()
const textOf = (file: string): string => readFileSync(join(PROJECT, file), 'utf8')
const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'))

/** Bodies of the fenced blocks of a language. */
const fenced = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm)].flatMap(([, name, body = '']) => (name === language ? [body] : []))

/** Commands of a table, a line each. */
const tabled = (markdown: string): string[] =>
  [...markdown.matchAll(/^\|.*\| Command \|\n\|[-|]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
    [...rows.matchAll(/\| (`[^|]+`) \|$/gm)].map(([, cell = '']) => cell.slice(1, -1).replaceAll('`<br>`', '\n')),
  )

/** The single commands, in their order: comments left out, lines that end in a backslash joined, `a && b` taken apart. */
const commandsIn = (markdown: string): string[] =>
  [...fenced(markdown, 'sh'), ...tabled(markdown)]
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => (line.startsWith('#') ? [] : line.split(' && ')))
    .map((command) => command.trim())
    .filter((command) => command !== '')

/** Where what was to be written to a path goes instead; a command that reads the path finds it there. */
const movedByPath = new Map<string, string>()

function withPathsMoved(command: string): string {
  for (const [, path = ''] of command.matchAll(/ --(?:out|state)[ =](\S+)/g)) {
    const name = path.split('/').at(-1) ?? ''
    movedByPath.set(path, movedByPath.get(path) ?? join(folder, `${movedByPath.size}-${name}`))
  }
  return command.replaceAll(/[^\s=]+/g, (word) => movedByPath.get(word) ?? word)
}

async function outputOf(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const papertape = `"${process.execPath}" "${BIN}"`
  const { stdout } = await promisify(execFile)('bash', ['-c', withPathsMoved(command).replace(PAPERTAPE, papertape)], {
    cwd: PROJECT,
    env: { ...process.env, ...env },
  })
  return stdout
}

/** The server of a document that runs now. */
class DocumentServer {
  #serving: Serving | undefined
  #printed = ''
  /** The last command planned a fault, so the next one may well be answered with an error. */
  #isFaulty = false

  async start(command: string): Promise<string> {
    await this.stop()
    const args = withPathsMoved(command).replace(SERVE, '').trim().split(/\s+/).filter(Boolean)
    this.#serving = new Serving([...args, '--port', '0'], { cwd: PROJECT })
    this.#printed = await this.#serving.printed()
    return this.#printed
  }

  async ask(command: string): Promise<string> {
    const [, origin = ''] = /^REST +(\S+)\/v1$/m.exec(this.#printed) ?? []
    const [, key = ''] = /^key +(\S+)$/m.exec(this.#printed) ?? []
    const output = await outputOf(command.replaceAll(ORIGIN, origin), { KEY: key })
    if (!this.#isFaulty) expect(output).not.toContain('"error"')
    this.#isFaulty = command.includes('/emulator/faults')
    return output
  }

  /** Trades on it until it has begun, and is ended as by Ctrl-C. */
  async trade(command: string): Promise<string> {
    const [, origin = ''] = /^REST +(\S+)\/v1$/m.exec(this.#printed) ?? []
    const [, key = ''] = /^key +(\S+)$/m.exec(this.#printed) ?? []
    const args = command.replace(ORIGIN, origin).replace(LIVE, '').trim().split(/\s+/)
    const env = { PAPERTAPE_API_KEY: key, HOME: folder, XDG_DATA_HOME: folder }
    const living = new Living(args, { cwd: PROJECT, env })
    await living.says('started on')
    expect(await living.stop()).toBe(0)
    return living.stdout
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    const serving = this.#serving
    this.#serving = undefined
    if (serving !== undefined) expect(await serving.stop()).toBe(0)
  }
}

/** The Redis and the workers of a document, until it ends. */
class DocumentMachines {
  #redis: RedisServer | undefined
  #written = ''
  readonly #workers: Living[] = []

  /** On whatever port is free. */
  async start(command: string): Promise<string> {
    const [, port = '', more = ''] = REDIS.exec(command) ?? []
    this.#written = `redis://127.0.0.1:${port}`
    this.#redis = await RedisServer.start(join(folder, 'redis'), more.split(/\s+/).filter(Boolean))
    return this.#redis.url
  }

  /** The command, at the Redis of the document where there is one. */
  here(command: string): string {
    return this.#redis === undefined ? command : command.replaceAll(this.#written, this.#redis.url)
  }

  async work(command: string): Promise<string> {
    const args = this.here(command).replace(WORKER, '').trim().split(/\s+/)
    const worker = new Living(args, { cwd: PROJECT, env: { XDG_CACHE_HOME: folder } }, 'worker')
    this.#workers.push(worker)
    await worker.says('points from')
    return worker.stdout
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers.splice(0)) expect(await worker.stop()).toBe(0)
    await this.#redis?.kill()
  }
}

/** A machine without it leaves out what needs it, with a word. */
function isThere(program: string): boolean {
  const isFound = spawnSync(program, ['--version']).status === 0
  if (!isFound) console.warn(`no ${program} on this machine: what it asks is left out`)
  return isFound
}

describe.each(DOCUMENTS)('%s', (document) => {
  const commands = commandsIn(textOf(document))
  const server = new DocumentServer()
  const machines = new DocumentMachines()
  afterAll(async () => {
    await server.stop()
    await machines.stop()
  })
  // The file that a document shows is there for its commands.
  const [config] = fenced(textOf(document), 'json')
  if (config !== undefined) movedByPath.set('emulator.json', write(config, 'emulator.json'))

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(0)
  })

  // One after the other: a command may read what the one before has written.
  it.each(commands)('%s', { timeout: 120_000 }, async (command) => {
    const [, program] = CLIENT.exec(command) ?? []
    if (SERVE.test(command)) expect(await server.start(command)).toContain('serves until')
    else if (LIVE.test(command)) expect(await server.trade(command)).toContain('digest sha256:')
    else if (REDIS.test(command)) expect(await machines.start(command)).toContain('redis:')
    else if (WORKER.test(command)) expect(await machines.work(command)).toContain('points from')
    else if (program !== undefined) {
      if (isThere(program)) expect(await server.ask(command)).not.toBe('')
    } else if (ONLY_THERE.test(command)) {
      const script = command.split(' ').at(-1) ?? ''
      expect(script === 'ci' ? existsSync(join(PROJECT, 'package-lock.json')) : script in scripts).toBe(true)
    } else {
      expect(command === 'npm start' || PAPERTAPE.test(command) || PROGRAM.test(command)).toBe(true)
      expect(await outputOf(machines.here(command))).not.toBe('')
    }
  })
})

describe('README.md', () => {
  it('shows what npm start prints', { timeout: 120_000 }, async () => {
    const [, , shown] = /The backtest prints:\n\n(```)\n([^]*?)^```$/m.exec(textOf('README.md')) ?? []
    expect(await outputOf('npm start')).toContain(shown)
  })

  it('shows a backtest from a program that runs', async () => {
    const block = fenced(textOf('README.md'), 'ts').find((each) => each.includes('await backtest(')) ?? ''
    const source = [
      "import { backtest } from 'papertape/run'",
      block.replace('/tmp/run', join(folder, 'program')),
      'console.log(statistics.roundTrips, orders.length, fills.length, equity.length, digest)',
    ]
    const flags = ['--input-type=module', '--eval', source.join('\n')]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: PROJECT })
    expect(stdout).toMatch(/^[1-9]\d* [1-9]\d* [1-9]\d* [1-9]\d* sha256:/)
    expect(existsSync(join(folder, 'program/run.json'))).toBe(true)
  })

  it('shows the first example as it is', () => {
    expect(fenced(textOf('README.md'), 'ts')).toContain(textOf('examples/01-first-strategy.ts'))
  })
})
