/**
 * A user's code runs from the bytes that were hashed, with every file that it imports.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserCode, type Exports } from '../../../src/runtime/modules/user-code.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const files = temporaryFiles()
let folders = 0

/** Files of a folder of its own; the first is the one that is loaded. */
function codeOf(sources: Readonly<Record<string, string>>): {
  code: UserCode
  write: (name: string, text: string) => void
} {
  folders += 1
  const folder = join(files.folder, `code-${folders}`)
  const write = (name: string, text: string): void => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  for (const [name, text] of Object.entries(sources)) write(name, text)
  const [first = ''] = Object.keys(sources)
  return { code: new UserCode(join(folder, first), { ours: () => ({ value: 'ours' }) }), write }
}

const load = (sources: Readonly<Record<string, string>>): Promise<Exports> => codeOf(sources).code.load()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('imports', () => {
  it.each`
    sources                                                                                                                                                                                                                                                                             | exports            | why
    ${{ 'a.ts': "export { b } from './b.ts'", 'b.ts': 'export const b: number = 1' }}                                                                                                                                                                                                   | ${{ b: 1 }}        | ${'of a file by its name'}
    ${{ 'a.ts': "export { b } from './b.js'", 'b.ts': 'export const b: number = 1' }}                                                                                                                                                                                                   | ${{ b: 1 }}        | ${'of TypeScript by the name of what it compiles to'}
    ${{ 'a.ts': "export { b } from './b'", 'b/index.mjs': 'export const b = 1' }}                                                                                                                                                                                                       | ${{ b: 1 }}        | ${'of a folder'}
    ${{ 'a.ts': "import b, { c } from './b.cjs'; export const d = b.c + c", 'b.cjs': 'exports.c = 2' }}                                                                                                                                                                                 | ${{ d: 4 }}        | ${'of CommonJS, whole and in parts'}
    ${{ 'a.cjs': "exports.b = require('./b.ts').b", 'b.ts': 'export const b: number = 1' }}                                                                                                                                                                                             | ${{ b: 1 }}        | ${'from CommonJS'}
    ${{ 'a.ts': "import data from './b.json'; export const b = data.c", 'b.json': '{"c": 3}' }}                                                                                                                                                                                         | ${{ b: 3 }}        | ${'of JSON'}
    ${{ 'a.ts': "const { b } = await import('./b.ts'); export const c = b", 'b.ts': 'export const b = await Promise.resolve(5)' }}                                                                                                                                                      | ${{ c: 5 }}        | ${'that wait'}
    ${{ 'a.ts': "const name = './b' + '.ts'; export const { b } = await import(name)", 'b.ts': 'export const b = 6' }}                                                                                                                                                                  | ${{ b: 6 }}        | ${'under a computed name'}
    ${{ 'a.ts': "import { value } from 'ours'; export const b = value" }}                                                                                                                                                                                                               | ${{ b: 'ours' }}   | ${'of ours'}
    ${{ 'a.ts': "import { sep } from 'node:path'; export const b = typeof sep" }}                                                                                                                                                                                                       | ${{ b: 'string' }} | ${'of a module of Node'}
    ${{ 'a.ts': "import { b } from './b.ts'; export const a = 1; export const c = b()", 'b.ts': "import { a } from './a.ts'; export const b = () => a" }}                                                                                                                               | ${{ a: 1, c: 1 }}  | ${'in a ring'}
    ${{ 'a.ts': "import './b.ts'; import './c.ts'; export const n = (globalThis as any).counted; delete (globalThis as any).counted", 'b.ts': "import './d.ts'", 'c.ts': "import './d.ts'", 'd.ts': 'const all = globalThis as any; all.counted = (all.counted ?? 0) + 1; export {}' }} | ${{ n: 1 }}        | ${'of one file by two run it once'}
    ${{ 'a.ts': "const all = await Promise.all([import('./b.ts'), import('./c.ts')]); export const n = all.map((each) => each.d)", 'b.ts': "export { d } from './d.ts'", 'c.ts': "export { d } from './d.ts'", 'd.ts': 'await Promise.resolve(); export const d = 7' }}                 | ${{ n: [7, 7] }}   | ${'of one file at the same time'}
    ${{ 'a.ts': "export { b } from 'kit'", 'node_modules/kit/package.json': '{"name":"kit","version":"1.2.3","main":"i.cjs"}', 'node_modules/kit/i.cjs': 'exports.b = 8' }}                                                                                                             | ${{ b: 8 }}        | ${'of a package'}
    ${{ 'a.ts': "export { b } from 'kit'", 'node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./i.js"}', 'node_modules/kit/i.js': "export { value as b } from 'ours'" }}                                                                                        | ${{ b: 'ours' }}   | ${'of a package that leans on ours'}
  `('$why', async ({ sources, exports }) => {
    expect({ ...(await load(sources)) }).toMatchObject(exports)
  })

  it.each`
    sources                                                                | message                                                                     | why
    ${{ 'a.ts': "import './b.ts'" }}                                       | ${/Cannot find module '\.\/b\.ts'/}                                         | ${'of what is not there'}
    ${{ 'a.ts': "import './b.wasm'", 'b.wasm': '' }}                       | ${/'b\.wasm' cannot be imported: it is not TypeScript, JavaScript or JSON/} | ${'of what cannot be followed'}
    ${{ 'a.ts': "import './b.ts'", 'b.ts': 'export default {' }}           | ${/ParseError: .*\n .*b\.ts:1:/}                                            | ${'of what does not parse'}
    ${{ 'a.ts': "import './b.ts'", 'b.ts': "throw new Error('at once')" }} | ${/^at once$/}                                                              | ${'of what throws'}
  `('$why are refused', async ({ sources, message }) => {
    await expect(load(sources)).rejects.toThrow(message)
  })
})

describe('the digest', () => {
  it('of one file is that of its bytes', async () => {
    const text = 'export const a: string = "ä"'
    const { code } = codeOf({ 'a.ts': text })
    await code.load()
    expect(code.files.digest()).toBe(sha256(text))
  })

  it('covers every file, those that are only named in a call as well, and packages by name and version', async () => {
    const sources = {
      'a.ts': "import './sub/b.ts'\nimport 'kit'\nexport const later = () => import('./d.ts')",
      'sub/b.ts': "import data from '../c.json'\nexport default data",
      'c.json': '{}',
      'd.ts': 'export const d = 1',
      'node_modules/kit/package.json': '{"name":"kit","version":"1.2.3","main":"i.cjs"}',
      'node_modules/kit/i.cjs': '',
    }
    const { code } = codeOf(sources)
    await code.load()
    const line = (name: keyof typeof sources, shown: string = name): string => `${sha256(sources[name])}  ${shown}\n`
    expect(code.files.digest()).toBe(
      sha256([line('a.ts', '.'), line('c.json'), line('d.ts'), line('sub/b.ts'), 'package  kit@1.2.3\n'].join('')),
    )
    expect(code.files.packages).toEqual(['kit@1.2.3'])
  })

  it('is of what runs: files that are replaced after they were read change nothing', async () => {
    const { code, write } = codeOf({
      'a.ts': "import { b } from './b.ts'\nexport const a = b\nexport const later = () => import('./d.ts')",
      'b.ts': 'export const b = 1',
      'd.ts': 'export const d = 1',
    })
    const before = await code.load()
    const digest = code.files.digest()
    write('a.ts', 'export const a = 2')
    write('b.ts', 'export const b = 2')
    write('d.ts', 'export const d = 2')
    expect(await (before.later as () => Promise<unknown>)()).toMatchObject({ d: 1 })
    expect(await code.load()).toMatchObject({ a: 1 })
    expect(code.files.digest()).toBe(digest)
  })

  it('is of what runs: a file that replaces the next one while it is loaded comes too late', async () => {
    const { code } = codeOf({
      'a.ts': "import './b.ts'\nexport { c } from './c.ts'",
      'b.ts':
        "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('./c.ts', import.meta.url), 'export const c = 2')",
      'c.ts': 'export const c = 1',
    })
    expect(await code.load()).toMatchObject({ c: 1 })
    expect(code.files.imports).toContainEqual({ file: 'c.ts', sha256: sha256('export const c = 1') })
  })

  it('keeps out what comes later under a computed name', async () => {
    const { code } = codeOf({
      'a.ts': 'export const later = (name: string) => import(name)',
      'b.ts': 'export const b = 1',
    })
    const { later } = (await code.load()) as { later: (name: string) => Promise<unknown> }
    await expect(later('./b.ts')).rejects.toThrow("'b.ts' is imported with a computed path, so it cannot be hashed")
  })
})

it('runs again each time it is loaded', async () => {
  const { code } = codeOf({
    'a.ts': "export { next } from './b.ts'",
    'b.ts': 'let n = 0\nexport const next = () => ++n',
  })
  const next = async (): Promise<unknown> => ((await code.load()).next as () => number)()
  expect([await next(), await next()]).toEqual([1, 1])
})

it('needs no file once it was loaded', async () => {
  const { code } = codeOf({ 'a.ts': "export { b } from './b.ts'", 'b.ts': 'export const b = 1' })
  await code.load()
  rmSync(join(code.files.entry, '..'), { recursive: true })
  expect(await code.load()).toMatchObject({ b: 1 })
})
