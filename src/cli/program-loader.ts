/**
 * Loads the bundled program: two scripts that hold every module, each of which runs when it is first needed. Their code
 * as V8 compiled it is kept from one start to the next: to read it takes a tenth of the time.
 * `module.enableCompileCache` of Node 22 does the same for modules, but Node 20 has no such thing.
 *
 * scripts/bundle-program.mjs bundles this file. Nothing else imports it.
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
/** One entry is 1 to 3 MB, and each command and each thread has one or two. */
const MAX_ENTRIES = 64
/** A command that goes on for longer, such as `serve`, keeps the code of its start. */
const START_MS = 2000
/** Later V8 has dropped the code of functions that have not been called for a while: the start would be missing. */
const MAX_AGE_MS = 30_000

/** The value of a script: it returns what runs each module that others may ask for, by the path of its source. */
type Program = (
  require: NodeJS.Require,
  folder: string,
  importModule: (name: string) => Promise<unknown>,
  front: (name: string) => object,
  decimalJs: typeof Decimal | undefined,
  keepCode: () => void,
) => Record<string, () => object>

/** What the help and the reading of a command line need. */
let front: ReturnType<Program> | undefined
/** All the rest. */
let program: ReturnType<Program> | undefined
/** The module that was asked for first. */
let start = ''
/** Imported by the caller: this copy is that of every ECMAScript module. */
let decimalJs: typeof Decimal | undefined
const keepers: (() => void)[] = []

/**
 * Runs a module of the program, and all that it imports.
 *
 * @param name     path of its source in src, without the file type
 * @param decimal  decimal.js, which everything but the front needs
 * @returns what it exports
 */
export function load(name: string, decimal?: typeof Decimal): object {
  decimalJs ??= decimal
  if (start === '') begin(name)
  front ??= script('front')
  return (front[name] ?? (program ??= script('program'))[name])?.() ?? {}
}

function begin(name: string): void {
  start = name
  if (!isMainThread) return
  process.once('exit', keepCode)
  if (start === 'cli/main') setTimeout(keepCode, START_MS).unref()
}

/** Keeps the code of this start for the next one, unless it came from the cache. */
function keepCode(): void {
  for (const keep of keepers.splice(0)) keep()
}

function script(name: 'front' | 'program'): ReturnType<Program> {
  const file = new URL(`./${name}.cjs`, FOLDER)
  const cache = openCache()
  const { size, mtimeMs, ctimeMs } = statSync(file)
  const key = JSON.stringify([file.href, size, mtimeMs, ctimeMs, cachedDataVersionTag(), start, command()])
  const known = cache?.get(key)
  const compiled = new Script(readFileSync(file, 'latin1'), { filename: file.href, cachedData: known })
  if (cache !== undefined && (known === undefined || compiled.cachedDataRejected === true)) {
    keepers.push(() => {
      if (performance.now() < MAX_AGE_MS) cache.put(key, compiled.createCachedData())
    })
  }
  const run = compiled.runInThisContext() as Program
  return run(createRequire(fileURLToPath(file)), FOLDER.href, importModule, load, decimalJs, keepCode)
}

/**
 * None for `verify` and its threads: runs of others are checked without code that could have been changed after it was
 * compiled.
 */
const openCache = (): PrivateCache | undefined =>
  process.argv[2] === 'verify' ? undefined : PrivateCache.open(userCacheFolder('program'), MAX_ENTRIES)

/** The command by which the code that runs differs; empty for help, and outside of the command line. */
function command(): string {
  const [first = '', ...flags] = process.argv.slice(2)
  const isHelp = ['--help', '-h', '--version'].some((flag) => flags.includes(flag))
  return start === 'cli/main' && /^[a-z]{1,20}$/.test(first) && !isHelp ? first : ''
}

/** @param name  of a package, a URL, or after `#` a module of the program */
async function importModule(name: string): Promise<unknown> {
  // eslint-disable-next-line papertape/no-decimals -- passed on; nothing is computed here
  if (name.startsWith('#')) return load(name.slice(1), await import('decimal.js'))
  return (await import(name)) as unknown
}
