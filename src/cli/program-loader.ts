/**
 * Loader of the bundled program: scripts with all modules, each run on first use. Their compiled code is cached
 * between starts, because loading it takes a tenth of the time. `module.enableCompileCache` does the same for modules,
 * but only from Node 22 on.
 *
 * Bundled by scripts/bundle-program.mjs; nothing else imports this file.
 */
import type * as Decimal from 'decimal.js'
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { PrivateCache } from '../runtime/modules/private-cache.ts'
import { userCacheFolder } from '../runtime/modules/user-cache.ts'

const FOLDER = new URL('./', import.meta.url)
/** Each entry has 1 to 3 MB, and each command and thread needs two to four. */
const MAX_ENTRIES = 96
/** Long-running commands, such as `serve`, cache the code of their start. */
const START_MS = 2000
/** Later V8 may have discarded functions that were only called at the start. */
const MAX_AGE_MS = 30_000

/** A script returns a function per module that runs it, by source path. */
type Program = (
  require: NodeJS.Require,
  folder: string,
  importModule: (name: string) => Promise<unknown>,
  load: (place: string) => object,
  decimalJs: typeof Decimal | undefined,
  saveCode: () => void,
) => Record<string, () => object>

const scripts = new Map<string, ReturnType<Program>>()
/** The first requested module. */
let start = ''
/** Imported by the caller, so that all ECMAScript modules share this copy. */
let decimalJs: typeof Decimal | undefined
const savers: (() => void)[] = []

/**
 * Runs a module of the program with its imports.
 *
 * @param place    name of its script and path of its source in src, without extension, such as `run:cli/run-job`
 * @param decimal  decimal.js, which all scripts but `start` and `front` need
 * @returns its exports
 */
export function load(place: string, decimal?: typeof Decimal): object {
  decimalJs ??= decimal
  const [name = '', path = ''] = place.split(':')
  if (start === '') begin(path)
  const modules = scripts.get(name) ?? script(name)
  scripts.set(name, modules)
  return modules[path]?.() ?? {}
}

function begin(name: string): void {
  start = name
  if (!isMainThread) return
  process.once('exit', saveCode)
  if (start === 'cli/main') setTimeout(saveCode, START_MS).unref()
}

/** Caches the code of this start for the next one, unless it came from the cache. */
function saveCode(): void {
  for (const save of savers.splice(0)) save()
}

function script(name: string): ReturnType<Program> {
  const file = new URL(`./${name}.cjs`, FOLDER)
  const cache = openCache(name)
  const { size, mtimeMs, ctimeMs } = statSync(file)
  const key = JSON.stringify([file.href, size, mtimeMs, ctimeMs, cachedDataVersionTag(), start, command()])
  const known = cache?.get(key)
  const compiled = new Script(readFileSync(file, 'latin1'), { filename: file.href, cachedData: known })
  if (cache !== undefined && (known === undefined || compiled.cachedDataRejected === true)) {
    savers.push(() => {
      if (performance.now() < MAX_AGE_MS) cache.put(key, compiled.createCachedData())
    })
  }
  const run = compiled.runInThisContext() as Program
  return run(createRequire(fileURLToPath(file)), FOLDER.href, importModule, load, decimalJs, saveCode)
}

/**
 * No cache for the small script `start`, and none for `verify`: a check must not run code that may have been modified
 * after compilation.
 */
const openCache = (name: string): PrivateCache | undefined =>
  process.argv[2] === 'verify' || name === 'start'
    ? undefined
    : PrivateCache.open(userCacheFolder('program'), MAX_ENTRIES)

/** The command as part of the cache key; empty for help, and outside of the command line. */
function command(): string {
  const [first = '', ...flags] = process.argv.slice(2)
  const isHelp = ['--help', '-h', '--version'].some((flag) => flags.includes(flag))
  return start === 'cli/main' && /^[a-z]{1,20}$/.test(first) && !isHelp ? first : ''
}

/** @param name  of a package, a URL, or after `#` the place of a module */
async function importModule(name: string): Promise<unknown> {
  // eslint-disable-next-line papertape/no-decimals -- passed on; nothing is computed here
  if (/^#(?!start:|front:)/.test(name)) return load(name.slice(1), await import('decimal.js'))
  if (name.startsWith('#')) return load(name.slice(1))
  return (await import(name)) as unknown
}
