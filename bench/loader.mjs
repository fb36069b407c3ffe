/**
 * Lets a benchmark in TypeScript measure what ships: `../src/a.ts` is loaded from dist as the compiler wrote it, and
 * the benchmark itself loses its types and nothing else. By esbuild, which starts in a tenth of the compiler's time.
 *
 * A loader that turns modules into CommonJS, such as jiti, makes every call of an imported function a property read: a
 * tight loop over one came out eight times slower than it is.
 */
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { transform } from 'esbuild'

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
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { code } = await transform(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    sourcefile: url,
    target: 'es2023',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return { format: 'module', shortCircuit: true, source: code }
}
