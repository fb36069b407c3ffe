/**
 * Commands that go on after the call that started them: emulators and paper sessions.
 *
 * Known limit: only the last lines of a session are remembered; its files have everything.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { endGroup } from './child-command.ts'

const MAX_RUNNING = 8
const MAX_LINES = 2_000
const MAX_LINE_CHARACTERS = 10_000
/** Time to write the report after SIGTERM. */
const STOP_MS = 30_000

export class Session {
  readonly id: string
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  #dropped = 0
  #end: string | undefined
  #news = new AbortController()
  readonly ended: Promise<void>

  constructor(id: string, child: ChildProcess) {
    this.id = id
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface(stream).on('line', (line) => this.#add(line))
    this.ended = once(child, 'close').then(
      ([code]) => this.#close(`ended with exit code ${String(code)}`),
      (error: unknown) => this.#close(`could not be started (${String(error)})`),
    )
  }

  get isRunning(): boolean {
    return this.#end === undefined
  }

  /** Lines after the first `after`, as soon as there is one, the session ends, or the time is over. */
  async lines(after: number, waitMs: number, signal: AbortSignal): Promise<string> {
    if (this.#dropped + this.#lines.length <= after && this.isRunning) {
      const waits = [this.#news.signal, signal, AbortSignal.timeout(waitMs)]
      const over = AbortSignal.any(waits)
      if (!over.aborted) await once(over, 'abort')
    }
    const first = Math.max(after, this.#dropped)
    const text = this.#lines.slice(first - this.#dropped).join('\n')
    const next = this.#dropped + this.#lines.length
    return `${text}\n\n(${this.id} ${this.#end ?? 'is running'}; lines ${first} to ${next}, go on with after ${next})`
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return
    endGroup(this.#child, 'SIGTERM')
    const killing = setTimeout(() => endGroup(this.#child, 'SIGKILL'), STOP_MS)
    await this.ended
    clearTimeout(killing)
  }

  #add(line: string): void {
    this.#lines.push(line.slice(0, MAX_LINE_CHARACTERS))
    if (this.#lines.length > MAX_LINES) {
      this.#lines.shift()
      this.#dropped += 1
    }
    this.#announce()
  }

  #close(end: string): void {
    this.#end = end
    this.#announce()
  }

  #announce(): void {
    this.#news.abort()
    this.#news = new AbortController()
  }
}

export class Sessions {
  readonly #sessions = new Map<string, Session>()

  /** @throws {InputError} if too many are running */
  add(kind: string, start: () => ChildProcess): Session {
    const running = [...this.#sessions.values()].filter(({ isRunning }) => isRunning)
    if (running.length >= MAX_RUNNING)
      throw new InputError('session', `${MAX_RUNNING} are running; stop one with stop_session`)
    const id = `${kind}-${this.#sessions.size + 1}`
    const session = new Session(id, start())
    this.#sessions.set(id, session)
    return session
  }

  /** @throws {InputError} if it does not exist */
  of(id: string): Session {
    const session = this.#sessions.get(id)
    if (session !== undefined) return session
    const names = [...this.#sessions.keys()]
    throw new InputError('session', `there is no session '${id}'${nearestNameHint(id, names)}`)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((each) => each.stop()))
  }
}
