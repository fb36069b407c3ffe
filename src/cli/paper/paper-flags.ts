/** The flags of `papertape paper`, and their conversion to options. */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { PaperOptions } from '../../run/paper-options.ts'
import { readDuration } from '../../runtime/settings/form.ts'
import { creditPair } from '../backtest/backtest-flags.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'
import {
  NOTIFY_ROWS,
  PAPER_GROUPS,
  PAPER_OUTPUT_ROWS,
  PAPER_ROWS,
  PAPER_SERVICE_ROWS,
  PAPER_TERM_ROWS,
  PAPER_TERMS,
  SERIES_WORDS,
  type SessionConfig,
  riskOf,
} from '../config/session-sections.ts'
import { flagsOfRows, valuesOfRows } from '../config/setting-rows.ts'
import type { FlagValues } from '../cli-command.ts'
import { assignment, record, seriesFiles, several, type FlagText } from '../option-values.ts'

/** Without this, subcommands of `paper` would accept and ignore these flags. */
const OF_PAPER_ALONE = { global: false } as const

const text = (group: keyof typeof PAPER_GROUPS, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  group: PAPER_GROUPS[group],
  describe,
  ...OF_PAPER_ALONE,
})

export const PAPER_FLAGS: Readonly<Record<string, Options>> = {
  ...flagsOfRows(PAPER_SERVICE_ROWS, OF_PAPER_ALONE),
  param: text('terms', 'NAME=VALUE, a parameter for every strategy that has it; repeatable'),
  series: text('terms', SERIES_WORDS),
  credit: text('terms', 'starting balance, AMOUNT:ASSET; repeatable (default: 10000 of the quote asset)'),
  ...flagsOfRows(PAPER_TERM_ROWS, OF_PAPER_ALONE),
  config: { ...CONFIG_FLAG, group: PAPER_GROUPS.output, ...OF_PAPER_ALONE },
  ...flagsOfRows(NOTIFY_ROWS, { group: PAPER_GROUPS.output, ...OF_PAPER_ALONE }),
  heartbeat: text('output', 'URL of a monitor that gets a GET once a minute while the session is connected'),
  ...flagsOfRows(PAPER_OUTPUT_ROWS, OF_PAPER_ALONE),
}

/** Options of a paper session and of its output. */
export interface GivenPaper {
  readonly options: Pick<
    PaperOptions,
    | 'strategy'
    | 'strategies'
    | 'walletRisk'
    | 'rebalance'
    | 'url'
    | 'symbol'
    | 'forMs'
    | 'paramTexts'
    | 'series'
    | 'credits'
    | 'terms'
    | 'state'
    | 'out'
    | 'record'
    | 'received'
    | 'nightly'
  >
  readonly window: number | undefined
  readonly json: boolean
  readonly quiet: boolean
}

interface PaperTexts {
  readonly url?: string
  readonly symbol?: string
  readonly for?: string
  readonly state?: string
  readonly out?: string
  readonly record?: string
  readonly received?: boolean
  readonly nightly?: boolean
  readonly window?: number
  readonly json?: boolean
  readonly quiet?: boolean
}

/** @throws {InputError} naming a missing or invalid flag */
export function paperOf(named: readonly string[], flags: FlagValues, file: SessionConfig): GivenPaper {
  const strategies = strategiesOf(named, flags, file)
  const values = valuesOfRows(PAPER_ROWS, flags, file.values)
  const {
    url,
    symbol,
    for: length,
    state,
    out,
    record: recording,
    received,
    nightly,
    window,
    json,
    quiet,
  } = values as PaperTexts
  if (url === undefined)
    throw new InputError(
      '--url',
      'missing or invalid: pass the base URL of the service, such as --url http://127.0.0.1:8080/v1',
    )
  const params = several('--param', flags.param as FlagText).map((each) => assignment('--param', each))
  const credits = several('--credit', flags.credit as FlagText).map(creditPair)
  return {
    options: {
      ...strategies,
      walletRisk: 'strategies' in strategies ? file.walletRisk : undefined,
      url,
      symbol,
      forMs: length === undefined ? undefined : readDuration(setting('for'), length),
      paramTexts: record('--param', params),
      series: seriesFiles(flags.series as FlagText, file.series),
      credits: credits.length === 0 ? file.credit : record('--credit', credits),
      terms: Object.fromEntries(PAPER_TERMS.map(([name, { key }]) => [name, values[key]])),
      state,
      out,
      record: recording,
      received,
      nightly,
    },
    window,
    json: json === true,
    quiet: quiet === true,
  }
}

/** The named strategies, or those of the file. @throws {InputError} if there are none */
function strategiesOf(
  named: readonly string[],
  flags: FlagValues,
  file: SessionConfig,
): Pick<PaperOptions, 'strategy' | 'strategies' | 'rebalance'> {
  const params = file.paramsBeside(flags)
  if (named.length > 1) return { strategies: named.map((strategy) => ({ strategy, params })) }
  const strategy = named[0] ?? file.strategy
  if (strategy !== undefined) return { strategy: { strategy, params } }
  if (file.strategies === undefined)
    throw new InputError('paper', 'missing strategy: give a file, or a name from `papertape strategies`')
  return {
    rebalance: file.rebalance,
    strategies: file.strategies.map((each) => {
      const { use, name, params: own, capital } = each
      return { strategy: use, name, params: own, capital, risk: riskOf(each) }
    }),
  }
}
