/**
 * The recorded book of data/ is what data/README.md says it is, and can be made again.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = ['btc_usd_book.csv.gz', 'btc_usd_hour.csv.gz']
const { folder } = temporaryFiles()
const textIn = (directory: string, file: string): string => gunzipSync(readFileSync(join(directory, file))).toString()

it.each(FILES)('%s has the hash and the rows that are listed for it', (file) => {
  const reported = readFileSync(join(PROJECT, 'data/README.md'), 'utf8')
  const text = textIn(join(PROJECT, 'data'), file)
  expect(reported).toContain(createHash('sha256').update(text).digest('hex'))
  expect(reported).toMatch(new RegExp(`\\b${text.trimEnd().split('\n').length - 1} (?:trades|rows)`))
})

it('the same seed gives it again, from its first row on', async () => {
  await promisify(execFile)(process.execPath, ['scripts/generate-book.mjs', folder, '2'], { cwd: PROJECT })
  for (const file of FILES) {
    const beginning = textIn(folder, file)
    expect(beginning.split('\n').length).toBeGreaterThan(20)
    expect(textIn(join(PROJECT, 'data'), file).startsWith(beginning)).toBe(true)
  }
})
