/**
 * `papertape backtest --watch`, after its flags are parsed: one run, and another after each save, compared with the one
 * before.
 *
 * The strategy thread is reused; after a broken run a new one is started at the next save.
 */
import { createHash } from 'node:crypto'
import { type FSWatcher, readFileSync, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RunReport } from '../../report/run/run-report.ts'
import { runDelta } from '../../report/summary/run-delta.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../cli-command.ts'
import { RunThread } from '../thread/run-thread.ts'
import type { WatchedRound } from '../thread/thread-messages.ts'
import { TypesThread } from '../types/types-thread.ts'
import { untilSignalled } from '../until-signalled.ts'
import { configOfFlags } from './backtest-flags.ts'
import { checkWatchable } from './watchable.ts'

/** Debounce time. */
const QUIET_MS = 40
/** Maximum time that a file may be missing or empty during a save. */
const AWAY_MS = 600
const LOOK_MS = 300

const CODE = /\.(?:[cm]?[jt]s|json)$/

/**
 * Detects saves of files by watching their folders, because editors may replace a file.
 *
 * Several writes count as one save (debounce); a file that is missing or empty in between is waited for. A save without
 * changes is ignored. While the system reports no events, or a file is missing, the files are polled.
 */
export class SourceWatch {
  readonly #onSave: (names: readonly string[]) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** Content hashes at the last save, by path; empty for a missing file. */
  readonly #seen = new Map<string, string>()
  /** Names of other new or changed source files, while an import may be missing. */
  readonly #others = new Set<string>()
  #takesOthers = false
  #timer: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  #unsettledSince: number | undefined

  /** @param onSave  called with the names of the saved files */
  constructor(onSave: (names: readonly string[]) => void) {
    this.#onSave = onSave
  }

  /**
   * Watches further files.
   *
   * @param files        absolute paths
   * @param since        Unix milliseconds; files modified later count as saved
   * @param takesOthers  true to include any other source file in these folders, because an import may be missing
   */
  add(files: readonly string[], since: number, takesOthers: boolean): void {
    this.#takesOthers = takesOthers
    for (const file of files) {
      if (this.#seen.has(file)) continue
      const isNewer = (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > since
      this.#seen.set(file, isNewer ? 'newer' : contentOf(file))
      if (isNewer) this.#stir()
    }
    this.#open()
  }

  /** True without files to watch. */
  get isEmpty(): boolean {
    return this.#seen.size === 0
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#look)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #open(): void {
    for (const folder of new Set([...this.#seen.keys()].flatMap(foldersOf))) {
      if (this.#watchers.has(folder)) continue
      try {
        const watcher = watch(folder, (_, name) => this.#hear(folder, name))
        watcher.on('error', () => this.#lose(folder))
        this.#watchers.set(folder, watcher)
      } catch {
        this.#lookAgain()
      }
    }
  }

  /** Switches to polling for a folder that is gone or has no events. */
  #lose(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
    this.#lookAgain()
  }

  #lookAgain(): void {
    this.#look ??= setInterval(() => this.#stir(), LOOK_MS)
  }

  #hear(folder: string, name: string | null): void {
    const isOurs = name === null || [...this.#seen.keys()].some((file) => isIn(file, folder, name))
    if (!isOurs) {
      if (!this.#takesOthers || !CODE.test(name)) return
      this.#others.add(name)
    }
    this.#stir()
  }

  #stir(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#settle(), QUIET_MS)
  }

  #settle(): void {
    const now = [...this.#seen].map(([file, before]) => ({ file, before, content: contentOf(file) }))
    const changed = now.filter(({ before, content }) => before !== content)
    if (changed.length === 0 && this.#others.size === 0) {
      this.#unsettledSince = undefined
      return
    }
    if (changed.some(({ content }) => content === '')) {
      this.#unsettledSince ??= Date.now()
      if (Date.now() - this.#unsettledSince < AWAY_MS) {
        this.#stir()
        return
      }
      // Its folder may have been deleted too, and reports nothing about a new one.
      for (const { file } of changed) foldersOf(file).forEach((folder) => this.#lose(folder))
      this.#open()
    }
    this.#unsettledSince = undefined
    for (const { file, content } of changed) this.#seen.set(file, content)
    const names = [...new Set([...changed.map(({ file }) => basename(file)), ...this.#others])]
    this.#others.clear()
    this.#onSave(names)
  }
}

/** Hash of the content; empty for a file that is empty, missing or unreadable. */
function contentOf(file: string): string {
  try {
    const bytes = readFileSync(file)
    return bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('hex')
  } catch {
    return ''
  }
}

/** The folder of a file, and for a link also that of its target. */
function foldersOf(file: string): readonly string[] {
  try {
    return [...new Set([dirname(file), dirname(realpathSync(file))])]
  } catch {
    return [dirname(file)]
  }
}

function isIn(file: string, folder: string, name: string): boolean {
  if (join(folder, name) === file) return true
  try {
    return join(folder, name) === realpathSync(file)
  } catch {
    return false
  }
}

/**
 * Runs until Ctrl-C.
 *
 * @returns the exit code
 * @throws {InputError} for an invalid flag, or one that --watch does not support
 */
export async function watchBacktest(strategy: string | undefined, values: FlagValues): Promise<number> {
  checkWatchable(configOfFlags(strategy, values))
  const signal = untilSignalled()
  io.life.outliveOutput()
  const watching = new WatchedBacktest(strategy, values)
  signal.addEventListener('abort', () => watching.end(EXIT.done), { once: true })
  return await watching.ended
}

class WatchedBacktest {
  readonly ended: Promise<number>
  readonly #strategy: string | undefined
  readonly #values: FlagValues
  readonly #types = new TypesThread()
  readonly #sources = new SourceWatch((names) => this.#onSave(names))
  #thread: RunThread | undefined
  /** Report of the last complete run. */
  #report: RunReport | undefined
  /** Files whose save started the run. */
  #saved: readonly string[] = []
  #begunAt = 0
  #isReported = false
  #isOver = false
  #end: (code: number) => void = () => undefined

  constructor(strategy: string | undefined, values: FlagValues) {
    this.#strategy = strategy
    this.#values = values
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#run()
  }

  end(code: number): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sources.close()
    this.#types.end()
    void Promise.resolve(this.#thread?.stop()).then(() => this.#end(code))
  }

  #onSave(names: readonly string[]): void {
    this.#saved = names
    this.#run()
  }

  #run(): void {
    this.#begunAt = Date.now()
    if (this.#thread === undefined) void this.#begin()
    else this.#thread.again()
  }

  /** Runs until its thread ends. */
  async #begin(): Promise<void> {
    const thread = new RunThread()
    this.#thread = thread
    const { code } = await thread.run(
      { command: 'watch', strategy: this.#strategy, values: this.#values },
      {
        onRound: (round) => void this.#onRound(round),
        onSources: (files) => this.#sources.add(files, this.#begunAt, true),
      },
    )
    this.#thread = undefined
    if (!this.#isOver) this.#wait(code)
  }

  async #onRound({ shown, report, files }: WatchedRound): Promise<void> {
    const whole = report?.failure === null ? report : undefined
    this.#sources.add(files, this.#begunAt, whole === undefined)
    this.#reportSaved()
    if (whole !== undefined) {
      const before = this.#report
      io.stdout.write(before === undefined || !whole.audit.ok ? shown.stdout : runDelta(before, whole))
      this.#report = whole
    }
    io.stderr.write(shown.stderr)
    if (shown.pageOf !== undefined) {
      const { pageBeside } = await import('../page-beside.ts')
      for (const directory of [shown.pageOf].flat()) io.stderr.write(pageBeside(directory))
    }
    const begunAt = this.#begunAt
    const types = await this.#types.check(files)
    // A newer run reports its own types.
    if (this.#begunAt !== begunAt || this.#isOver) return
    io.stderr.write(types)
    this.#wait(shown.code)
  }

  /** Prints which save started the run, and how long it took. */
  #reportSaved(): void {
    if (this.#saved.length === 0) return
    const seconds = ((Date.now() - this.#begunAt) / 1_000).toFixed(2)
    io.stdout.write(`\n${printable(this.#saved.join(', '))} saved, ${seconds} s\n`)
    this.#saved = []
  }

  /** @param code  exit code of the finished run */
  #wait(code: number): void {
    if (this.#sources.isEmpty) {
      // No save can change the outcome, because a built-in strategy has no file.
      if (code === EXIT.done)
        io.stderr.write('--watch: nothing to watch, because a ready strategy runs without a config file\n')
      this.end(code === EXIT.done ? EXIT.input : code)
      return
    }
    if (code !== EXIT.done) io.stderr.write('waiting for the next save; press Ctrl-C to stop\n')
    else if (!this.#isReported) io.stderr.write(`\nwatching ${this.#watched()}; press Ctrl-C to stop\n`)
    this.#isReported ||= code === EXIT.done
  }

  #watched(): string {
    const name = printable(basename(this.#strategy ?? 'the strategy'))
    return `${name}, the files it imports and the config`
  }
}
