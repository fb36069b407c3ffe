/**
 * The files of a user's code, each read once: the hashed bytes are the bytes that run.
 *
 * Invariant: once sealed, no further file is added, so the digest covers everything that runs.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { rememberUserFile } from './user-place.ts'

export interface SourceFile {
  /** Absolute. */
  readonly path: string
  /** Bytes of the file when it was read. */
  readonly bytes: Uint8Array
  readonly text: string
  /** Lower-case hex SHA-256 of its bytes. */
  readonly sha256: string
}

/** A user's code as plain data: what another machine needs to run it. */
export interface CodeSource {
  /** Absolute path of the entry file. */
  readonly entry: string
  /** All files including the entry, sorted by their paths. */
  readonly files: readonly Pick<SourceFile, 'path' | 'bytes' | 'sha256'>[]
  /** Name and version of each imported package, sorted. */
  readonly packages: readonly string[]
}

/** A file that the user's code imports, as recorded by a run. */
export interface ImportedFile {
  /** Path relative to the folder of the entry, with `/` between folders. */
  readonly file: string
  readonly sha256: string
}

/** Modules of Node that only compute; the random numbers of `crypto` are watched separately. */
const PURE: ReadonlySet<string> = new Set([
  ...[
    'assert',
    'assert/strict',
    'async_hooks',
    'buffer',
    'console',
    'crypto',
    'diagnostics_channel',
    'events',
    'path',
    'path/posix',
  ],
  ...[
    'path/win32',
    'perf_hooks',
    'process',
    'punycode',
    'querystring',
    'stream',
    'stream/promises',
    'string_decoder',
    'timers',
  ],
  ...['timers/promises', 'url', 'util', 'util/types', 'zlib'],
])

export class SourceFiles {
  /** Absolute path of the entry file. */
  readonly entry: string
  readonly #files = new Map<string, SourceFile>()
  readonly #packages = new Set<string>()
  readonly #outside = new Set<string>()
  #isSealed = false

  constructor(entry: string) {
    this.entry = entry
  }

  /** @throws {Error} if it cannot be read, or is requested after the files were sealed */
  read(path: string): SourceFile {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    if (this.#isSealed) {
      const name = relative(dirname(this.entry), path)
      throw new Error(
        `'${name}' is imported with a computed path, so it cannot be hashed: write the path as a string literal`,
      )
    }
    const bytes = readFileSync(path)
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    const file = { path, bytes, text, sha256: createHash('sha256').update(bytes).digest('hex') }
    this.#files.set(path, file)
    rememberUserFile(path)
    return file
  }

  /** @param name  of a module of Node, without `node:` */
  addBuiltin(name: string): void {
    if (!PURE.has(name)) this.#outside.add(`node:${name}`)
  }

  /** Imported modules of Node that may read data outside of any digest, sorted. */
  get outside(): readonly string[] {
    return [...this.#outside].sort()
  }

  /** @param name  with its version: `left-pad@1.3.0` */
  addPackage(name: string): void {
    if (this.#packages.has(name)) return
    if (this.#isSealed)
      throw new Error(`package ${name} is imported with a computed name: write the name as a string literal`)
    this.#packages.add(name)
  }

  /** From now on only files that were read before can be read. */
  seal(): void {
    this.#isSealed = true
  }

  /** All files except the entry, sorted by their names. */
  get imports(): readonly ImportedFile[] {
    const folder = dirname(this.entry)
    return [...this.#files.values()]
      .filter(({ path }) => path !== this.entry)
      .map(({ path, sha256 }) => ({ file: relative(folder, path).split(sep).join('/'), sha256 }))
      .sort((left, right) => (left.file < right.file ? -1 : 1))
  }

  /** Name and version of each package, sorted. */
  get packages(): readonly string[] {
    return [...this.#packages].sort()
  }

  /** Everything, for another machine. */
  source(): CodeSource {
    const files = [...this.#files.values()].map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
    files.sort((left, right) => (left.path < right.path ? -1 : 1))
    return { entry: this.entry, files, packages: this.packages }
  }

  /**
   * Lower-case hex SHA-256 of the entry file; if it imports others, of a list in the format of `sha256sum`: the entry,
   * the others by name, then a line per package.
   */
  digest(): string {
    const { sha256 } = this.read(this.entry)
    const { imports, packages } = this
    if (imports.length === 0 && packages.length === 0) return sha256
    const lines = [{ file: '.', sha256 }, ...imports].map((file) => `${file.sha256}  ${file.file}\n`)
    const list = [...lines, ...packages.map((name) => `package  ${name}\n`)].join('')
    return createHash('sha256').update(list).digest('hex')
  }
}
