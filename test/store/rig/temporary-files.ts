/**
 * Files for one test file, in a folder of their own that goes away after it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Writes a file and returns its path; a name that was used before is written again. */
export type WriteFile = (content: string | Uint8Array, name?: string) => string

export function temporaryFiles(): { readonly folder: string; readonly write: WriteFile } {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-'))
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })
  return {
    folder,
    write: (content, name = 'tape.csv') => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}
