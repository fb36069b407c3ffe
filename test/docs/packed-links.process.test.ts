/**
 * Whoever has the package alone can follow every link of the documents in it.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** Bytes. Those that no page shows are left out. */
const MAX_PICTURES = 1_000_000
const { folder } = temporaryFiles()

interface PackedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
}
let files: readonly PackedFile[]
beforeAll(async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--cache', folder]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: PROJECT, maxBuffer: 1e8 })
  files = (JSON.parse(stdout) as { files: readonly PackedFile[] }[])[0]?.files ?? []
})

it('guides and examples are in it', () => {
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['docs/README.md', 'docs/streams.md', 'docs/decisions/001-requests-take-a-callback.md']),
  )
  expect(paths).toEqual(expect.arrayContaining(['examples/README.md', 'examples/01-first-strategy.ts', 'README.md']))
})

it('no link of a document leads out of it', () => {
  const paths = new Set(files.map(({ path }) => path))
  const folders = new Set(
    [...paths].flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  )
  const documents = [...paths].filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
  expect(documents.length).toBeGreaterThan(30)
  const dead = documents.flatMap((document) =>
    [...readFileSync(join(PROJECT, document), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .map(([, href = '']) => posix.join(posix.dirname(document), href).replace(/\/$/, ''))
      .filter((target) => !paths.has(target) && !folders.has(target))
      .map((target) => `${document}: ${target}`),
  )
  expect(dead).toEqual([])
})

it('its pictures are less than a megabyte', () => {
  const bytes = files.filter(({ path }) => path.endsWith('.png')).reduce((sum, { size }) => sum + size, 0)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(MAX_PICTURES)
})
