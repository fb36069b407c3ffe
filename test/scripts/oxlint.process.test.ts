import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WRONG_CODE } from './rig/wrong-code.ts'

/** The first are syntax errors in a module, and oxlint.config.mjs says why the last is left to ESLint. */
const WITHOUT_CODE = [
  ...['no-delete-var', 'no-dupe-args', 'no-nonoctal-decimal-escape', 'no-octal', 'no-with'],
  '@typescript-eslint/no-unsafe-class-instance-assignment',
]

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

let folder: string
/** Rules that each file breaks, as `eslint(no-var)`. */
const reported = new Map<string, string[]>()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oxlint-'))
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'scripts'))
  for (const path of ['oxlint.config.mjs', 'eslint.config.js', 'scripts/lint-rules.mjs', 'tsconfig.json'])
    copyFileSync(path, join(folder, path))
  put(
    'src/domain/shape.ts',
    '/** A shape. */\nexport interface Shape { a: number }\nexport const a = 1\nexport const b = 2',
  )
  for (const [, path, code] of WRONG_CODE) put(path, code)

  const args = [
    resolve('node_modules/oxlint/bin/oxlint'),
    '-c',
    'oxlint.config.mjs',
    '--format',
    'json',
    'src',
    'scripts',
    'strategies',
  ]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 })
  for (const { code, filename } of (JSON.parse(stdout) as Report).diagnostics)
    reported.set(filename, [...(reported.get(filename) ?? []), code])
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each(WRONG_CODE)('%s is reported by oxlint', (rule, path) => {
  const name = rule.replace(/^@typescript-eslint\//, '').replace(/^papertape\//, '')
  const codes = (reported.get(path) ?? []).map((code) => /\((.*)\)$/.exec(code)?.[1])
  expect(codes).toContain(name)
})

it('has wrong code for each rule of the project', async () => {
  const eslint = new ESLint()
  const files = ['src/domain/a.ts', 'src/cli/a.ts', 'strategies/a.ts', 'test/a.ts', 'scripts/a.mjs']
  const rules = new Set(WITHOUT_CODE)
  for (const file of files) {
    const { rules: all } = (await eslint.calculateConfigForFile(file)) as { rules: Record<string, readonly unknown[]> }
    for (const [rule, [severity]] of Object.entries(all)) if (severity !== 0) rules.add(rule)
  }
  expect([...new Set([...WITHOUT_CODE, ...WRONG_CODE.map(([rule]) => rule)])].sort()).toEqual([...rules].sort())
})
