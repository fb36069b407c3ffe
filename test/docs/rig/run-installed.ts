/**
 * Documents run in the package as it is installed, beside what the documents say to install as well.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll } from 'vitest'
import { installPackage } from '../../cli/rig/installed-package.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { DocumentPlace } from './document-place.ts'
import { runDocument } from './run-document.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))

export function runInstalled(documents: readonly string[]): void {
  const { folder, write } = temporaryFiles()
  let installed = ''
  beforeAll(() => {
    installed = installPackage(join(folder, 'user'), ['better-sqlite3', 'bullmq', 'ioredis'])
  })
  for (const document of documents) {
    const text = readFileSync(join(PROJECT, document), 'utf8')
    runDocument(document, text, () => new DocumentPlace(installed, folder), false, write)
  }
}
