/** The flags of `papertape live`, from its settings and its terms. */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { EACH_LIVE_SETTING, EACH_LIVE_TERM, type GivenLiveSettings } from '../../runtime/settings/live-settings.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'
import {
  LIVE_GROUPS,
  LIVE_OUTPUT_ROWS,
  LIVE_ROWS,
  LIVE_SETTING_ROWS,
  LIVE_TERM_ROWS,
  NOTIFY_ROWS,
  SERIES_WORDS,
  type SessionConfig,
  riskOf,
} from '../config/session-sections.ts'
import { flagsOfRows, valuesOfRows } from '../config/setting-rows.ts'
import type { FlagValues } from '../cli-command.ts'
import { flagWords } from '../flag-words.ts'
import { assignment, record, seriesFiles, several, type FlagText } from '../option-values.ts'
import type { LiveOptions } from '../../run/live-options.ts'

/** Without this, subcommands of `live` would accept and ignore these flags. */
const OF_LIVE_ALONE = { global: false } as const

const text = (group: keyof typeof LIVE_GROUPS, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  group: LIVE_GROUPS[group],
  ...OF_LIVE_ALONE,
})

export const LIVE_FLAGS: Readonly<Record<string, Options>> = {
  ...flagsOfRows(LIVE_SETTING_ROWS, OF_LIVE_ALONE),
  param: text('terms', 'NAME=VALUE, a parameter for every strategy that has it; repeatable'),
  series: text('terms', SERIES_WORDS),
  'shadow-param': text('terms', 'NAME=VALUE, a parameter of the shadow, over --param; repeatable'),
  ...flagsOfRows(LIVE_TERM_ROWS, OF_LIVE_ALONE),
  config: { ...CONFIG_FLAG, group: LIVE_GROUPS.output, ...OF_LIVE_ALONE },
  ...flagsOfRows(NOTIFY_ROWS, { group: LIVE_GROUPS.output, ...OF_LIVE_ALONE }),
  heartbeat: text('output', 'URL of a monitor that gets a GET once a minute while the session is connected'),
  ...flagsOfRows(LIVE_OUTPUT_ROWS, OF_LIVE_ALONE),
}

/** Options of a live session and of its output. */
export interface GivenLive {
  readonly options: Omit<LiveOptions, 'signal' | 'listener' | 'watcher'>
  readonly window: number | undefined
  readonly json: boolean
}

/** @throws {InputError} naming a missing or invalid flag */
export function liveOf(
  named: readonly string[],
  flags: FlagValues,
  file: SessionConfig,
  apiKey: () => string,
): GivenLive {
  const strategies = strategiesOf(named, file)
  if (strategies.length === 0) {
    throw new InputError('live', 'missing strategy: give a file, or a name from `papertape strategies`')
  }
  // Two settings for the same thing: a flag overrides both of the file.
  const isExitGiven = flags['at-exit'] !== undefined || flags['keep-orders'] !== undefined
  const ofFile = isExitGiven ? { ...file.values, atExit: undefined, keepOrders: undefined } : file.values
  const values = valuesOfRows(LIVE_ROWS, flags, ofFile)
  const settings = Object.fromEntries(EACH_LIVE_SETTING.map(([name]) => [name, values[name]])) as GivenLiveSettings
  const { url } = settings
  if (url === undefined) {
    throw new InputError(
      setting('url'),
      'missing or invalid: pass the base URL of the service, such as --url http://127.0.0.1:8080/v1',
    )
  }
  const textsOf = (flag: string): Readonly<Record<string, string>> =>
    record(
      flag,
      several(flag, flags[flag.slice(2)] as FlagText).map((each) => assignment(flag, each)),
    )
  return {
    options: {
      ...settings,
      url,
      terms: Object.fromEntries(EACH_LIVE_TERM.map(([name, { key }]) => [name, values[key]])),
      strategies,
      walletRisk: file.walletRisk,
      rebalance: named.length > 0 ? undefined : file.rebalance,
      params: file.paramsBeside(flags),
      paramTexts: textsOf('--param'),
      series: seriesFiles(flags.series as FlagText, file.series),
      shadowParamTexts: textsOf('--shadow-param'),
      apiKey: apiKey(),
    },
    window: values.window as number | undefined,
    json: values.json === true,
  }
}

/** The named strategies, or those of the file. */
function strategiesOf(named: readonly string[], file: SessionConfig): LiveOptions['strategies'] {
  if (named.length > 0) return named.map((strategy) => ({ strategy }))
  if (file.strategies === undefined) return file.strategy === undefined ? [] : [{ strategy: file.strategy }]
  return file.strategies.map((each) => {
    const { use: strategy, name, params, capital } = each
    return { strategy, name, params, capital, risk: riskOf(each) }
  })
}

/** Names of live settings as flags of `papertape live`. */
export const LIVE_WORDS = flagWords(new Map(EACH_LIVE_TERM.map(([, { option, key }]) => [option, key] as const)))
