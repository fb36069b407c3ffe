/**
 * `npm pack`: builds, and packs a package.json without the `prepare` script. npm runs that script only for an install from the
 * repository, but warns about it in every project that installs the packed file.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-node.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const file = `${root}package.json`
const PREPARE = '    "prepare": "node scripts/prepare.mjs",\n'
const BEFORE = '    "start": '

/** @param {string} manifest */
export const withoutPrepare = (manifest) => manifest.replace(PREPARE, '')

/** @param {string} manifest  from a pack that was interrupted, or as it should be */
export const withPrepare = (manifest) => withoutPrepare(manifest).replace(BEFORE, PREPARE + BEFORE)

/** @param {(manifest: string) => string} change */
function rewrite(change) {
  writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')))
  renameSync(`${file}.new`, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'restore') rewrite(withPrepare)
  else {
    process.exitCode = await runNode(['scripts/build.mjs'], { cwd: root })
    if (process.exitCode === 0) rewrite(withoutPrepare)
  }
}
