/**
 * Runs benchmarks: every `*.bench.ts` beside this file, or those named: `npm run bench -- csv exchange`.
 *
 * Each runs alone in a process of its own, so that none is warmed up or crowded out by another.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SUFFIX = '.bench.ts'
const folder = fileURLToPath(new URL('.', import.meta.url))
const loader = new URL('loader.mjs', import.meta.url).href

const known = readdirSync(folder)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort()
const named = process.argv.slice(2)
const unknown = named.filter((name) => !known.includes(name))

/** @param {string} name */
function run(name) {
  console.log(`\n== ${name}`)
  const flags = ['--expose-gc', '--import', loader]
  const { status } = spawnSync(process.execPath, [...flags, `${folder}${name}${SUFFIX}`], { stdio: 'inherit' })
  return status === 0
}

if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are: ${known.join(', ') || 'none'}`)
  process.exitCode = 2
} else {
  const failed = (named.length > 0 ? named : known).filter((name) => !run(name))
  for (const name of failed) console.error(`${name} failed`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
