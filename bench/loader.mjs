/**
 * Lets a benchmark in TypeScript measure what ships: `../src/a.ts` is loaded from dist as the compiler wrote it, and
 * the benchmark itself loses its types and nothing else.
 *
 * A loader that turns modules into CommonJS, such as jiti, makes every call of an imported function a property read: a
 * tight loop over one came out eight times slower than it is.
 */
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import ts from 'typescript'

const root = new URL('..', import.meta.url).href

// Imported once by the main thread, to register itself, and once by Node's thread for hooks, to be used.
if (isMainThread) register(import.meta.url)

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (!/^\.\.?\/.*\.ts$/.test(specifier)) return next(specifier, context)
  const path = new URL(specifier, context.parentURL).href.slice(root.length)
  return next(root + path.replace(/^src\/(.*)\.ts$/, 'dist/$1.js'), context)
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    fileName: url,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true },
  })
  return { format: 'module', shortCircuit: true, source: outputText }
}
