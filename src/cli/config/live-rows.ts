/**
 * The settings of `papertape live` that a config file can hold, besides `params`.
 */
import { onOrOff } from '../../runtime/settings/form.ts'
import { EACH_LIVE_SETTING, EACH_LIVE_TERM, type LiveSettingGroup } from '../../runtime/settings/live-settings.ts'
import { WINDOW_ROW } from '../window-port.ts'
import type { SettingRows } from './setting-rows.ts'

export const LIVE_GROUPS: Readonly<Record<LiveSettingGroup | 'reading' | 'terms' | 'risk' | 'output', string>> = {
  service: 'Service:',
  orders: 'Orders:',
  files: 'Files:',
  reading: 'Terms of the run:',
  terms: 'Terms of the run:',
  risk: 'Risk:',
  output: 'Output:',
}

/** Defaults that are others in a live session than in a backtest. */
const OTHER_DEFAULTS: Readonly<Record<string, string>> = { onLimit: 'wait', collarPercent: '10' }

const liveWords = (name: string, words: string): string => {
  const fallback = OTHER_DEFAULTS[name]
  return fallback === undefined ? words : words.replace(/ \(default: .*\)$/, ` (default: ${fallback})`)
}

export const LIVE_SETTING_ROWS: SettingRows = Object.fromEntries(
  EACH_LIVE_SETTING.map(([name, { group, words, form }]) => [name, { words, form, group: LIVE_GROUPS[group] }]),
)

export const LIVE_TERM_ROWS: SettingRows = Object.fromEntries(
  EACH_LIVE_TERM.map(([name, { key, option, group, words, form }]) => [
    key,
    { words: liveWords(name, words), form, group: LIVE_GROUPS[group], option },
  ]),
)

export const LIVE_OUTPUT_ROWS: SettingRows = {
  window: WINDOW_ROW,
  json: { words: 'print only JSON lines on stdout, one per event', form: onOrOff, group: LIVE_GROUPS.output },
}

/** Every setting of `live` that a config file can hold. */
export const LIVE_ROWS: SettingRows = { ...LIVE_SETTING_ROWS, ...LIVE_TERM_ROWS, ...LIVE_OUTPUT_ROWS }
