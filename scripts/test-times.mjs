/**
 * `npm run test:times`: the twenty test files that took longest when their suite ran last, in seconds, with the share of all of them.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { relative } from 'node:path'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = `${root}.cache/tests`
const SHOWN = 20

/** @typedef {{ name: string, startTime: number, endTime: number }} TestFile  of vitest's JSON report; milliseconds */

const reports = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
const files = reports.flatMap((name) => {
  /** @type {{ testResults: TestFile[] }} */
  const { testResults } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))
  return testResults.map((file) => ({
    suite: name.replace(/\.json$/, ''),
    path: relative(root, file.name),
    seconds: (file.endTime - file.startTime) / 1000,
  }))
})
const total = files.reduce((sum, { seconds }) => sum + seconds, 0)

if (files.length === 0) console.log('no suite has run here yet: npm test, npm run test:process, npm run test:slow')
else {
  console.log('seconds  share  suite    file')
  for (const { suite, path, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)) {
    const share = `${((100 * seconds) / total).toFixed(1)} %`
    console.log(`${seconds.toFixed(1).padStart(7)}  ${share.padStart(5)}  ${suite.padEnd(7)}  ${path}`)
  }
}
