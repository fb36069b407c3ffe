/**
 * Whoever writes against an export of the package learns from the editor what each name is, and each number's unit.
 */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { documentedNames } from './rig/docstring-faults.ts'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
const EXPORTS = ['index', 'run', 'testing', 'liquidity', 'emulator', 'client'].map((name) => `${SOURCE}${name}.ts`)

/** Written from the schema of the config file, whose texts the reference of the flags has, too. */
const FROM_SCHEMA = 'PapertapeConfig'

const names = documentedNames(EXPORTS.filter(existsSync), SOURCE)
  .filter(({ name }) => name !== FROM_SCHEMA)
  .map(({ file, name, faults }) => [basename(file), name, faults] as const)

it('names are found', () => expect(names.length).toBeGreaterThan(70))

describe('every exported name and its public members say what they are, and numbers in what unit', () => {
  it.each(names)('%s: %s', (_file, _name, faults) => {
    expect(faults).toEqual([])
  })
})

/** What the samples below extend, in lines 1 to 6; they begin in line 8. */
const BASES = `interface Bare { b: string }
interface Said {
  /** D. */ d(): string }
class Base {
  /** In lots. */ b(): number { return 1 } }
class Decimal { e = 1 }
`

const DECLARATION = /(?:const|function|interface|type|class) /

/** A faulty declaration of `A` or `a`, to be exported, its one fault, and why it is one. */
const FAULTY: readonly (readonly [code: string, fault: string, why: string])[] = [
  ['const a = 1', '8 a: no docstring', 'a name without a word'],
  ['/** A. */ interface A {\n b: string }', '9 A.b: no docstring', 'a member'],
  ['/** A. */ interface A {\n // B.\n b: string }', '10 A.b: no docstring', 'a comment that no editor shows'],
  ['/** A. */ type A = string | {\n b: boolean }', '9 A.b: no docstring', 'a member of a part of a union'],
  ['/** A. */ class A { get b(): string { return "" } }', '8 A.b: no docstring', 'a getter'],
  ['/** A. */ class A { constructor(b: string) { void b } }', '8 new A: no docstring', 'a constructor'],
  ['/** A. */ interface A extends Bare {}', '1 A.b: no docstring', 'an inherited member, where it is declared'],
  ['/** A. */ interface A {\n/** B. */ b: number }', '9 A.b: no unit', 'a number'],
  ['/** A. */ interface A {\n/** B. */ b?: bigint | undefined }', '9 A.b: no unit', 'a number that may be missing'],
  ['/** A. */ interface A {\n/** B. */ b: Decimal | string }', '9 A.b: no unit', 'a Decimal'],
  ['/** A. */ interface A {\n/** B. */ b: Float64Array }', '9 A.b: no unit', 'a column of numbers'],
  ['/** A. */ const a = (b: number): void => void b', '8 a: no unit', 'a function that takes a number'],
  ['/** A. */ function a(): number { return 1 }', '8 a: no unit', 'a function that gives one'],
  [
    '/** A. */ interface A {\n/** As `c`. */ b: number\n/** C. */ c: string }',
    '9 A.b: no unit',
    'a name without a unit',
  ],
]

const SOUND: readonly (readonly [code: string, why: string])[] = [
  ['/** A. */ interface A {\n/** In ticks. */ b: number }', 'a unit'],
  ['/** @param b  lots */ const a = (b: number): void => void b', 'a unit of a parameter'],
  [
    '/** A. */ interface A {\n/** As `c`. */ b: number\n/** In ticks. */ c: bigint }',
    'the unit of a member that is named',
  ],
  ['/** A. */ interface A { type: "a"\n/** B. */ b: 1 | 10 | "max" }', 'literals'],
  ['/** A. */ class A { #b = 1; private c = this.#b; constructor() { void this.c } }', 'what nobody can reach'],
  ['/** A. */ class A implements Said { d(): string { return "" } }', 'the docstring of an interface'],
  ['/** A. */ class A extends Base { override b(): number { return 2 } }', 'the docstring of a base class'],
  ['/** A. */ class A extends Error {}', 'members that are not ours'],
]

describe('what is found in a file', () => {
  const { folder, write } = temporaryFiles()
  const files = [...FAULTY, ...SOUND].map(([code], index) =>
    write(`${BASES}\n${code.replace(DECLARATION, 'export $&')}`, `${index}.ts`),
  )
  const documented = documentedNames(files, join(folder, '/'))
  const faultsIn = (index: number): readonly string[] =>
    documented.flatMap(({ file, faults }) => (file === files[index] ? faults : []))

  it.each(FAULTY.map(([, fault, why], index) => [why, fault, index] as const))('%s: %s', (_why, fault, index) => {
    expect(faultsIn(index)).toEqual([`${index}.ts:${fault}`])
  })

  it.each(SOUND.map(([, why], index) => [why, FAULTY.length + index] as const))('nothing: %s', (_why, index) => {
    expect(documented.filter(({ file }) => file === files[index])).toHaveLength(1)
    expect(faultsIn(index)).toEqual([])
  })
})
