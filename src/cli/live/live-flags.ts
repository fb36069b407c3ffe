/**
 * The flags of `papertape live`, made of its settings and of the terms of a run that it has.
 */
import type { Options } from 'yargs'
import { setting } from '../../domain/setting-name.ts'
import { EACH_LIVE_SETTING, EACH_LIVE_TERM, type LiveSettingGroup } from '../../runtime/settings/live-settings.ts'
import type { Form } from '../../runtime/settings/form.ts'
import { flagName } from '../flag-words.ts'
import { assignment, record, several, single, type FlagText } from '../option-values.ts'
import type { LiveOptions } from '../../run/live-options.ts'

const GROUPS: Readonly<Record<LiveSettingGroup | 'reading' | 'terms' | 'risk' | 'output', string>> = {
  service: 'Service:',
  orders: 'Orders:',
  files: 'Files:',
  reading: 'Terms of the run:',
  terms: 'Terms of the run:',
  risk: 'Risk:',
  output: 'Output:',
}

type Group = keyof typeof GROUPS

const optionsOf = (group: Group, words: string, form: Form<unknown>): Options =>
  form.ofText === undefined ? toggle(group, words) : text(group, words)

/** The commands below `live` would take its flags otherwise, and heed none of them. */
const OF_LIVE_ALONE = { global: false } as const

const text = (group: Group, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  group: GROUPS[group],
  ...OF_LIVE_ALONE,
})

const toggle = (group: Group, describe: string): Options => ({
  type: 'boolean',
  describe,
  group: GROUPS[group],
  ...OF_LIVE_ALONE,
})

/** Defaults that are others in a live session than in a backtest. */
const OTHER_DEFAULTS: Readonly<Record<string, string>> = { onLimit: 'wait', collarPercent: '10' }

const liveWords = (name: string, words: string): string => {
  const fallback = OTHER_DEFAULTS[name]
  return fallback === undefined ? words : words.replace(/ \(default: .*\)$/, ` (default: ${fallback})`)
}

export const LIVE_FLAGS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(
    EACH_LIVE_SETTING.map(([name, { group, words, form }]) => [flagName(name), optionsOf(group, words, form)]),
  ),
  param: text('terms', 'NAME=VALUE, a parameter for every strategy that has it; repeatable'),
  ...Object.fromEntries(
    EACH_LIVE_TERM.map(([name, { key, group, words, form }]) => [
      flagName(key),
      optionsOf(group, liveWords(name, words), form),
    ]),
  ),
  notify: text('output', 'webhook URL that receives starts, fills, states, halts, faults and ends by POST'),
  window: text('output', 'port of a status page, reachable only from this machine; 0 picks a free port'),
  json: toggle('output', 'print only JSON lines on stdout, one per event'),
}

/** Values of the flags, as yargs reads them from a command line. */
type FlagValues = Readonly<Record<string, unknown>>

/** @throws {InputError} naming the flag that is not as it should be */
export function liveOptionsOf(
  strategies: readonly string[],
  values: FlagValues,
  apiKey: string,
): Omit<LiveOptions, 'signal' | 'watcher'> {
  const read = (flag: string, place: string, { ofText }: Form<unknown>): unknown => {
    if (ofText === undefined) return values[flag]
    const given = single(`--${flag}`, values[flag] as FlagText)
    return given === undefined ? undefined : ofText(setting(place), given)
  }
  const settings = EACH_LIVE_SETTING.map(([name, { form }]) => [name, read(flagName(name), name, form)] as const)
  const terms = EACH_LIVE_TERM.map(
    ([name, { key, option, form }]) => [name, read(flagName(key), option, form)] as const,
  )
  const params = several('--param', values.param as FlagText).map((each) => assignment('--param', each))
  return {
    ...(Object.fromEntries(settings) as { readonly url: string }),
    terms: Object.fromEntries(terms),
    strategies: strategies.map((strategy) => ({ strategy })),
    paramTexts: record('--param', params),
    apiKey,
  }
}
