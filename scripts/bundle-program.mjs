/**
 * Bundles the program into bundle/: a few scripts with all modules, which run when they are first needed, and a
 * small file for each process, thread and export of the package, which loads its module from a script. A start reads
 * a few files instead of a thousand, and src/cli/program-loader.ts gets their compiled code from a cache.
 *
 * Invariant: a module runs once in a thread, whatever loads it: the command line, a strategy that imports
 * `papertape`, a program that imports `papertape/run`.
 *
 * Packages that others use too stay outside, because there has to be one of each. RxJS is in the script, and provided
 * to everybody who asks for the installed one (bundle-rxjs.mjs): its timers follow the virtual clock.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { logLevel } from './bundle-log.mjs'
import { packedRxjs } from './bundle-rxjs.mjs'
import { compiledStrategies } from './bundle-strategies.mjs'
import { textWidth } from './bundle-text-width.mjs'
import { isAlive } from './is-alive.mjs'

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
  'run/nightly/nightly-entry',
  'server/arena/strategies/strategy-entry',
]
const EXPORTS = ['index', 'liquidity', 'run', 'testing', 'emulator', 'client']

/**
 * Small packages that nearly every start needs, or that a CommonJS script cannot load, and that no one reports from a
 * second copy.
 */
const BUNDLED = [
  ...['yargs', 'zod', 'csv-parse', 'fflate', 'picocolors', 'pure-rand'],
  ...['hyparquet', 'hyparquet-writer'],
]
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

/** Roots of each script but the last. A script has what its roots import, without the modules of earlier scripts. */
const ROOTS = {
  start: ['cli/main', 'cli/thread/run-thread', 'cli/process-end', 'cli/run-thread-entry'],
  front: ['cli/command-line', 'cli/process-io'],
  run: [
    ...['cli/run-job', 'cli/backtest/backtest-flags', 'cli/verify/verify-flags', 'cli/check/check-flags'],
    ...['cli/fork/fork-flags', 'cli/twin/twin-flags', 'cli/sweep/sweep-flags', 'cli/import/import-flags'],
    ...['cli/strategies/list-strategies', 'cli/tapes/run-tapes-command', 'cli/import/run-import-command'],
    ...['cli/export/run-export-command', 'cli/generate/run-generate-command', 'index', 'liquidity'],
  ],
  client: ['client'],
  results: [
    ...['cli/check/run-check-command', 'cli/diff/run-diff-command', 'cli/expect/run-expect-command'],
    ...['cli/fork/run-fork-command', 'cli/report/run-report-command', 'cli/runs/run-runs-command'],
    ...['cli/twin/run-twin-command', 'cli/verify/run-verify-command', 'cli/why/run-why-command'],
  ],
}

const LAST = 'rest'

const { inputs: sources } = (await outline([...STARTS, ...EXPORTS])).metafile
/** Script of each module outside of the last one, which has all others. @type {Map<string, string>} */
const scriptOf = new Map()
for (const [script, roots] of Object.entries(ROOTS))
  for (const name of modulesOf(roots)) if (!scriptOf.has(name)) scriptOf.set(name, script)
const scriptHas = (/** @type {string} */ name) => scriptOf.get(name) ?? LAST

/** Modules that another script or a small file loads. */
const asked = new Set([...STARTS, ...EXPORTS])
for (const [path, { imports }] of Object.entries(sources))
  for (const next of imports)
    if (isModule(path) && isModule(next.path) && scriptHas(moduleOf(path)) !== scriptHas(moduleOf(next.path)))
      asked.add(moduleOf(next.path))
const names = new Map(await exportedNames([...asked]))

/**
 * Imports between scripts: names of an earlier one, and any module on demand.
 *
 * @param {string} script
 * @returns {import('esbuild').Plugin}
 */
const between = (script) => ({
  name: 'between',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\./ }, ({ importer, kind, path }) => {
      const name = nameOf(importer, path)
      if (!isSource(importer) || scriptHas(name) === script) return undefined
      if (kind !== 'dynamic-import') return { path: name, namespace: 'earlier' }
      return { path: `#${scriptHas(name)}:${name}`, external: true }
    })
    onLoad({ filter: /.*/, namespace: 'earlier' }, ({ path }) => ({
      contents: `export const { ${names.get(path)?.join(', ')} } = __load('${scriptHas(path)}:${path}')`,
    }))
  },
})

const languages = Object.keys(require('zod').locales)
/**
 * Everything shares the zod of the script `run`, whose texts in other languages and schemas from JSON are in the last
 * script, because they take time to load and are rarely used.
 *
 * @type {(script: string) => import('esbuild').Plugin}
 */
const oneZod = (script) => ({
  name: 'one-zod',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^zod$/ }, ({ path }) =>
      ['client', 'results', LAST].includes(script) ? { path, namespace: 'zod' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'zod' }, () => ({
      contents: `export const { ${Object.keys(require('zod')).join(', ')} } = __load('run:zod')`,
    }))
    if (script === LAST) return
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: languages
        .map((each) => `export const ${each} = () => __load('${LAST}:zod').locales.${each}()`)
        .join('\n'),
    }))
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/ }, () => ({
      contents: `export const fromJSONSchema = (...given) => __load('${LAST}:zod').fromJSONSchema(...given)`,
    }))
  },
})

removeAbandoned()
mkdirSync(unfinished, { recursive: true })
// Also after a failure.
process.once('exit', () => rmSync(unfinished, { recursive: true, force: true }))
/** @type {Set<string>} */
const inputs = new Set()
for (const script of [...Object.keys(ROOTS), LAST]) {
  const entries = [...asked].filter((name) => scriptHas(name) === script)
  for (const path of await writeScript(script, entries, [between(script), oneZod(script)])) inputs.add(path)
}
await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/program-loader.ts'],
  outfile: `${unfinished}/program.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['decimal.js'],
  logLevel,
})
for (const entry of STARTS) {
  place(
    entry,
    (loader) => `import module from 'node:module'
import { load } from '${loader}'

// Of Node 22: for the packages that are not in the program.
module.enableCompileCache?.()
load('${scriptHas(entry)}:${entry}'${scriptHas(entry) === 'start' ? '' : `, await import('decimal.js')`})
`,
  )
}
for (const entry of EXPORTS) {
  const own = names.get(entry)?.join(', ')
  place(
    entry,
    (loader) => `import * as decimal from 'decimal.js'
import { load } from '${loader}'

export const { ${own} } = load('${scriptHas(entry)}:${entry}', decimal)
`,
  )
}
writeFileSync(`${unfinished}/LICENSES.txt`, licences(inputs))
writeFileSync(`${unfinished}/compiled.json`, compiledStrategies(root))

takePlace()

/** Removes what a process left that was killed while it bundled. */
function removeAbandoned() {
  const folder = dirname(unfinished)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = /^bundle-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(`${folder}/${name}`, { recursive: true, force: true })
  }
}

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
  if (name === 'run' || name === LAST) thunks.push(`zod: () => require('${root}node_modules/zod/index.js')`)
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
    logLevel,
  })
  // A script cannot import by itself: Node 20 has that as an experiment. Exports are not copied for each importer.
  const body = withOwnNames(outputFiles[0]?.text ?? '')
    .replaceAll(/(?<![#.\w])import\((?=["\w])/g, '__import(')
    .replaceAll(/\b__toCommonJS\((\w+_exports)\)/g, '$1')
  const rxjs = !body.includes('__rxjs(')
    ? ''
    : name !== 'run'
      ? `const __rxjs = (name) => __load('run:rxjs')(name)\n`
      : `const __rxjs = (function () {\n${await packedRxjs()}\n})()\n`
  writeFileSync(
    `${unfinished}/${name}.cjs`,
    `(function (require, __folder, __import, __load, __decimal, __saveCode) {
const module = { exports: {} }
${rxjs}${body}
${name === 'run' ? 'module.exports.rxjs = () => __rxjs\n' : ''}return module.exports
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

/** Whether a path of a metafile is a module of src. @param {string} path */
function isModule(path) {
  return path.startsWith('src/')
}

/** @param {string} path */
function moduleOf(path) {
  return path.slice('src/'.length).replace(/\.ts$/, '')
}

/** Modules of src that run before those of these names. @param {readonly string[]} starts */
function modulesOf(starts) {
  /** @type {Set<string>} */
  const found = new Set()
  const visit = (/** @type {string} */ path) => {
    if (!isModule(path) || found.has(moduleOf(path))) return
    found.add(moduleOf(path))
    for (const { kind, path: next } of sources[path]?.imports ?? []) if (kind === 'import-statement') visit(next)
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
    logLevel,
  })
}

/** Puts each file where it belongs, what others load first: several calls may bundle at once. */
function takePlace() {
  const files = readdirSync(unfinished, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => relative(unfinished, `${parentPath}/${name}`))
  const rankOf = (/** @type {string} */ path) =>
    [...[LAST, ...Object.keys(ROOTS).reverse()].map((name) => `${name}.cjs`), 'program.js', path].indexOf(path)
  for (const path of paths.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    mkdirSync(dirname(`${out}/${path}`), { recursive: true })
    renameSync(`${unfinished}/${path}`, `${out}/${path}`)
  }
  // An older form of the bundle.
  for (const name of ['chunks', 'rxjs', 'program.cjs']) rmSync(`${out}/${name}`, { recursive: true, force: true })
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
