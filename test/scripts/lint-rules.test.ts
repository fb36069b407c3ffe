import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import papertape from '../../scripts/lint-rules.mjs'

/** How many times the rule objects to the code. */
function faults(rule: keyof typeof papertape.rules, code: string): number {
  const messages = new Linter().verify(code, [
    {
      languageOptions: { parser: tseslint.parser },
      plugins: { papertape },
      rules: { [`papertape/${rule}`]: 'error' },
    },
  ])
  expect(messages.filter(({ ruleId }) => ruleId !== `papertape/${rule}`)).toEqual([])
  return messages.length
}

describe('no-clock', () => {
  it.each([
    'const t = Date.now()',
    'const t = new Date()',
    'const t = Date()',
    'const now = Date.now',
    'const x = Math.random()',
    'const t = performance.now()',
    'const t = process.hrtime.bigint()',
    'setTimeout(run, 5)',
    'globalThis.setInterval(run, 5)',
    "import { setImmediate as soon } from 'node:timers'",
    'const id = crypto.randomUUID()',
    'names.sort((a, b) => a.localeCompare(b))',
    'const text = price.toLocaleString()',
    'const h = date.getHours()',
  ])('refuses %s', (code) => expect(faults('no-clock', code)).toBeGreaterThan(0))

  it.each([
    'const t = new Date(timeMs).toISOString()',
    'const t = clock.now()',
    'const x = random()',
    "import { createHash } from 'node:crypto'",
    "names.sort((a, b) => a.localeCompare(b, 'en'))",
    "const text = count.toLocaleString('en-US')",
    'const h = date.getUTCHours()',
    'const report = { performance: 1 }',
  ])('allows %s', (code) => expect(faults('no-clock', code)).toBe(0))
})

describe('no-inexact-math', () => {
  it.each([
    'Math.exp(x)',
    'Math.pow(x, 2)',
    'Math.log2(x)',
    'x ** 2',
    '10 ** decimals',
    'x **= 2',
    'const { sin } = Math',
  ])('refuses %s', (code) => expect(faults('no-inexact-math', code)).toBe(1))

  it.each(['Math.floor(x)', 'Math.sqrt(x)', 'Math.PI', '10n ** BigInt(decimals)', 'x ** 2n', '2 ** 53'])(
    'allows %s',
    (code) => expect(faults('no-inexact-math', code)).toBe(0),
  )
})

describe('imports and exports', () => {
  it.each`
    rule                   | code                                                       | count | why
    ${'no-default-export'} | ${'export default 1'}                                      | ${1}  | ${'no name'}
    ${'no-default-export'} | ${'const a = 1; export { a as default }'}                  | ${1}  | ${'no name either'}
    ${'no-default-export'} | ${'export const a = 1'}                                    | ${0}  | ${'named'}
    ${'no-barrel'}         | ${"export * from './a.ts'"}                                | ${1}  | ${'gathers'}
    ${'no-barrel'}         | ${"export type { A } from './a.ts'"}                       | ${1}  | ${'gathers types'}
    ${'no-barrel'}         | ${'const a = 1; export { a }'}                             | ${0}  | ${'its own'}
    ${'no-streams'}        | ${"import { map } from 'rxjs'"}                            | ${1}  | ${'a stream'}
    ${'no-streams'}        | ${"import type { Observable } from 'rxjs'"}                | ${1}  | ${'only the type'}
    ${'no-streams'}        | ${"const rx = await import('rxjs/operators')"}             | ${1}  | ${'loaded later'}
    ${'no-streams'}        | ${"import { map } from './map.ts'"}                        | ${0}  | ${'no stream'}
    ${'no-decimals'}       | ${"import { Decimal } from 'decimal.js'"}                  | ${1}  | ${'makes decimals'}
    ${'no-decimals'}       | ${"import type { Decimal } from 'decimal.js'"}             | ${0}  | ${'only the type'}
    ${'no-decimals'}       | ${"import { toDecimal } from '../domain/decimal.ts'"}      | ${0}  | ${'through the one place'}
    ${'no-inside-import'}  | ${"import { defineStrategy } from '../src/strategy/a.ts'"} | ${1}  | ${'not as a user could'}
    ${'no-inside-import'}  | ${"import { defineStrategy } from 'papertape'"}            | ${0}  | ${'as a user would'}
    ${'no-inside-import'}  | ${"import { TapeLiquidity } from 'papertape/liquidity'"}   | ${0}  | ${'another export'}
    ${'no-inside-import'}  | ${"import { TapeLiquidity } from '../src/liquidity.ts'"}   | ${1}  | ${'the file of an export'}
  `('$rule counts $count for $code: $why', ({ rule, code, count }) => expect(faults(rule, code)).toBe(count))
})

describe('plain-header', () => {
  it.each`
    code                                                         | count | why
    ${'/**\n * Order book of one market.\n */\nrun()'}           | ${0}  | ${'a noun phrase'}
    ${'/** Makes an exchange. */\nrun()'}                        | ${0}  | ${'a sentence, on one line'}
    ${'/**\n * Whatever is left.\n */\nrun()'}                   | ${0}  | ${'only the whole word counts'}
    ${'/**\n * Order book.\n *\n * What it holds.\n */\nrun()'}  | ${0}  | ${'only the first word counts'}
    ${'/**\n * What a market did.\n */\nrun()'}                  | ${1}  | ${'a riddle'}
    ${"/** Who's asking. */\nrun()"}                             | ${1}  | ${'a riddle with an apostrophe'}
    ${'/**\n * whether it is open.\n */\nrun()'}                 | ${1}  | ${'a riddle in small letters'}
    ${'run()'}                                                   | ${1}  | ${'no header'}
    ${'/* Order book. */\nrun()'}                                | ${1}  | ${'no header, but a comment'}
    ${'// Order book.\nrun()'}                                   | ${1}  | ${'no header, but a line'}
    ${"import { a } from './a.ts'\n\n/** Order book. */\nrun()"} | ${1}  | ${'not where the file begins'}
  `('counts $count for $code: $why', ({ code, count }) => expect(faults('plain-header', code)).toBe(count))
})

describe('where files may gather', () => {
  it.each`
    file                        | isAllowed | why
    ${'src/index.ts'}           | ${true}   | ${'papertape'}
    ${'src/run.ts'}             | ${true}   | ${'papertape/run'}
    ${'src/testing.ts'}         | ${true}   | ${'papertape/testing'}
    ${'src/liquidity.ts'}       | ${true}   | ${'papertape/liquidity'}
    ${'src/emulator.ts'}        | ${true}   | ${'papertape/emulator'}
    ${'src/client.ts'}          | ${true}   | ${'papertape/client'}
    ${'src/other.ts'}           | ${false}  | ${'no export of the package'}
    ${'src/server/emulator.ts'} | ${false}  | ${'no file of src itself'}
    ${'src/strategy/index.ts'}  | ${false}  | ${'a barrel'}
  `('$file: $isAllowed, $why', async ({ file, isAllowed }) => {
    const config = (await new ESLint().calculateConfigForFile(file as string)) as Linter.Config
    expect(config.rules?.['papertape/no-barrel']).toEqual(isAllowed ? undefined : [2])
  })
})

describe('reasoned-disable', () => {
  it.each`
    comment                                                          | count
    ${'// eslint-disable-next-line papertape/no-clock'}              | ${1}
    ${'// eslint-disable-next-line papertape/no-clock -- '}          | ${1}
    ${'/* eslint-disable papertape/no-clock */'}                     | ${1}
    ${'// eslint-disable-next-line papertape/no-clock -- intercept'} | ${0}
    ${'// a comment'}                                                | ${0}
  `('counts $count for $comment', ({ comment, count }) => {
    // The directive itself must not be what silences the rule.
    const messages = new Linter().verify(`${comment}\n\nrun()`, [
      { plugins: { papertape }, rules: { 'papertape/reasoned-disable': 'error' } },
    ])
    expect(messages.filter(({ ruleId }) => ruleId === 'papertape/reasoned-disable')).toHaveLength(count)
  })
})

describe('plain-names', () => {
  it.each([
    'class OrderDesk {}',
    'class A { #desk = 1 }',
    'const parcel = 1',
    'function sendToDesk() {}',
    'let keptRows',
    'const nobody = 0',
    'const livesById = 1',
    'function checkAnew() {}',
  ])('refuses %s', (code) => expect(faults('plain-names', code)).toBe(1))

  it.each([
    'const desktop = 1',
    'const settled = 1',
    'class Waiting {}',
    'const x = { deskew: 1 }',
    'const row = { keptAt: 1 }',
  ])('takes %s', (code) => expect(faults('plain-names', code)).toBe(0))
})

describe('comment-width', () => {
  const wrapped = (code: string): string =>
    new Linter().verifyAndFix(code, [{ plugins: { papertape }, rules: { 'papertape/comment-width': 'error' } }]).output
  const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

  it('wraps a comment of one line, and puts its tags on lines of their own', () => {
    const fixed = wrapped(`  /** ${words(20)}. @param one  first @returns it */\n  const x = 1\n`)
    expect(fixed.split('\n').every((line) => line.length <= 120)).toBe(true)
    expect(fixed).toContain('\n   *\n   * @param one  first\n   * @returns it\n   */\n  const x = 1\n')
  })

  it('joins the lines of a paragraph, and leaves lists and blank lines', () => {
    const code = `/**\n * ${words(19)}\n * and more.\n *\n * - a list\n * - of two\n */\n`
    const fixed = wrapped(code)
    expect(fixed.replaceAll(/\s*\n \* ?/g, ' ')).toBe(code.replaceAll(/\s*\n \* ?/g, ' '))
    expect(fixed).toContain('\n *\n * - a list\n * - of two\n */')
    expect(fixed).toMatch(/word\d+ and more\.\n/)
  })

  it('leaves a word that is longer than a line, and a comment that fits', () => {
    const code = `/**\n * ${'x'.repeat(130)}\n */\n/** short */\n`
    expect(wrapped(code)).toBe(code)
  })
})

describe('plain-comment', () => {
  it.each([
    '/** Of the trades so far. */',
    '/**\n * What a price is.\n */',
    '/** In ticks. */',
    '/** Trades that were told. */',
    '// A price that nobody asks for.',
  ])('refuses %j', (code) => expect(faults('plain-comment', code)).toBe(1))

  it.each([
    '/** Ticks. */',
    '/** In-memory tape. */',
    '/** At least one. */',
    '// Of the rest.',
    '/** Enough to tell them apart. */',
  ])('takes %j', (code) => expect(faults('plain-comment', code)).toBe(0))
})
