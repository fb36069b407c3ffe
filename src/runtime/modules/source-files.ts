/**
 * The files of a user's code, each read once: the bytes that are hashed are the bytes that run.
 *
 * Invariant: once sealed, no further file comes in, so the digest covers whatever runs.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { rememberUserFile } from './user-place.ts'

export interface SourceFile {
  /** Absolute. */
  readonly path: string
  /** As they were read. */
  readonly bytes: Uint8Array
  readonly text: string
  /** Lower-case hex SHA-256 of its bytes. */
  readonly sha256: string
}

/** Code of the user's, as plain data: what another machine needs to run the same. */
export interface CodeSource {
  /** Absolute path of the first file. */
  readonly entry: string
  /** The first one among them, sorted by their paths. */
  readonly files: readonly Pick<SourceFile, 'path' | 'bytes' | 'sha256'>[]
  /** Name and version of each package that they import, sorted. */
  readonly packages: readonly string[]
}

/** A file that the user's own imports, as a run remembers it. */
export interface ImportedFile {
  /** From the folder of the first file, with `/` between folders. */
  readonly file: string
  readonly sha256: string
}

/** Modules of Node that compute, and read nothing; chance of `crypto` is watched by itself. */
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
  /** Absolute path of the first one. */
  readonly entry: string
  readonly #files = new Map<string, SourceFile>()
  readonly #packages = new Set<string>()
  readonly #outside = new Set<string>()
  #isSealed = false

  constructor(entry: string) {
    this.entry = entry
  }

  /** @throws {Error} when it cannot be read, or comes after the digest was taken */
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

  /** Modules of Node that it imports and by which it may read what no digest covers, sorted. */
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

  /** From now on only what was read before can be read. */
  seal(): void {
    this.#isSealed = true
  }

  /** Those beside the first, sorted by their names. */
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

  /** All of it, for another machine. */
  source(): CodeSource {
    const files = [...this.#files.values()].map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
    files.sort((left, right) => (left.path < right.path ? -1 : 1))
    return { entry: this.entry, files, packages: this.packages }
  }

  /**
   * Lower-case hex SHA-256 of the first file; where it imports others, of a list in the form of `sha256sum`: the first
   * file, the others by name, then a line a package.
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
