/**
 * RxJS packed into one file, so that a start reads one file instead of 200. It puts each module into Node's cache of
 * CommonJS modules, under the path of the installed package. So the program and every package share one copy, whatever
 * path of RxJS they import.
 *
 * Where another version is installed, or a module of RxJS was imported before, the installed files are used instead.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const folder = fileURLToPath(new URL('../node_modules/rxjs/dist/cjs/', import.meta.url))

/** Loader of the packed file. It follows `VERSION` and `BODIES`, the bodies of modules by their paths in dist/cjs. */
const loader = `
const Module = require('node:module')
const { dirname, resolve, sep } = require('node:path')

const entry = require.resolve('rxjs')
const folder = dirname(entry)
const { version } = require(resolve(folder, '../../package.json'))
// A module in the cache, even one that has not run yet, belongs to the installed copy. Then all modules must come from there.
const isThere = Object.keys(require.cache).some((path) => path.startsWith(folder))
const isOurs = version === VERSION && !isThere

return (name) => (isOurs ? load((name === 'rxjs' ? 'index' : name.slice('rxjs/'.length)) + '.js') : require(name))

function load(name) {
  const path = folder + sep + name.replaceAll('/', sep)
  const known = require.cache[path]
  if (known !== undefined) return known.exports
  const module = new Module(path)
  module.filename = path
  require.cache[path] = module
  BODIES[name](module.exports, load)
  module.loaded = true
  return module.exports
}
`

/** @returns {Promise<string>} body of a function that returns what gives a module of RxJS by its name */
export async function packedRxjs() {
  const { version } = JSON.parse(readFileSync(`${folder}../../package.json`, 'utf8'))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
  const bodies = await Promise.all(
    paths.sort().map(async (path) => {
      const text = readFileSync(folder + path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      const { code } = await transform(text, { minifyWhitespace: true, legalComments: 'none', target: 'node20.19' })
      const name = path.replaceAll(sep, '/')
      const named = code.replaceAll(
        /\brequire\("(\.[^"]+)"\)/g,
        (_, asked) => `require("${join(dirname(name), asked)}.js")`,
      )
      return `${JSON.stringify(name)}(exports, require) {${named.trim()}\n}`
    }),
  )
  return `'use strict'
// RxJS ${version}, Apache License 2.0: see LICENSES.txt
const VERSION = ${JSON.stringify(version)}
const BODIES = {
${bodies.join(',\n')}
}
${loader}`
}
