/**
 * `npm test` tests the modules that were just built, as they are loaded in a process of a user: up to three times as fast as the same from
 * source, where every name of another module is looked up each time. `npx vitest` tests the source, without a build.
 */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const BUILT_MODE = 'built'

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url))
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url))

/** Files that Node loads itself. */
export const BUILT_FILES = new RegExp(`^${BUILT.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

/** Gives what stands in dist for what is imported from src, and has Node load it. */
export const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  apply: (_, { mode }) => mode === BUILT_MODE,
  resolveId(source, importer) {
    const file = importer === undefined ? source : resolve(dirname(importer), source)
    // One whose source is gone may still stand in dist.
    if (!file.startsWith(SOURCE) || !file.endsWith('.ts') || !existsSync(file)) return undefined
    return { id: `${BUILT}${file.slice(SOURCE.length, -'.ts'.length)}.js`, external: true }
  },
}
