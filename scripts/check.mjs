/**
 * `npm run check`: types of everything, of the program and of the pages side by side. Both remember what they found, so that a second
 * check reads what has changed; when nothing has, nothing is read.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-node.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const STAMP = `${root}.cache/check.stamp`
const LIBRARIES = `${root}.cache/check.libraries`
const FOLDERS = ['src', 'strategies', 'examples', 'templates', 'test', 'bench', 'scripts', 'bin', 'pages']
const INSTALLED = `${root}node_modules/.package-lock.json`

/** @param {string} file  what distinguishes one state of it from another */
const stateOf = (file) => {
  const { mtimeMs, size } = statSync(file)
  return `${file} ${mtimeMs} ${size}`
}

/** @param {string} folder @param {boolean} isDeep */
const filesIn = (folder, isDeep) =>
  readdirSync(folder, { recursive: isDeep, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$|\.json$/.test(entry.name))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const files = [...FOLDERS.flatMap((folder) => filesIn(root + folder, true)), ...filesIn(root, false)]
const installed = stateOf(INSTALLED)
const now = createHash('sha256')
  .update([process.version, installed, ...files.sort().map(stateOf)].join('\n'))
  .digest('hex')

if (textOf(STAMP) === now) {
  console.log('types: nothing has changed since they were checked')
} else {
  mkdirSync(`${root}.cache`, { recursive: true })
  rmSync(STAMP, { force: true })
  // What was found before an install is about other packages.
  const isSameInstall = textOf(LIBRARIES) === installed
  const results = ['tsconfig.json', 'pages/tsconfig.json'].map((project) => {
    const info = `${root}.cache/${project.replaceAll('/', '-')}.tsbuildinfo`
    if (!isSameInstall) rmSync(info, { force: true })
    const flags = [
      // Each checker repeats what the files of others declare.
      '--checkers',
      '1',
      '-p',
      project,
      '--incremental',
      '--tsBuildInfoFile',
      info,
      ...(process.stdout.isTTY ? ['--pretty'] : []),
    ]
    return runNode([`${root}node_modules/typescript7/bin/tsc`, ...flags], { cwd: root })
  })
  const codes = await Promise.all(results)
  writeFileSync(LIBRARIES, installed)
  if (codes.every((code) => code === 0)) writeFileSync(STAMP, now)
  else process.exitCode = 1
}
