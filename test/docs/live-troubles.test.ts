/**
 * The table of troubles in docs/live.md: each row has a test that runs the command line, whose title begins with the
 * row's first cell.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const [, section = ''] = readFileSync(join(root, 'docs/live.md'), 'utf8').split('\n## When something goes wrong\n')
const [, , ...rows] = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ') || line.startsWith('|-')) // prettier-ignore
const troubles = rows.map((row) => (row.split('|')[1] ?? '').trim())

const sources = ['test/cli/live', 'test/cli/paper'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8')),
)
const titles = sources.flatMap((source) => [...source.matchAll(/^\s*(?:\w+[\w.]*\()?(['"`])(.*?)\1,/gm)].map(([, , title = '']) => title)) // prettier-ignore

it('docs/live.md has a table of troubles', () => {
  expect(troubles.length).toBeGreaterThan(10)
})

it.each(troubles)('a test of the command line is named after the row: %s', (trouble) => {
  expect(titles.filter((title) => title === trouble || title.startsWith(`${trouble}:`))).not.toEqual([])
})
