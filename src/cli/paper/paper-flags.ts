/**
 * The flags of `papertape paper`, and their texts as the options that they stand for.
 */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { PaperOptions } from '../../run/paper.ts'
import { readDuration } from '../../runtime/settings/form.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { EACH_TERM, type GivenTerms } from '../../runtime/settings/run-terms.ts'
import { creditPair } from '../backtest/backtest-flags.ts'
import { flagName } from '../flag-words.ts'
import { assignment, record, several, single, type FlagText } from '../option-values.ts'

const GROUPS = { service: 'Service:', terms: 'Terms of the run:', output: 'Output:' } as const

const text = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  group: GROUPS[group],
  describe,
})

const toggle = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'boolean',
  group: GROUPS[group],
  describe,
})

/** A session on paper begins when it is told to. */
const TERMS = EACH_TERM.filter(([name]) => name !== 'from' && name !== 'to')

export const PAPER_FLAGS: Readonly<Record<string, Options>> = {
  url: text('service', 'base URL of the service, such as http://127.0.0.1:8080/v1'),
  symbol: text('service', 'market of a strategy that has a symbol parameter (default: the only market of the service)'),
  for: text('terms', 'how long to run, such as 90s, 30m or 8h (default: until Ctrl-C)'),
  param: text('terms', 'strategy parameter, NAME=VALUE; repeatable'),
  credit: text('terms', 'starting balance, AMOUNT:ASSET; repeatable (default: 10000 of the quote asset)'),
  ...Object.fromEntries(
    TERMS.map(([, { key, words, form }]) => [
      flagName(key),
      form.ofText === undefined ? toggle('terms', words) : text('terms', words),
    ]),
  ),
  out: text('output', 'directory to write the run to (default: a new one in your user data directory)'),
  window: text('output', 'port of a status page, reachable only from this machine; 0 picks a free port'),
  record: text(
    'output',
    'record the trades of its markets into a database such as papertape.db, or into a directory with one file per market',
  ),
  json: toggle('output', 'print only JSON lines on stdout'),
  quiet: toggle('output', 'print only errors and warnings'),
}

type FlagValues = Readonly<Record<string, unknown>>

type GivenByFlags = Pick<
  PaperOptions,
  'strategy' | 'url' | 'symbol' | 'forMs' | 'paramTexts' | 'credits' | 'terms' | 'out' | 'record'
>

/** @throws {InputError} naming the flag that is not as it should be */
export function paperOptionsOf(strategy: string | undefined, values: FlagValues): GivenByFlags {
  if (strategy === undefined)
    throw new InputError('paper', 'missing strategy: give a file, or a name from `papertape strategies`')
  const one = (name: string): string | undefined => single(`--${name}`, values[name] as FlagText)
  const url = one('url')
  if (url === undefined)
    throw new InputError(
      '--url',
      'missing or invalid: pass the base URL of the service, such as --url http://127.0.0.1:8080/v1',
    )
  const params = several('--param', values.param as FlagText).map((each) => assignment('--param', each))
  const credits = several('--credit', values.credit as FlagText).map(creditPair)
  const duration = one('for')
  return {
    strategy: { strategy },
    url: serviceUrlForm.ofText(setting('url'), url),
    symbol: one('symbol'),
    forMs: duration === undefined ? undefined : readDuration('--for', duration),
    paramTexts: record('--param', params),
    credits: credits.length === 0 ? undefined : record('--credit', credits),
    terms: termsOf(values),
    out: one('out'),
    record: one('record'),
  }
}

const termsOf = (values: FlagValues): GivenTerms =>
  Object.fromEntries(
    TERMS.map(([name, { key, option, form }]) => {
      const flag = flagName(key)
      if (form.ofText === undefined) return [name, values[flag]]
      const given = single(`--${flag}`, values[flag] as FlagText)
      return [name, given === undefined ? undefined : form.ofText(setting(option), given)]
    }),
  )
