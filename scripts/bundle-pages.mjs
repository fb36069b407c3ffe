/**
 * Bundles the pages for people into dist/pages, each with all that it needs: one script, one style, one document.
 *
 * A page that is served is these files as they are; one that is sent around is put together from them.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { logLevel } from './bundle-log.mjs'
import { windowDocument } from './page-template.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const out = `${root}dist/pages`

/** Script or style of a page, and the name that it gets. */
const ENTRIES = [
  { in: 'pages/window/emulator.ts', out: 'emulator' },
  { in: 'pages/window/session.ts', out: 'session' },
  { in: 'pages/window/replay.ts', out: 'replay' },
  { in: 'pages/window/window.css', out: 'window' },
  { in: 'pages/arena/arena.ts', out: 'arena' },
  { in: 'pages/arena/join.ts', out: 'join' },
  { in: 'pages/report/report.ts', out: 'report' },
  { in: 'pages/report/report.css', out: 'report' },
  { in: 'pages/sweep/sweep.ts', out: 'sweep' },
  { in: 'pages/sweep/sweep.css', out: 'sweep' },
]
const WINDOWS = ['emulator', 'session', 'replay']

mkdirSync(out, { recursive: true })
for (const name of ['arena', 'join']) copyFileSync(`${root}pages/arena/${name}.html`, `${out}/${name}.html`)
await build({
  absWorkingDir: root,
  entryPoints: ENTRIES,
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'eof',
  tsconfig: `${root}pages/tsconfig.json`,
  logLevel,
})
const template = readFileSync(`${root}pages/window/window.html`, 'utf8')
for (const name of WINDOWS) {
  const part = readFileSync(`${root}pages/window/${name}.html`, 'utf8')
  writeFileSync(`${out}/${name}.html`, windowDocument(template, part, name))
}
writeFileSync(`${out}/definitions.json`, JSON.stringify(definitions(readFileSync(`${root}docs/statistics.md`, 'utf8'))))

/**
 * The symbols of the page in words, because a tooltip does not define them.
 *
 * @param {string} condition
 */
function inWords(condition) {
  return condition
    .replace(/\bn < 1$/, 'no period')
    .replaceAll(/\bn < (\d+)/g, 'fewer than $1 periods')
    .replaceAll(/\bN < (\d+)/g, 'fewer than $1 round trips')
    .replaceAll('N = 0', 'no closed round trip')
    .replaceAll('s = 0', 'no deviation of the returns')
    .replaceAll('var(b) = 0', 'buy and hold never changed')
}

/**
 * Definition of each statistic, by its name: the rows of the tables of the page that defines them.
 *
 * @param {string} page
 */
function definitions(page) {
  const rows = page.matchAll(/^\| `(\w+)` \|((?:[^|\\\n]|\\.)+)\|((?:[^|\\\n]|\\.)*)\|((?:[^|\\\n]|\\.)*)\|/gm)
  /** @param {string} text */
  const plain = (text) => text.replaceAll(/\\(.)/g, '$1').replaceAll('`', '').trim()
  return Object.fromEntries(
    Array.from(rows, ([, name = '', definition = '', , nullWhen = '']) => {
      const none = plain(nullWhen) === '' ? '' : ` No value if: ${inWords(plain(nullWhen))}.`
      return [name, `${plain(definition)}.${none}`]
    }),
  )
}
