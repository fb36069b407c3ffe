/**
 * Writes every module of src as JavaScript into dist, without a look at its types: `npm run check` does that, and the
 * compiler writes the declarations. A module whose source is gone leaves dist with it.
 *
 * Invariant: a module stands in dist where it stands in src, so that the modules next to it and the files beside it are
 * found.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const out = fileURLToPath(new URL('../dist/', import.meta.url))

/** Written by the bundling of pages, not from src. */
const ELSEWHERE = /^pages\//

/** An import of a neighbour as esbuild prints it: at the start of a line, alone on it. */
const STATIC = /^((?:(?:import|export)\b[^\n]*?|\} from) ?)"(\.{1,2}\/[^"\n]+)\.ts"(?=;$| with )/gm
const DYNAMIC = /\bimport\("(\.{1,2}\/[^"\n]+)\.ts"\)/g

/** @param {string} folder @param {RegExp} names  paths of its files, with slashes */
function files(folder, names) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((path) => names.test(path))
}

/** Milliseconds, 0 of what is not there. @param {string} file */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whatever decides how a module is written. */
const rules = Math.max(
  ...['transpile.mjs', '../package-lock.json'].map((file) => changedAt(fileURLToPath(new URL(file, import.meta.url)))),
)

/** @param {string} path  of a module, below src */
async function write(path) {
  const from = source + path
  const to = out + path.replace(/\.ts$/, '.js')
  const isFresh = changedAt(to) > Math.max(changedAt(from), rules)
  if (isFresh) return
  const { code } = await transform(readFileSync(from, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
    charset: 'utf8',
    sourcefile: from,
  })
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, code.replaceAll(STATIC, '$1"$2.js"').replaceAll(DYNAMIC, 'import("$1.js")'))
}

/**
 * @param {boolean} withTypes  declarations of modules that are gone leave, too: the compiler, which writes them, comes
 * next
 */
export async function transpile(withTypes) {
  const modules = files(source, /\.ts$/)
  const expected = new Set(modules.map((path) => path.replace(/\.ts$/, '')))
  mkdirSync(out, { recursive: true })
  for (const path of files(out, withTypes ? /\.(?:js|d\.ts)$/ : /\.js$/)) {
    if (!ELSEWHERE.test(path) && !expected.has(path.replace(/\.(?:js|d\.ts)$/, ''))) rmSync(out + path)
  }
  await Promise.all(modules.map(write))
  const now = new Date()
  utimesSync(out, now, now)
}
