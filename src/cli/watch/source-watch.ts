/**
 * Watches files for saves: by the folders that they lie in, so that an editor may put another file into the place of
 * one.
 *
 * What is written in several steps is one save, once nothing happens for a moment; a file that is away or empty in
 * between is waited for. A save that changes no byte is none. Where the system does not tell of changes, and while a
 * file is away, they are looked for.
 */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What is written within it belongs to one save. */
const QUIET_MS = 40
/** How long a file may be away or empty, as in the middle of a save. */
const AWAY_MS = 600
const LOOK_MS = 300

const CODE = /\.(?:[cm]?[jt]s|json)$/

export class SourceWatch {
  readonly #onSave: (names: readonly string[]) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** Of each file, by its path, what it held at the last save; empty for one that is away. */
  readonly #seen = new Map<string, string>()
  /** Names of other code that has come or changed, while any may be what is missing. */
  readonly #others = new Set<string>()
  #takesOthers = false
  #timer: NodeJS.Timeout | undefined
  #look: NodeJS.Timeout | undefined
  #unsettledSince: number | undefined

  /** @param onSave  told the names of the files that were saved */
  constructor(onSave: (names: readonly string[]) => void) {
    this.#onSave = onSave
  }

  /**
   * Watches further files.
   *
   * @param files        absolute paths
   * @param since        Unix milliseconds: one that was written later has been saved
   * @param takesOthers  any code that comes beside them counts too: what was read says that something is missing
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

  /** Whether there is anything to wait for. */
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

  /** A folder that is gone, or of which the system tells no more. */
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
      // Its folder may be gone with it, and tells nothing of another in its place.
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

/** A hash; empty for a file that is empty, away, or cannot be read. */
function contentOf(file: string): string {
  try {
    const bytes = readFileSync(file)
    return bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('hex')
  } catch {
    return ''
  }
}

/** The folder in which a file is named, and, for a link, that of what it leads to. */
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
