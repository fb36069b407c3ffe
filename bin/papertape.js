#!/usr/bin/env node
/**
 * The `papertape` command: runs the bundled program. In a clone, whose install builds nothing, the first call bundles it, and the first
 * after a pull that brought other sources, which takes a second.
 *
 * It stands outside bundle because npm links a bin only if the file is there, and `npx papertape` in a clone keeps that link:
 * tried once before the build, it would say "not found" ever after.
 */
import { existsSync, statSync } from 'node:fs'

const main = new URL('../bundle/cli/main.js', import.meta.url)
const bundling = new URL('../scripts/fresh-bundle.mjs', import.meta.url)
const bundledAt = writtenAt(main)
// Git writes a line into its log whenever it brings other sources. What is edited is bundled by `npm run build` or `npm start`.
const isPulled = bundledAt < writtenAt(new URL('../.git/logs/HEAD', import.meta.url))
if ((bundledAt === 0 || isPulled) && existsSync(bundling)) await freshen()
await import(main.href)

/** @param {URL} file @returns Unix milliseconds, 0 for one that is not there */
function writtenAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

async function freshen() {
  try {
    await import(bundling.href)
  } catch (error) {
    // Where what bundles is not installed, what was bundled before runs all the same.
    if (bundledAt === 0) throw error
    process.stderr.write(
      `papertape: runs an older build of it: ${error instanceof Error ? error.message : String(error)}\n`,
    )
  }
}
