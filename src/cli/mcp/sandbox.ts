/**
 * The one folder that tools read and write.
 *
 * Invariant: no path of a tool leads out of it, also by way of a symbolic link.
 * Known limit: a strategy is a program that runs with the rights of the user, and is not held to the folder.
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from '../../domain/errors.ts'
import { asWriteFault } from '../../domain/write-fault.ts'

export const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

/** Largest file that a tool writes. */
const MAX_WRITTEN_BYTES = 256 * 1024
/** Largest file that a tool reads. */
const MAX_READ_BYTES = 16 * 1024 * 1024
/** Most files in a list. */
const MAX_LISTED = 500

/** Names that a tool neither reads nor writes: keys, settings of git and npm, and config that every run loads. */
const PRIVATE = /^(?:\.|node_modules$|papertape\.config\.|package(?:-lock)?\.json$|tsconfig)/

export class Sandbox {
  /** Absolute, without symbolic links. */
  readonly folder: string

  /** @throws {InputError} if the folder cannot be created */
  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true })
      this.folder = realpathSync(folder)
    } catch (error) {
      throw asWriteFault(folder, error)
    }
  }

  /**
   * Absolute path of a file or directory that may not exist yet.
   *
   * @param place  of the error
   * @throws {InputError} if it leads out of the folder, or is private
   */
  path(place: string, path: string): string {
    const refused = (why: string): InputError => new InputError(place, `'${path}' ${why}`)
    if (path === '' || path.includes('\0')) throw refused('is no path')
    if (isAbsolute(path) || /^(?:~|[A-Za-z]:|\\)/.test(path))
      throw refused('is absolute; give a path relative to the folder of the server')
    const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
    if (parts.includes('..')) throw refused('leads out of the folder of the server')
    const hidden = parts.find((part) => PRIVATE.test(part))
    if (hidden !== undefined) throw refused(`is private to the user, because of '${hidden}'`)
    const full = join(this.folder, ...parts)
    if (!this.#isInside(full)) throw refused('is a symbolic link that leads out of the folder of the server')
    return full
  }

  /** The same path from the folder, as a command takes it: it cannot be read as a flag. */
  argument(place: string, path: string): string {
    return `./${relative(this.folder, this.path(place, path)).replaceAll(sep, '/')}`
  }

  /** Path of a recording: of the folder, or of the package if it begins with `data/`. */
  recording(place: string, path: string): string {
    const own = this.argument(place, path)
    const [, name] = /^\.\/data\/([\w-][\w.-]*)$/.exec(own) ?? []
    const shipped = join(PACKAGE, 'data', name ?? '')
    return name !== undefined && !isFile(join(this.folder, own)) && isFile(shipped) ? shipped : own
  }

  /** @throws {InputError} if it is missing, too large, or not UTF-8 text */
  read(place: string, path: string): string {
    const full = this.path(place, path)
    const found = statSync(full, { throwIfNoEntry: false })
    if (found?.isFile() !== true) throw new InputError(place, `no such file '${path}'`)
    if (found.size > MAX_READ_BYTES) throw new InputError(place, `'${path}' is larger than ${MAX_READ_BYTES} bytes`)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(full))
    } catch (error) {
      throw new InputError(place, `'${path}' is not text`, { cause: error })
    }
  }

  /** Writes a whole file or nothing. @throws {InputError} if it is too large, or cannot be written */
  write(place: string, path: string, text: string): void {
    const full = this.path(place, path)
    const bytes = Buffer.byteLength(text)
    if (bytes > MAX_WRITTEN_BYTES)
      throw new InputError(place, `'${path}' has ${bytes} bytes; at most ${MAX_WRITTEN_BYTES} are written`)
    if (statSync(full, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new InputError(place, `'${path}' is a directory`)
    const draft = `${full}.draft`
    try {
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(draft, text, { flag: 'wx' })
      renameSync(draft, full)
    } catch (error) {
      rmSync(draft, { force: true })
      throw asWriteFault(path, error)
    }
  }

  /** Paths of files whose names match, from the folder, sorted; without links and private files. */
  files(pattern: RegExp): readonly string[] {
    const found: string[] = []
    const visit = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (PRIVATE.test(entry.name) || found.length >= MAX_LISTED) continue
        const full = join(folder, entry.name)
        if (entry.isDirectory()) visit(full)
        else if (entry.isFile() && pattern.test(entry.name)) found.push(relative(this.folder, full))
      }
    }
    visit(this.folder)
    return found.map((each) => each.replaceAll(sep, '/')).sort()
  }

  /** Creates the first free directory `runs/NAME-N`, which no other process gets. */
  newRun(name: string): string {
    mkdirSync(this.path('out', 'runs'), { recursive: true })
    for (let number = 1; ; number += 1) {
      const path = `runs/${name}-${number}`
      try {
        mkdirSync(this.path('out', path))
        return `./${path}`
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw asWriteFault(path, error)
      }
    }
  }

  /** Removes the directory of a run that wrote nothing. @returns true if it is still there */
  keepRun(path: string): boolean {
    const full = this.path('out', path)
    const hasFiles = readdirSync(full).length > 0
    if (!hasFiles) rmdirSync(full)
    return hasFiles
  }

  /** True if the path, or what exists of it, is in the folder after every link is followed. */
  #isInside(full: string): boolean {
    let existing = full
    while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing)
    try {
      const real = realpathSync(existing)
      return real === this.folder || real.startsWith(this.folder.endsWith(sep) ? this.folder : `${this.folder}${sep}`)
    } catch {
      // A link to nothing: what is written through it would appear there.
      return false
    }
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
