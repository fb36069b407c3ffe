/**
 * Bundles the program into bundle/: one script with all modules, each of which runs when it is first needed, and a
 * small file for each process, thread and export of the package, which loads its module from the script. A start reads
 * one file instead of a thousand, and src/cli/program-loader.ts gets its compiled code from a cache.
 *
 * Invariant: a module runs once in a thread, whatever loads it: the command line, a strategy that imports
 * `papertape`, a program that imports `papertape/run`.
 *
 * Packages that others use too stay outside, because there has to be one of each. RxJS is in the script, and provided
 * to everybody who asks for the installed one (bundle-rxjs.mjs): its timers follow the virtual clock.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { packedRxjs } from './bundle-rxjs.mjs'
import { textWidth } from './bundle-text-width.mjs'

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('../', import.meta.url))
const out = `${root}bundle`
const unfinished = `${root}.cache/bundle-${process.pid}`

/** First files of processes and threads. */
const STARTS = [
  'cli/main',
  'cli/run-thread-entry',
  'cli/bounds-thread-entry',
  'cli/types-thread-entry',
  'run/sweep/sweep-thread-entry',
  'run/shadow/shadow-entry',
]
const EXPORTS = ['index', 'liquidity', 'run', 'testing', 'emulator']

/**
 * Small packages that nearly every start needs, or that a CommonJS script cannot load, and that no one reports from a
 * second copy.
 */
const BUNDLED = ['yargs', 'zod', 'csv-parse', 'fflate', 'hyparquet', 'hyparquet-writer', 'picocolors', 'pure-rand']
/** Packages of which everybody has the same copy, and what stands for each in the script. */
const SHARED = /^(?:rxjs(?:\/.*)?|decimal\.js)$/

/** @type {{ dependencies: Record<string, string>, peerDependencies: Record<string, string> }} */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter(
  (name) => !BUNDLED.includes(name) && !SHARED.test(name),
)

/**
 * A module keeps the place of its source: folder by folder, bundle/ stands for src/. So data files, threads and exports
 * are found from either.
 *
 * @type {import('esbuild').Plugin}
 */
const ownPlace = {
  name: 'own-place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const place = relative(`${root}src`, path).replaceAll(sep, '/').replace(/\.ts$/, '.js')
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', `new URL('${place}', __folder).href`) }
    })
  },
}

/**
 * Shared packages are taken from the loader, name by name: a variable is faster to read than a property of a module.
 *
 * @type {import('esbuild').Plugin}
 */
const shared = {
  name: 'shared',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: SHARED }, ({ path }) => ({ path, namespace: 'shared' }))
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => !['__esModule', 'default'].includes(name))
      const from = path === 'decimal.js' ? '__decimal' : `__rxjs(${JSON.stringify(path)})`
      return { contents: `export const { ${names.join(', ')} } = ${from}` }
    })
  },
}

/** @type {import('esbuild').Plugin} */
const keptCode = {
  name: 'kept-code',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]runtime[\\/]modules[\\/]save-code\.ts$/ }, () => ({
      contents: 'export const saveCode = __saveCode',
    }))
  },
}

/** Modules that help and parsing of a command line need, without those of the commands. */
const front = await modulesOf(['cli/main', 'cli/command-line', 'cli/process-end', 'cli/process-io'])
/** Modules outside of the front that it imports when they are needed. @type {Set<string>} */
const commands = new Set()
const names = new Map(await exportedNames([...EXPORTS, ...front]))

/** @type {import('esbuild').Plugin} */
const elsewhere = {
  name: 'elsewhere',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ importer, kind, path }) => {
      const name = nameOf(importer, path)
      if (kind !== 'dynamic-import' || front.has(name) || !isSource(importer)) return undefined
      commands.add(name)
      return { path: `#${name}`, external: true }
    })
  },
}

/** @type {import('esbuild').Plugin} */
const fromFront = {
  name: 'from-front',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ importer, path }) => {
      const name = nameOf(importer, path)
      return front.has(name) && isSource(importer) ? { path: name, namespace: 'front' } : undefined
    })
    onLoad({ filter: /.*/, namespace: 'front' }, ({ path }) => ({
      contents: `export const { ${names.get(path)?.join(', ')} } = __front('${path}')`,
    }))
  },
}

mkdirSync(unfinished, { recursive: true })
const inputs = new Set([
  ...(await writeScript('front', [...front], [elsewhere])),
  ...(await writeScript('program', [...STARTS.slice(1), ...EXPORTS, ...commands], [fromFront])),
])
await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/program-loader.ts'],
  outfile: `${unfinished}/program.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['decimal.js'],
  logLevel: 'warning',
})
for (const entry of STARTS) {
  place(
    entry,
    (loader) => `import module from 'node:module'
import { load } from '${loader}'

// Of Node 22: for the packages that are not in the program.
module.enableCompileCache?.()
load('${entry}'${front.has(entry) ? '' : `, await import('decimal.js')`})
`,
  )
}
for (const entry of EXPORTS) {
  const own = names.get(entry)?.join(', ')
  place(
    entry,
    (loader) => `import * as decimal from 'decimal.js'
import { load } from '${loader}'

export const { ${own} } = load('${entry}', decimal)
`,
  )
}
writeFileSync(`${unfinished}/LICENSES.txt`, licences(inputs))

takePlace()
rmSync(unfinished, { recursive: true, force: true })

/**
 * Modules of src as a function of what they are given, which returns what runs each entry (`Program` in
 * src/cli/program-loader.ts).
 *
 * @param {string} name  of the file
 * @param {readonly string[]} entries
 * @param {readonly import('esbuild').Plugin[]} plugins
 * @returns {Promise<readonly string[]>} paths of all that is in it
 */
async function writeScript(name, entries, plugins) {
  const thunks = entries.map((entry) => `'${entry}': () => require('./src/${entry}.ts')`)
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `module.exports = {\n${thunks.join(',\n')}\n}`, resolveDir: root, loader: 'js' },
    outfile: `${name}.cjs`,
    write: false,
    bundle: true,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // The text is one byte a character in memory.
    charset: 'ascii',
    legalComments: 'none',
    define: { 'import.meta.url': '__folder' },
    external: outside.flatMap((each) => [each, `${each}/*`]),
    plugins: [...plugins, keptCode, ownPlace, textWidth, shared],
    logLevel: 'warning',
  })
  // A script cannot import by itself: Node 20 has that as an experiment.
  const body = withOwnNames(outputFiles[0]?.text ?? '').replaceAll(/(?<![#.\w])import\((?=["\w])/g, '__import(')
  const rxjs = body.includes('__rxjs(') ? `const __rxjs = (function () {\n${await packedRxjs()}\n})()\n` : ''
  writeFileSync(
    `${unfinished}/${name}.cjs`,
    `(function (require, __folder, __import, __front, __decimal, __saveCode) {
const module = { exports: {} }
${rxjs}${body}
return module.exports
})`,
    'latin1',
  )
  return Object.keys(metafile.inputs)
}

/** @param {string} path */
function isSource(path) {
  return path.startsWith(`${root}src${sep}`) || path === '<stdin>' || path === ''
}

/** Path in src of what a module imports, without the file type. @param {string} importer @param {string} path */
function nameOf(importer, path) {
  const absolute = resolve(isAbsolute(importer) ? dirname(importer) : root, path)
  return relative(`${root}src`, absolute).replaceAll(sep, '/').replace(/\.ts$/, '')
}

/**
 * Modules of src that run before those of these names.
 *
 * @param {readonly string[]} starts
 * @returns {Promise<Set<string>>}
 */
async function modulesOf(starts) {
  const { inputs } = (await outline(starts)).metafile
  /** @type {Set<string>} */
  const found = new Set()
  const visit = (/** @type {string} */ path) => {
    const name = path.slice('src/'.length, -'.ts'.length)
    if (!path.startsWith('src/') || found.has(name)) return
    found.add(name)
    for (const { kind, path: next } of inputs[path]?.imports ?? []) if (kind === 'import-statement') visit(next)
  }
  for (const start of starts) visit(`src/${start}.ts`)
  return found
}

/** Exports of each of these modules. @param {readonly string[]} modules @returns {Promise<[string, string[]][]>} */
async function exportedNames(modules) {
  const outputs = Object.values((await outline(modules)).metafile.outputs)
  return modules.map((name) => {
    const exports = outputs.find(({ entryPoint }) => entryPoint === `src/${name}.ts`)?.exports
    if (exports === undefined) throw new Error(`${name} is no entry`)
    return [name, exports]
  })
}

/** @param {readonly string[]} modules */
function outline(modules) {
  return build({
    absWorkingDir: root,
    entryPoints: modules.map((name) => `src/${name}.ts`),
    outdir: unfinished,
    write: false,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    logLevel: 'warning',
  })
}

/** Puts each file where it belongs, what others load first: several calls may bundle at once. */
function takePlace() {
  const files = readdirSync(unfinished, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => relative(unfinished, `${parentPath}/${name}`))
  const rankOf = (/** @type {string} */ path) => ['program.cjs', 'front.cjs', 'program.js', path].indexOf(path)
  for (const path of paths.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    mkdirSync(dirname(`${out}/${path}`), { recursive: true })
    renameSync(`${unfinished}/${path}`, `${out}/${path}`)
  }
  // An older form of the bundle.
  for (const name of ['chunks', 'rxjs']) rmSync(`${out}/${name}`, { recursive: true, force: true })
}

/**
 * @param {string} entry
 * @param {(loader: string) => string} textFor
 */
function place(entry, textFor) {
  const file = `${unfinished}/${entry}.js`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, textFor(`${'../'.repeat(entry.split('/').length - 1) || './'}program.js`))
}

/**
 * A class that names itself within gets another name there, with which Node would show its errors and its objects.
 *
 * @param {string} code
 */
function withOwnNames(code) {
  const names = [...code.matchAll(/\b(\w+) = class _\1\b/g)].map(([, name = '']) => name)
  return names.reduce((text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), code)
}

/** Licences of every package in the bundle. @param {Set<string>} inputs  paths of its files */
function licences(inputs) {
  const packages = new Set(
    [...inputs].flatMap(
      (path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replace(/^.*(?=node_modules\/)/, '')) ?? [],
    ),
  )
  packages.add('node_modules/rxjs')
  return [...packages].sort().map(licence).join('\n')
}

/** @param {string} folder  of a package */
function licence(folder) {
  const file = readdirSync(root + folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no licence to ship`)
  const { name, version } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'))
  return `${name} ${version}\n\n${readFileSync(`${root}${folder}/${file}`, 'utf8').trim()}\n`
}
