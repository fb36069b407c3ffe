/**
 * Detects saves of files by watching their folders, because editors may replace a file.
 *
 * Several writes count as one save (debounce); a file that is missing or empty in between is waited for. A save without
 * changes is ignored. While the system reports no events, or a file is missing, the files are polled.
 */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Debounce time. */
const QUIET_MS = 40
/** Maximum time that a file may be missing or empty during a save. */
const AWAY_MS = 600
const LOOK_MS = 300

const CODE = /\.(?:[cm]?[jt]s|json)$/

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
