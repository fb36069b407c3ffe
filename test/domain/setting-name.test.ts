/**
 * Settings named inside errors, in the words of anyone who reads them.
 */
import { describe, expect, it } from 'vitest'
import { flagWords } from '../../src/cli/flag-words.ts'
import { InputError } from '../../src/domain/errors.ts'
import { setting, worded, type SettingWords } from '../../src/domain/setting-name.ts'

const FLAGS = flagWords(new Map([['latency.orderMs', 'orderLatency']]))
/** Has no columns. */
const POORER: SettingWords = (name) => (name.path === 'columns' ? undefined : FLAGS(name))

const HINTED = new InputError('a.csv:1', 'expected a header', {
  hint: worded`; name the fields: ${setting('columns', 'time,price,qty')}`,
})

describe('an error that names a setting', () => {
  it.each`
    error                                                                     | option                                                                      | flag
    ${new InputError(setting('latency.orderMs'), 'too long')}                 | ${'latency.orderMs: too long'}                                              | ${'--order-latency: too long'}
    ${new InputError(setting('params.fast'), 'too slow')}                     | ${'params.fast: too slow'}                                                  | ${'--param fast: too slow'}
    ${new InputError(setting('credits.USD'), 'too few')}                      | ${'credits.USD: too few'}                                                   | ${'--credit USD: too few'}
    ${new InputError(setting('credits'), 'too few')}                          | ${'credits: too few'}                                                       | ${'--credit: too few'}
    ${new InputError(setting('to'), worded`not after ${setting('onLimit')}`)} | ${'to: not after onLimit'}                                                  | ${'--to: not after --on-limit'}
    ${new InputError('a.csv:3:1', 'expected a time')}                         | ${'a.csv:3:1: expected a time'}                                             | ${'a.csv:3:1: expected a time'}
    ${HINTED}                                                                 | ${"a.csv:1: expected a header; name the fields: columns: 'time,price,qty'"} | ${'a.csv:1: expected a header; name the fields: --columns time,price,qty'}
  `('$option, to a program, is $flag on the command line', ({ error, option, flag }) => {
    expect([error.message, error.messageFor(FLAGS)]).toEqual([option, flag])
  })

  it('gives no hint of a setting that its reader does not have', () => {
    expect(HINTED.messageFor(POORER)).toBe('a.csv:1: expected a header')
  })

  it('can be handed on where the setting has another name, with what caused it', () => {
    const error = new InputError(setting('tapes'), 'expected a symbol', { hint: worded` or pass ${setting('symbol')}` })
    const renamed = error.renamed(({ path }) => (path === 'tapes' ? setting('replay') : undefined))
    expect([renamed.message, renamed.where, renamed.cause]).toEqual(['replay: expected a symbol', 'replay', error])
    expect(renamed.messageFor(FLAGS)).toBe('--replay: expected a symbol')
  })

  it('may be followed by the line that it comes from, whether its hint is reported or not, and in another thread too', () => {
    const followed = HINTED.followedBy(' (bot.ts:3:4)')
    const elsewhere = InputError.ofPlain(followed.plain())
    for (const error of [followed, elsewhere, followed.renamed((name) => name)]) {
      expect([error.messageFor(FLAGS), error.messageFor(POORER), error.where]).toEqual([
        'a.csv:1: expected a header; name the fields: --columns time,price,qty (bot.ts:3:4)',
        'a.csv:1: expected a header (bot.ts:3:4)',
        'a.csv:1',
      ])
    }
    expect(followed.cause).toBe(HINTED)
    expect(followed.atFile('bot.ts', 'mine.ts').message).toMatch(/ \(mine\.ts:3:4\)$/)
  })
})
