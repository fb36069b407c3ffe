import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-lock-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What the check says of a lock file, without the name of the file. */
function check(text: string): { status: number | null; faults: string[] } {
  const file = join(folder, 'package-lock.json')
  writeFileSync(file, text)
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-lock.mjs', file], { encoding: 'utf8' })
  const lines = stderr.split('\n').filter((line) => line !== '')
  return { status, faults: lines.map((line) => line.replace(`${file}: `, '')) }
}

const lockOf = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages })

const ours = readFileSync('package-lock.json', 'utf8')

it('finds nothing in the lock of this project', () => {
  expect(check(ours)).toEqual({ status: 0, faults: [] })
})

it('finds every platform binary that is taken out of the lock of this project', () => {
  const { packages } = JSON.parse(ours) as { packages: Record<string, { optionalDependencies?: object }> }
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  // A package that may be left out with its binaries asks for them itself.
  const binaries = optional.filter((name) => packages[`node_modules/${name}`]?.optionalDependencies === undefined)
  const doctored = Object.entries(packages).filter(
    ([path]) => !binaries.some((name) => path.endsWith(`node_modules/${name}`)),
  )

  expect(binaries.length).toBeGreaterThan(10)
  const { status, faults } = check(lockOf(Object.fromEntries(doctored)))
  expect(status).toBe(1)
  for (const name of binaries) expect(faults.join('\n')).toContain(`asks for ${name}@`)
})

it.each`
  packages                                                                                                         | fault                                                                                          | why
  ${{ '': { dependencies: { a: '^1.0.0' } } }}                                                                     | ${'the project asks for a@^1.0.0, which is not in the lock'}                                   | ${'a dependency is missing'}
  ${{ 'node_modules/a': { optionalDependencies: { '@b/linux': '1.0.0' } } }}                                       | ${'node_modules/a asks for @b/linux@1.0.0, which is not in the lock'}                          | ${'an optional one is missing'}
  ${{ 'node_modules/a': { dependencies: { b: '1.0.0' } }, 'node_modules/b': { version: '2.0.0' } }}                | ${'node_modules/a asks for b@1.0.0, the lock has 2.0.0'}                                       | ${'only another version is there'}
  ${{ 'node_modules/a': { dependencies: { c: '1.0.0' } }, 'node_modules/b/node_modules/c': { version: '1.0.0' } }} | ${'node_modules/a asks for c@1.0.0, which is not in the lock'}                                 | ${'it is there for another package alone'}
  ${{ 'node_modules/a': { resolved: 'https://registry.example.org/a/-/a-1.0.0.tgz' } }}                            | ${'node_modules/a names the place it came from: https://registry.example.org/a/-/a-1.0.0.tgz'} | ${'a registry is named'}
  ${{ 'node_modules/a': { resolved: 'git+ssh://git@example.org/a.git#0123' } }}                                    | ${'node_modules/a names the place it came from: git+ssh://git@example.org/a.git#0123'}         | ${'a repository is named'}
`('objects when $why', ({ packages, fault }) => {
  expect(check(lockOf(packages as object))).toEqual({ status: 1, faults: [fault] })
})

it.each`
  packages                                                                                                                        | why
  ${{ 'node_modules/a/node_modules/b': { dependencies: { c: '1.0.0' } }, 'node_modules/a/node_modules/c': { version: '1.0.0' } }} | ${'a package is found beside the one that asks'}
  ${{ 'node_modules/a/node_modules/b': { dependencies: { c: '1.0.0' } }, 'node_modules/c': { version: '1.0.0' } }}                | ${'a package is found at the top'}
  ${{ 'node_modules/a': { resolved: 'packages/a', link: true } }}                                                                 | ${'a package is a folder of the project'}
`('is content when $why', ({ packages }) => {
  expect(check(lockOf(packages as object))).toEqual({ status: 0, faults: [] })
})

it('objects to a lock file of a form that it cannot read', () => {
  expect(check('{ "lockfileVersion": 1 }').faults).toEqual(['has no "packages": expected lockfileVersion 2 or 3'])
})
