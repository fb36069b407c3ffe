/**
 * `npm run build`: modules and their declarations in dist/, and what runs in bundle/. `--without-types` leaves the declarations to the
 * next build: tests and commands do not read them. `--unchecked` leaves their faults to `npm run check`.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-node.mjs'
import { llmsFullText } from './site/llms.mjs'
import { transpile } from './transpile.mjs'

const withTypes = !process.argv.includes('--without-types')
const unchecked = process.argv.includes('--unchecked') ? ['--noCheck'] : []
const root = fileURLToPath(new URL('../', import.meta.url))

await transpile(withTypes)
const declarations = withTypes
  ? runNode([`${root}node_modules/typescript7/bin/tsc`, '-p', 'tsconfig.build.json', ...unchecked], { cwd: root })
  : Promise.resolve(0)
await import('./bundle-pages.mjs')
await import('./bundle-program.mjs')
writeFileSync(`${root}llms-full.txt`, llmsFullText(root))
process.exitCode = await declarations
