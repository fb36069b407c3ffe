/**
 * Documents run in the package as it is installed, beside what the documents say to install as well.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll } from 'vitest'
import { installPackage } from '../../cli/rig/installed-package.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { DocumentPlace } from './document-place.ts'
import { runDocument } from './run-document.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))

/** Trades of the beginning, and then one of so many: dates stay as they are, and a month takes a few seconds. */
const WHOLE = 2_500
const THINNED = 300

/** The output of a command is not compared with its document here, so that the tape may have fewer trades. */
function thinTape(file: string): void {
  const [head = '', ...rows] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const left = rows.filter((_, index) => index < WHOLE || index % THINNED === 0)
  const numbered = left.map((row, index) => row.replace(/^\d+/, String(index + 1)))
  writeFileSync(file, gzipSync([head, ...numbered, ''].join('\n')))
}

export function runInstalled(documents: readonly string[]): void {
  const { folder, write } = temporaryFiles()
  let installed = ''
  beforeAll(() => {
    installed = installPackage(join(folder, 'user'), ['better-sqlite3', '@duckdb/node-api', 'bullmq', 'ioredis'])
    thinTape(join(installed, 'data/btc_usd.csv.gz'))
  })
  for (const document of documents) {
    const text = readFileSync(join(PROJECT, document), 'utf8')
    runDocument(document, text, () => new DocumentPlace(installed, folder), false, write)
  }
}
