/**
 * Builds what a suite of tests needs and runs it: `node scripts/test-suite.mjs fast|process|slow [flags and files for
 * vitest]`.
 *
 * The fast one needs nothing but Node and npm packages. The others need better-sqlite3, which is compiled the first
 * time.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-node.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const SUITES = ['fast', 'process', 'slow']
const [suite = '', ...flags] = process.argv.slice(2)
if (!SUITES.includes(suite)) throw new Error(`expected ${SUITES.join(', ')}, got '${suite}'`)

/** @param {string[]} args  a program and its flags; ends this one when it fails */
async function step(...args) {
  const code = await runNode(args, { cwd: root })
  if (code !== 0) process.exit(code)
}

if (suite !== 'fast') await step('scripts/compile-sqlite.mjs')
// Of the suites only the one with the packed package reads declarations.
await step('scripts/build.mjs', suite === 'process' ? '--unchecked' : '--without-types')
// Read by `npm run test:times`; `.ci/run` asks for its own.
process.env.TEST_REPORT ??= `${root}.cache/tests/${suite}.json`
mkdirSync(`${root}.cache/tests`, { recursive: true })
await step('node_modules/vitest/vitest.mjs', 'run', '--mode', 'built', '--project', suite, ...flags)
