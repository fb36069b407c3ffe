/**
 * Prints how many tests passed, failed and were skipped, as three numbers, from vitest's JSON report; below them, in a
 * line each, what failed and the first line of why.
 *
 * A file that could not be loaded has no tests to count, so it counts as one that failed. No report, or one without any
 * test, is a failure too: nothing was shown to work.
 *
 * Usage: node scripts/test-counts.mjs FILE, or with --failed before it for the test files in which something failed, in
 * a line each. With --outside and what vitest printed for the lines about an error outside of all tests, or about the
 * end of vitest itself; with --outside-of for the files that it names as the origin.
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Test
 * @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} TestFile
 * @typedef {{ testResults: TestFile[] }} Report  the fields that are read here
 */

/** One that failed though none of its tests did. @param {TestFile} file */
const isBroken = (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed')

/** @param {TestFile[]} files */
function count(files) {
  const tests = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const brokenFiles = files.filter(isBroken)
  const passed = tests.filter((status) => status === 'passed').length
  const failed = tests.filter((status) => status === 'failed').length + brokenFiles.length
  const skipped = tests.length - passed - tests.filter((status) => status === 'failed').length
  return passed + failed === 0 ? [0, 1, skipped] : [passed, failed, skipped]
}

/** @param {string} text */
const firstLine = (text) => stripVTControlCharacters(text).trim().split('\n', 1)[0]?.slice(0, 300) ?? ''

/** @param {string} text */
const inOneLine = (text) => stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').slice(0, 300)

/** @param {TestFile} file */
function failuresIn(file) {
  const name = relative('', file.name)
  if (isBroken(file)) return [`${name}: ${firstLine(file.message) || 'what stands before or behind its tests failed'}`]
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(
      ({ fullName, failureMessages = [] }) =>
        `${name} > ${inOneLine(fullName)}: ${firstLine(failureMessages[0] ?? '')}`,
    )
}

/** @param {string} printed  by vitest: its part about errors outside of tests, or how it ended when there is none */
function linesOutside(printed) {
  const lines = stripVTControlCharacters(printed)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => /[a-z]/i.test(line))
  const start = lines.findLastIndex((line) => line.includes('Unhandled Errors'))
  return start === -1 ? lines.slice(-12) : lines.slice(start + 1, start + 13)
}

/** @param {string} printed  by vitest */
const originsIn = (printed) =>
  new Set([...stripVTControlCharacters(printed).matchAll(/originated in "([^"]+)" test file/g)].map(([, name]) => name))

/** @param {string} file @returns {Report} */
const reportIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] })

/** @type {Record<string, (file: string) => (string | undefined)[]>} */
const answers = {
  '--failed': (file) =>
    reportIn(file)
      .testResults.filter(({ status }) => status === 'failed')
      .map(({ name }) => relative('', name)),
  '--outside': (file) => linesOutside(readFileSync(file, 'utf8')),
  '--outside-of': (file) => [...originsIn(readFileSync(file, 'utf8'))],
}
const [first = '', second = ''] = process.argv.slice(2)
const answer = answers[first]
if (answer !== undefined) for (const line of answer(second)) console.log(line)
else {
  const { testResults } = reportIn(first)
  console.log([count(testResults).join(' '), ...testResults.flatMap(failuresIn)].join('\n'))
}
