/**
 * What docs/architecture.md says of the folders of src, and every file that it and CONTRIBUTING.md name, held against
 * what is there.
 *
 * The table of folders has each import between two folders, but for those from `domain`, which everybody may need. The
 * picture has an arrow for an import only when no longer way of imports leads to the same folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

type Imports = ReadonlyMap<string, ReadonlySet<string>>

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/architecture.md'), 'utf8')
const SOURCE = join(PROJECT, 'src')

const entries = readdirSync(SOURCE, { withFileTypes: true })
const FOLDERS = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)

/** Folders of src that the files of a folder import from. */
function importsOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
  const imported = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, folder, file), 'utf8')
      const paths = Array.from(text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g), ([, path = '']) => path)
      return paths.map((path) => normalize(join(dirname(join(folder, file)), path)).split(/[\\/]/)[0] ?? '')
    })
  return new Set(imported.filter((name) => name !== folder))
}

/** Every folder that is reached from one, by one import or more. */
function reachedFrom(imports: Imports, folder: string): ReadonlySet<string> {
  const direct = [...(imports.get(folder) ?? [])]
  return new Set([...direct, ...direct.flatMap((next) => [...reachedFrom(imports, next)])])
}

/** The imports that no longer way says already, as `from --> to`. */
const arrowsOf = (imports: Imports): readonly string[] =>
  [...imports].flatMap(([from, direct]) => {
    const behind = new Set([...direct].flatMap((next) => [...reachedFrom(imports, next)]))
    return [...direct].filter((to) => !behind.has(to)).map((to) => `${from} --> ${to}`)
  })

const IMPORTS: Imports = new Map(FOLDERS.map((folder) => [folder, importsOf(folder)]))

/** Names in backticks. */
const ticked = (text: string): readonly string[] => Array.from(text.matchAll(/`([^`\n]+)`/g), ([, name = '']) => name)

/** Rows of the table of folders: folder, content, imports. */
const ROWS = Array.from(
  PAGE.matchAll(/^\| `([a-z]+)` \|(.*)\|(.*)\|$/gm),
  ([, folder = '', content = '', imports = '']) => ({
    folder,
    content,
    imports,
  }),
)

describe('an arrow', () => {
  const drawn = (links: Readonly<Record<string, readonly string[]>>): readonly string[] =>
    arrowsOf(new Map(Object.entries(links).map(([from, to]) => [from, new Set(to)])))

  it.each`
    links                                    | expected                             | why
    ${{ b: ['a'] }}                          | ${['b --> a']}                       | ${'an import'}
    ${{ b: ['a'], c: ['b', 'a'] }}           | ${['b --> a', 'c --> b']}            | ${'a longer way says it already'}
    ${{ b: ['a'], c: ['b'], d: ['a', 'c'] }} | ${['b --> a', 'c --> b', 'd --> c']} | ${'a way of three'}
    ${{ b: ['a'], c: ['a'] }}                | ${['b --> a', 'c --> a']}            | ${'two that do not know each other'}
  `('is drawn for $links as $expected: $why', ({ links, expected }) => {
    expect(drawn(links as Record<string, readonly string[]>)).toEqual(expected)
  })
})

describe('docs/architecture.md', () => {
  it('finds the imports of src', () => {
    expect(IMPORTS.get('domain')?.size).toBe(0)
    expect(IMPORTS.get('cli')?.size).toBeGreaterThan(3)
  })

  it('draws every import that no longer way says, and no other', () => {
    const [, picture = ''] = /^```mermaid\n([^]*?)^```$/m.exec(PAGE) ?? []
    const drawn = Array.from(picture.matchAll(/^ {2}(\w+ --> \w+)$/gm), ([, arrow = '']) => arrow)
    expect(picture.trimEnd().split('\n')).toHaveLength(drawn.length + 1)
    expect([...drawn].sort()).toEqual([...arrowsOf(IMPORTS)].sort())
  })

  it('has every folder of src in its table, after those that it imports from', () => {
    const named = ROWS.map(({ folder }) => folder)
    expect([...named].sort()).toEqual([...FOLDERS].sort())
    for (const [index, folder] of named.entries()) {
      expect(named.slice(0, index)).toEqual(expect.arrayContaining([...(IMPORTS.get(folder) ?? [])]))
    }
  })

  it.each(ROWS)('says what $folder imports', ({ folder, imports }) => {
    const found = [...(IMPORTS.get(folder) ?? [])]
    expect(found.includes('domain')).toBe(folder !== 'domain')
    expect([...ticked(imports)].sort()).toEqual(found.filter((name) => name !== 'domain').sort())
  })

  it.each(ROWS)('names every folder in $folder', ({ folder, content }) => {
    const inside = readdirSync(join(SOURCE, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const named = ticked(content).filter((name) => name.endsWith('/'))
    expect([...named].sort()).toEqual(inside.map(({ name }) => `${name}/`).sort())
  })

  const [, important = ''] = /^## The most important modules\n([^]*?)^## /m.exec(PAGE) ?? []

  it.each(ticked(important).filter((name) => name.endsWith('.ts')))('lists %s, with five sections', (file) => {
    const [header = ''] = readFileSync(join(SOURCE, file), 'utf8').split('*/')
    const sections = Array.from(
      header.matchAll(/^ \* (Purpose|Invariant|Known limitation|Complexity|Source)s?: /gm),
      ([, section]) => section,
    )
    expect([...new Set(sections)].sort()).toEqual(['Complexity', 'Invariant', 'Known limitation', 'Purpose', 'Source'])
  })

  it('has every export of the package', () => {
    const { exports }: { exports: Record<string, unknown> } = JSON.parse(
      readFileSync(join(PROJECT, 'package.json'), 'utf8'),
    )
    const rows = Array.from(PAGE.matchAll(/^\| `src\/(\w+)\.ts` \| `papertape(.*)` \|/gm), ([, file, path]) => [
      file,
      path,
    ])
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name.replace('.ts', ''))
    expect(rows.map(([file]) => file).sort()).toEqual(files.sort())
    const paths = Object.keys(exports).filter((path) => path !== './package.json')
    expect(rows.map(([, path = '']) => `.${path}`).sort()).toEqual(paths.sort())
  })
})

describe.each(['docs/architecture.md', 'CONTRIBUTING.md', 'AGENTS.md'])('%s', (document) => {
  const text = readFileSync(join(PROJECT, document), 'utf8')
  const linked = Array.from(text.matchAll(/\]\(([^)#:]+)\)/g), ([, path = '']) => join(dirname(document), path))
  const named = ticked(text).filter((name) => /^[\w.-]+(?:\/[\w.-]+)+\.\w+$/.test(name))

  it('names files', () => {
    expect(named.length).toBeGreaterThan(5)
  })

  it.each([...new Set([...linked, ...named])])('names %s, which is there', (path) => {
    expect([path, join('src', path)].some((each) => existsSync(join(PROJECT, each)))).toBe(true)
  })
})
