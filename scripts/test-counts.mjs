/**
 * Prints how many tests passed, failed and were skipped, as three numbers, from vitest's JSON report.
 *
 * A file that could not be loaded has no tests to count, so it counts as one that failed. No report, or one without any test,
 * is a failure too: nothing was shown to work.
 *
 * Usage: node scripts/test-counts.mjs FILE
 */
import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ testResults: TestFile[] }} Report  the fields that are read here
 */

/** @param {TestFile[]} files */
function count(files) {
  const tests = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  const passed = tests.filter((status) => status === 'passed').length
  const failed = tests.filter((status) => status === 'failed').length + brokenFiles.length
  const skipped = tests.length - passed - tests.filter((status) => status === 'failed').length
  return passed + failed === 0 ? [0, 1, skipped] : [passed, failed, skipped]
}

const [file] = process.argv.slice(2)
/** @type {Report} */
const report = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] }
console.log(count(report.testResults).join(' '))
