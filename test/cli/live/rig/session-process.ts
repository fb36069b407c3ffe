/**
 * `papertape live`, or `paper`, as a process: the shipped command, its lines of JSON, and the files of its run.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BIN, CODE_CACHE } from '../../rig/run-cli.ts'
import type { NumberedEvent } from '../../../../src/runtime/live/live-event.ts'
import type { RunReport } from '../../../../src/report/run/run-report.ts'
import { eventually } from './patience.ts'

export interface SessionOptions {
  readonly command?: 'live' | 'paper'
  readonly strategies: readonly string[]
  readonly url: string
  readonly key?: string | undefined
  readonly cwd: string
  readonly out: string
  /** Not used by `paper`. */
  readonly state: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface SessionEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A row of a CSV file, by its header. */
export type CsvRow = Readonly<Record<string, string>>

export class SessionProcess {
  readonly out: string
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  end: SessionEnd | undefined
  /** Resolves when the process has ended and its output is read. */
  readonly ended: Promise<SessionEnd>

  constructor({ command = 'live', strategies, url, key, cwd, out, state, args = [], env = {} }: SessionOptions) {
    const { PATH = '' } = process.env
    const flags = ['--url', url, '--out', out, '--json', ...(command === 'live' ? ['--state', state] : []), ...args]
    const keyed = key === undefined ? {} : { PAPERTAPE_API_KEY: key }
    const given = { PATH, HOME: cwd, NO_COLOR: '1', ...CODE_CACHE, ...keyed, ...env }
    this.out = out
    this.child = spawn(process.execPath, [BIN, command, ...strategies, ...flags], { cwd, env: given })
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.ended = once(this.child, 'close').then((args) => {
      const [code, signal] = args as [number | null, NodeJS.Signals | null]
      return (this.end = { code, signal })
    })
  }

  /** Both outputs, for an error that explains itself. */
  get output(): string {
    return `${this.stdout}${this.stderr}`
  }

  /**
   * Resolves when the output matches.
   *
   * @throws {Error} if the process ends before, or after two minutes
   */
  async until(pattern: RegExp | string): Promise<void> {
    const look = (): boolean => {
      if (typeof pattern === 'string' ? this.output.includes(pattern) : pattern.test(this.output)) return true
      if (this.end !== undefined) throw new Error(`ended with ${String(this.end.code)}: ${this.output}`)
      return false
    }
    await eventually(look, () => `${String(pattern)} in ${this.output}`)
  }

  /** Resolves when the session has reported `started`. */
  started(): Promise<void> {
    return this.until('"type":"started"')
  }

  /** Lines of stdout. A line that is not JSON throws; the last one of a killed process may be half written. */
  events<Type extends NumberedEvent['type']>(type: Type): readonly Extract<NumberedEvent, { type: Type }>[] {
    const lines = this.stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line) as NumberedEvent) // prettier-ignore
    return lines.filter((event) => event.type === type) as Extract<NumberedEvent, { type: Type }>[]
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /** Ends the session in order and resolves with its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal)
    const { code } = await eventually(() => this.end, () => `the end after ${signal}: ${this.output}`) // prettier-ignore
    return code
  }

  /** For cleaning up; harmless when it has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGCONT')
    this.child.kill('SIGKILL')
    await this.ended
  }

  /** @param owner  directory of the strategy, where a process runs several */
  path(file: string, owner = ''): string {
    return join(this.out, owner, file)
  }

  report(owner = ''): RunReport {
    return JSON.parse(readFileSync(this.path('run.json', owner), 'utf8')) as RunReport
  }

  hasReport(owner = ''): boolean {
    return existsSync(this.path('run.json', owner)) && existsSync(this.path('report.html', owner))
  }

  /** Rows of the journal that have this type. */
  journal(type: string, owner = ''): readonly Readonly<Record<string, unknown>>[] {
    const lines = existsSync(this.path('journal.jsonl', owner)) ? readFileSync(this.path('journal.jsonl', owner), 'utf8') : '' // prettier-ignore
    const rows = lines.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
    return rows.filter((row) => row.type === type)
  }

  /** Whole rows of a CSV file, such as `fills.csv`; none if it is not there. */
  rows(file: string, owner = ''): readonly CsvRow[] {
    const path = this.path(file, owner)
    return existsSync(path) ? csvRows(readFileSync(path, 'utf8')) : []
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/gy

function csvRows(text: string): readonly CsvRow[] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\n') lines.push([])
  }
  const [header = [], ...rows] = lines
  const whole = rows.filter((row) => row.length === header.length)
  return whole.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}
