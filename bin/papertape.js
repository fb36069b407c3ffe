#!/usr/bin/env node
/**
 * The `papertape` command: runs the bundled program. In a clone, whose install builds nothing, the first call bundles it, and the first
 * after a pull that brought other sources, which takes a second.
 *
 * It stands outside bundle because npm links a bin only if the file is there, and `npx papertape` in a clone keeps that link:
 * tried once before the build, it would say "not found" ever after.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const main = new URL('../bundle/cli/main.js', import.meta.url)
const bundling = new URL('../scripts/fresh-bundle.mjs', import.meta.url)
const bundledAt = writtenAt(main)
// A shell asks at every press of Tab. What is edited is bundled by `npm run build` or `npm start`.
const isPulled = process.argv[2] !== '--get-completions' && bundledAt < pulledAt()
if ((bundledAt === 0 || isPulled) && existsSync(bundling)) await freshen()
if (writtenAt(main) === 0) {
  process.stderr.write(
    'papertape: this copy was installed from its repository and is not built: ' +
      'run `npm ci && npm run build && npm pack` in a clone, and install the file that it makes\n',
  )
  process.exit(1)
}
await import(main.href)

/** Of the log into which git writes a line whenever it brings other sources; that of a worktree or submodule is elsewhere. */
function pulledAt() {
  const git = new URL('../.git', import.meta.url)
  try {
    if (!statSync(git).isFile()) return writtenAt(new URL('../.git/logs/HEAD', import.meta.url))
    const [, folder = ''] = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8')) ?? []
    return writtenAt(pathToFileURL(resolve(dirname(fileURLToPath(git)), folder, 'logs/HEAD')))
  } catch {
    // No git, or one of another kind: then nothing tells of a pull.
    return 0
  }
}

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
    const text = error instanceof Error ? error.message : String(error)
    const why = text.split('\n').slice(0, 2).join(' ')
    const remedy = /Could not resolve|Cannot find package/.test(text) ? '; run npm ci' : ''
    process.stderr.write(`papertape: runs an older build of it: ${why}${remedy}\n`)
  }
}
