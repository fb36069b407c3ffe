/**
 * Bundles what runs where that is not there, or older than the source. Types are left to `npm run build`: bundling
 * alone takes a second.
 */
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const main = `${root}bundle/cli/main.js`
const built = [main, `${root}dist/pages/definitions.json`]
const sources = ['src', 'pages', 'scripts', 'package-lock.json', 'docs/statistics.md']

/** @param {string} path  milliseconds of its newest file */
function newest(path) {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs))
}

const oldest = Math.min(...built.map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)))
if (oldest < Math.max(...sources.map((path) => newest(root + path)))) {
  await import('./bundle-pages.mjs')
  await import('./bundle-program.mjs')
} else {
  const now = new Date()
  try {
    // So that the next call need not look.
    utimesSync(main, now, now)
  } catch {
    // A folder that may not be written is looked at again.
  }
}
