/**
 * Bundles the program into bundle/: the command line, its threads, and the exports of the package, with the code that they share in
 * chunks, so that a start reads a few files instead of a thousand.
 *
 * Invariant: a module is in one chunk, and so there once in a process, whoever loads it: the command line, a strategy that imports
 * `papertape`, a program that imports `papertape/run`.
 *
 * Packages that others hold too stay outside, because there has to be one of each: RxJS above all, whose timers follow the virtual
 * clock. The processes and threads of the program read it as one file (bundle-rxjs.mjs).
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { packedModule, packedRxjs } from './bundle-rxjs.mjs'
import { textWidth } from './bundle-text-width.mjs'

const isAsked = process.argv[1] === fileURLToPath(import.meta.url)
const root = fileURLToPath(new URL('../', import.meta.url))
const out = `${root}bundle`
const unfinished = `${root}.cache/bundle-${process.pid}`

const WEEK_MS = 7 * 86_400_000

/** First files of processes and threads. */
const STARTS = ['cli/main', 'cli/run-thread-entry', 'cli/bounds-thread-entry', 'run/sweep/sweep-thread-entry']
const EXPORTS = ['index', 'liquidity', 'run', 'testing', 'emulator']

/** Small packages that nearly every start needs, and that nobody tells from a second copy. */
const BUNDLED = ['yargs', 'zod', 'csv-parse', 'fflate', 'picocolors', 'pure-rand']

/** @type {{ dependencies: Record<string, string>, peerDependencies: Record<string, string> }} */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !BUNDLED.includes(name))

/**
 * A module goes on telling where it is: beside the entries, as its source is, whatever chunk it is in. Folder by folder bundle/ lies as
 * src/ does, so that data files, threads and exports are found from either.
 *
 * @type {import('esbuild').Plugin}
 */
const itsOwnPlace = {
  name: 'its-own-place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const place = relative(`${root}src`, path).replaceAll(sep, '/').replace(/\.ts$/, '.js')
      const contents = text.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`)
      return { loader: 'ts', contents }
    })
  },
}

/** Modules of RxJS that the program imports. @type {Set<string>} */
const rxjsModules = new Set()

/**
 * Imports of RxJS load the packed copy.
 *
 * @type {import('esbuild').Plugin}
 */
const packedFirst = {
  name: 'packed-first',
  setup({ onResolve }) {
    onResolve({ filter: /^rxjs(\/|$)/ }, ({ path }) => {
      rxjsModules.add(path)
      return { path: `../${rxjsPlace(path)}`, external: true }
    })
  },
}

/** @param {string} name  of a module of RxJS */
const rxjsPlace = (name) => `rxjs/${name.replaceAll('/', '_')}.js`

/** Name of an entry in the folder of the chunks. @param {string} entry */
const flat = (entry) => entry.replaceAll('/', '_')

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [...STARTS, ...EXPORTS].map((entry) => ({ in: `src/${entry}.ts`, out: flat(entry) })),
  outdir: `${unfinished}/chunks`,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  external: outside.flatMap((name) => [name, `${name}/*`]),
  plugins: [itsOwnPlace, textWidth, packedFirst],
  logLevel: 'warning',
})

for (const file of Object.keys(metafile.outputs))
  writeFileSync(root + file, withOwnNames(readFileSync(root + file, 'utf8')))

// What stands in src at the place of an entry stands in bundle, too: all of its code is in the chunks.
for (const entry of STARTS)
  place(
    entry,
    (chunk) => `import module from 'node:module'

// Of Node 22: keeps compiled code from one start to the next.
module.enableCompileCache?.()
await import('${chunk}')
`,
  )
for (const entry of EXPORTS) place(entry, (chunk) => `export * from '${chunk}'\n`)
await placeRxjs()
writeFileSync(`${unfinished}/LICENSES.txt`, licences())

takePlace()
rmSync(unfinished, { recursive: true, force: true })

/**
 * Puts each file where it belongs, what others load first: several calls may bundle at once, and what runs meanwhile goes on loading its own
 * chunks, which have other names. They are left for a week, unless a person asked for the bundle.
 */
function takePlace() {
  const files = readdirSync(unfinished, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => relative(unfinished, `${parentPath}/${name}`))
  /** @param {string} path  of an entry the place, its chunk, or a chunk that others load */
  const rankOf = (path) => (dirname(path) !== 'chunks' ? 2 : /-[0-9A-Z]{8}\.js$/.test(path) ? 0 : 1)
  for (const path of paths.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    mkdirSync(dirname(`${out}/${path}`), { recursive: true })
    renameSync(`${unfinished}/${path}`, `${out}/${path}`)
  }
  const kept = new Set(paths)
  for (const name of readdirSync(`${out}/chunks`)) {
    const file = `${out}/chunks/${name}`
    const isOld = isAsked || Date.now() - statSync(file).mtimeMs > WEEK_MS
    if (!kept.has(`chunks/${name}`) && isOld) rmSync(file, { force: true })
  }
}

async function placeRxjs() {
  mkdirSync(`${unfinished}/rxjs`)
  writeFileSync(`${unfinished}/rxjs/packed.cjs`, await packedRxjs())
  for (const name of rxjsModules) writeFileSync(`${unfinished}/${rxjsPlace(name)}`, packedModule(name))
}

/**
 * @param {string} entry
 * @param {(chunk: string) => string} textFor
 */
function place(entry, textFor) {
  const file = `${unfinished}/${entry}.js`
  mkdirSync(dirname(file), { recursive: true })
  const folders = entry.split('/').length - 1
  writeFileSync(file, textFor(`${'../'.repeat(folders) || './'}chunks/${flat(entry)}.js`))
}

/**
 * A class that names itself within gets another name there, with which Node would show its errors and its objects.
 *
 * @param {string} code
 */
function withOwnNames(code) {
  const names = [...code.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name = '']) => name)
  return names.reduce((text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), code)
}

/** Of every package that is in the bundle. */
function licences() {
  const packages = new Set(
    Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
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
