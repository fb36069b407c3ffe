/**
 * Loads and runs user code from files that are read once: a strategy, a liquidity model, a config.
 *
 * Every file that an import names literally is read before anything runs, and files with computed names while the code
 * is loaded; after that no further file is read. Packages and modules of Node are run by Node, and identified by name
 * and version.
 * Known limitations: files read as data are not tracked, nor is code loaded by `createRequire`, `eval` or a worker.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import type * as Jiti from 'jiti'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { unwatched } from '../heartbeat.ts'
import { Compiler, formOf, type ModuleForm } from './compiled-code.ts'
import { SourceFiles } from './source-files.ts'

type ModuleTarget =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'package'; readonly path: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }

const require = createRequire(import.meta.url)
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.json']

/**
 * @param parent  path of the importing file
 * @throws {Error} if it does not exist
 */
function resolveModule(specifier: string, parent: string, form: ModuleForm): ModuleTarget {
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier.replace(/^node:/, '') }
  const local = localPath(specifier, parent)
  if (local !== undefined) {
    const path = existingFile(local)
    if (path !== undefined) return { kind: 'file', path }
    throw new Error(`Cannot find module '${specifier}'`)
  }
  const path = packagePath(specifier, parent, form)
  const name = path.includes(`${sep}node_modules${sep}`) ? packageName(path) : undefined
  return name === undefined ? { kind: 'file', path } : { kind: 'package', path, name }
}

/** Undefined for a package name. */
function localPath(specifier: string, parent: string): string | undefined {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier)
  if (isAbsolute(specifier)) return specifier
  return /^\.{1,2}(?:$|[\\/])/.test(specifier) ? resolve(dirname(parent), specifier) : undefined
}

/** Tries the path itself; with an extension; TypeScript in place of its compiled name; the index of a folder. */
function existingFile(path: string): string | undefined {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const withEndings = (base: string): string[] => EXTENSIONS.map((extension) => `${base}${extension}`)
  return [path, ...withEndings(path), typed, ...withEndings(join(path, 'index'))].find(isFile)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

function packagePath(specifier: string, parent: string, form: ModuleForm): string {
  if (form === 'require') return firstLineOnly(() => createRequire(parent).resolve(specifier))
  const { createJiti } = require('jiti') as typeof Jiti
  const jiti = createJiti(parent, { fsCache: false, moduleCache: false, alias: {}, tsconfigPaths: false })
  const url = firstLineOnly(() => jiti.esmResolve(specifier, pathToFileURL(parent).href))
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

/** Node lists the importing files on further lines. */
function firstLineOnly(resolveIt: () => string): string {
  try {
    return resolveIt()
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new Error(line, { cause: error })
  }
}

/** `name@version` of the nearest named package; undefined for a file outside packages. */
function packageName(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (!existsSync(file)) continue
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown }
    if (typeof name === 'string') return typeof version === 'string' ? `${name}@${version}` : name
  }
  return undefined
}

/** Pattern in compiled code: the variable that holds a module. */
const IMPORTED = /\b(\w+) = (?:_interopRequire\w+\()?await jitiImport\(\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*\)/g

/**
 * Checks that compiled code imports only names that its modules export.
 *
 * Node reports them for ES modules before any code runs; in compiled code they would be `undefined` when they are
 * called.
 *
 * @param code      compiled
 * @param moduleOf  the module of a specifier; undefined if it is not known in advance
 * @throws {Error} for the first name that is not exported
 */
export function checkImportedNames(code: string, moduleOf: (specifier: string) => unknown): void {
  for (const [, variable = '', double, single = ''] of code.matchAll(IMPORTED)) {
    const specifier = double ?? single
    const module = moduleOf(specifier)
    if (typeof module !== 'object' || module === null) continue
    const names = Object.keys(module)
    for (const [, name = ''] of code.matchAll(new RegExp(String.raw`(?<![\w.$])${variable}\.(\w+)`, 'g'))) {
      if (name in module || name === 'default') continue
      throw new Error(`'${specifier}' has no '${name}'${nearestNameHint(name, names)}`)
    }
  }
}

export type Exports = Readonly<Record<string, unknown>>

/** Modules of papertape by import name, independent of the file's location. */
export type OwnModules = Readonly<Record<string, () => unknown>>

type Body = (this: unknown, ...args: unknown[]) => unknown

interface ModuleRecord {
  readonly path: string
  readonly module: { exports: unknown; readonly id: string; readonly filename: string; loaded: boolean }
  /** Settles once it has run. */
  life: Promise<void>
  /** The modules that must run before it continues. */
  readonly waitsFor: Set<ModuleRecord>
}

/** Pattern in compiled code: imports and requires of a literal name. */
const NAMED_IMPORT = /\b(jitiImport|require)\(\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*\)/g

/** Error codes of Node for a package that needs a loader like this one, or that imports a module of papertape. */
const NOT_FOR_NODE: readonly unknown[] = [
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
]

/**
 * Namespace of an import within a cycle, in which one module must continue before the other has run.
 *
 * Node throws for an export that is not initialised yet; compiled code would return `undefined`, which would surface
 * much later.
 *
 * @param module  is still running, and will be loaded later
 * @param ring    paths: each imports the next, and the last the first
 */
function earlyNamespace(
  module: { readonly exports: unknown; readonly loaded: boolean },
  ring: readonly string[],
): unknown {
  const { exports } = module
  if (typeof exports !== 'object' || exports === null) return exports
  return new Proxy(exports, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      // Every promise reads `then`.
      if (value !== undefined || module.loaded || typeof name !== 'string' || name === 'then') return value
      throw new ReferenceError(`'${name}' of ${basename(ring[1] ?? '')} is not defined yet, because ${ringText(ring)}`)
    },
  })
}

/** `a.ts imports b.ts, which imports c.ts, which imports a.ts` */
function ringText(ring: readonly string[]): string {
  const [first = '', ...others] = ring.map((path) => basename(path))
  const closed = others.at(-1) === first ? others : [...others, first]
  return `${first} imports ${closed.join(', which imports ')}`
}

export class UserCode {
  readonly files: SourceFiles
  readonly #own: OwnModules
  readonly #compiler: Compiler
  readonly #code = new Map<string, string>()
  readonly #targets = new Map<string, ModuleTarget>()

  /**
   * @param path      absolute
   * @param isCached  false to compile everything again
   */
  constructor(path: string, own: OwnModules, isCached = true) {
    this.files = new SourceFiles(path)
    this.#own = own
    this.#compiler = new Compiler(isCached)
  }

  /** Runs it, each time with fresh module state; the files are those of the first time. */
  async load(): Promise<Exports> {
    const { entry } = this.files
    this.#follow(entry, formOf(entry, 'import'))
    const records = new Map<string, ModuleRecord>()
    const first = this.#start(entry, 'import', records)
    await first.life
    this.files.seal()
    const { exports } = first.module
    return typeof exports === 'object' && exports !== null ? (exports as Exports) : { default: exports }
  }

  /** Reads a file, and the files that it names. */
  #follow(path: string, form: ModuleForm): string {
    const key = `${form} ${path}`
    const known = this.#code.get(key)
    if (known !== undefined) return known
    const file = this.files.read(path)
    const code = path.endsWith('.json') ? file.text : unwatched(() => this.#compiler.compile(file, form))
    this.#code.set(key, code)
    if (!path.endsWith('.json')) this.#followNamed(code, path)
    return code
  }

  #followNamed(code: string, path: string): void {
    for (const [, call, double, single = ''] of code.matchAll(NAMED_IMPORT)) {
      const form = call === 'require' ? 'require' : 'import'
      const target = this.#targetIfAny(double ?? single, path, form)
      if (target?.kind === 'file' && isCode(target.path)) this.#follow(target.path, formOf(target.path, form))
      if (target?.kind === 'package') this.files.addPackage(target.name)
    }
  }

  /** An unresolvable name is reported when the import runs, if it does. */
  #targetIfAny(specifier: string, parent: string, form: ModuleForm): ModuleTarget | undefined {
    if (Object.hasOwn(this.#own, specifier)) return undefined
    try {
      return this.#target(specifier, parent, form)
    } catch {
      return undefined
    }
  }

  /** Resolved once: later changes of the file system have no effect. */
  #target(specifier: string, parent: string, form: ModuleForm): ModuleTarget {
    const key = `${form} ${parent} ${specifier}`
    const target = this.#targets.get(key) ?? resolveModule(specifier, parent, form)
    this.#targets.set(key, target)
    return target
  }

  #start(path: string, asked: ModuleForm, records: Map<string, ModuleRecord>): ModuleRecord {
    const form = formOf(path, asked)
    const code = this.#follow(path, form)
    const module = { exports: {} as unknown, id: path, filename: path, loaded: false }
    const record: ModuleRecord = { path, module, life: Promise.resolve(), waitsFor: new Set() }
    records.set(path, record)
    if (path.endsWith('.json')) {
      module.exports = JSON.parse(code)
      module.loaded = true
      return record
    }
    checkImportedNames(code, (name) => (Object.hasOwn(this.#own, name) ? this.#own[name]?.() : undefined))
    const finish = (): void => {
      throwIfUnparsed(module.exports)
      module.loaded = true
    }
    if (form === 'require') {
      this.#run(code, form, record, records)
      finish()
    } else {
      // Deferred, because an importer must be registered as waiting before the module imports it back.
      record.life = Promise.resolve()
        .then(() => this.#run(code, form, record, records))
        .then(finish)
    }
    return record
  }

  #run(code: string, form: ModuleForm, record: ModuleRecord, records: Map<string, ModuleRecord>): unknown {
    const { path, module } = record
    const head = `(${form === 'import' ? 'async ' : ''}function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { `
    const script = new Script(`${head}${code}\n})`, { filename: path, columnOffset: -head.length })
    const body = script.runInThisContext() as Body
    const requireIt = Object.assign((name: string): unknown => this.#require(name, record, records), {
      resolve: (name: string): string => placeOf(this.#target(name, path, 'require')),
      cache: {},
    })
    const importIt = (name: string): Promise<unknown> => this.#import(name, record, records)
    const resolveIt = (name: string): string => {
      const place = placeOf(this.#target(name, path, 'import'))
      return place.startsWith('node:') ? place : pathToFileURL(place).href
    }
    const { exports } = module
    return body.call(
      exports,
      exports,
      requireIt,
      Object.assign(module, { require: requireIt }),
      path,
      dirname(path),
      importIt,
      resolveIt,
    )
  }

  async #import(specifier: string, parent: ModuleRecord, records: Map<string, ModuleRecord>): Promise<unknown> {
    const own = this.#own[specifier]
    if (own !== undefined && Object.hasOwn(this.#own, specifier)) return own()
    const target = this.#target(specifier, parent.path, 'import')
    if (target.kind === 'builtin') {
      this.files.addBuiltin(target.name)
      return importNative(`node:${target.name}`)
    }
    if (target.kind === 'package') {
      this.files.addPackage(target.name)
      try {
        return await importNative(pathToFileURL(target.path).href)
      } catch (error) {
        if (!isNotForNode(error)) throw error
      }
    }
    const record = records.get(target.path) ?? this.#start(checkedPath(target.path), 'import', records)
    if (!record.module.loaded) {
      const ring = wayFrom(record, parent)
      // Within a cycle of imports one module must continue with what exists.
      if (ring !== undefined)
        return earlyNamespace(
          record.module,
          [parent, ...ring].map(({ path }) => path),
        )
      parent.waitsFor.add(record)
      await record.life
      parent.waitsFor.delete(record)
    }
    return namespaceOf(record)
  }

  #require(specifier: string, parent: ModuleRecord, records: Map<string, ModuleRecord>): unknown {
    const own = this.#own[specifier]
    if (own !== undefined && Object.hasOwn(this.#own, specifier)) return own()
    const target = this.#target(specifier, parent.path, 'require')
    const native = createRequire(parent.path)
    if (target.kind === 'builtin') {
      this.files.addBuiltin(target.name)
      return native(`node:${target.name}`)
    }
    if (target.kind === 'package') {
      this.files.addPackage(target.name)
      try {
        return native(target.path)
      } catch (error) {
        if (!isNotForNode(error)) throw error
      }
    }
    return (records.get(target.path) ?? this.#start(checkedPath(target.path), 'require', records)).module.exports
  }
}

const importNative = (url: string): Promise<unknown> => import(url)

const isCode = (path: string): boolean => /\.(?:[cm]?[jt]s|tsx|json)$/.test(path)

function checkedPath(path: string): string {
  if (isCode(path)) return path
  throw new Error(`'${basename(path)}' cannot be imported: it is not TypeScript, JavaScript or JSON`)
}

const isNotForNode = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOT_FOR_NODE.includes(error.code)

const placeOf = (target: ModuleTarget): string => (target.kind === 'builtin' ? `node:${target.name}` : target.path)

/** The chain of modules through which one waits for another, both included; undefined if it does not. */
function wayFrom(from: ModuleRecord, to: ModuleRecord): readonly ModuleRecord[] | undefined {
  const ways = new Map<ModuleRecord, readonly ModuleRecord[]>([[from, [from]]])
  for (const [record, way] of ways) {
    if (record === to) return way
    for (const next of record.waitsFor) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return undefined
}

/** Exports of a module that is not an ES module: its default, and each of its properties. */
function namespaceOf({ module: { exports } }: ModuleRecord): unknown {
  if (typeof exports !== 'object' || exports === null) return { default: exports }
  return '__esModule' in exports ? exports : { ...exports, default: exports }
}

/** The compiler embeds a syntax error in the code, to be found when that runs. */
function throwIfUnparsed(exports: unknown): void {
  if (typeof exports !== 'object' || exports === null || !('__JITI_ERROR__' in exports)) return
  const { filename, line, column, code, message } = exports.__JITI_ERROR__ as Record<string, string | number>
  throw new SyntaxError(`${code}: ${message} \n ${filename}:${line}:${column}`)
}
