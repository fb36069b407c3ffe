/**
 * The settings of `papertape paper` that a config file can hold, besides `params` and `credit`.
 */
import { duration, onOrOff } from '../../runtime/settings/form.ts'
import { EACH_LIVE_SETTING } from '../../runtime/settings/live-settings.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { WINDOW_ROW } from '../window-port.ts'
import type { SettingRows } from './setting-rows.ts'

export const PAPER_GROUPS = { service: 'Service:', terms: 'Terms of the run:', output: 'Output:' } as const

/** A paper session starts when the command starts. */
export const PAPER_TERMS = EACH_TERM.filter(([name]) => name !== 'from' && name !== 'to')

/** Settings that a session on paper shares with a live one. */
const liveRows = (group: keyof typeof PAPER_GROUPS, ...names: readonly string[]): SettingRows =>
  Object.fromEntries(
    EACH_LIVE_SETTING.flatMap(([name, { words, form }]) =>
      names.includes(name) ? [[name, { words, form, group: PAPER_GROUPS[group] }]] : [],
    ),
  )

export const PAPER_SERVICE_ROWS: SettingRows = {
  ...liveRows('service', 'url', 'symbol'),
  for: {
    words: 'how long to run, such as 90s, 30m or 8h (default: until Ctrl-C)',
    form: duration,
    group: PAPER_GROUPS.terms,
  },
}

export const PAPER_TERM_ROWS: SettingRows = Object.fromEntries(
  PAPER_TERMS.map(([, { key, words, form, option }]) => [key, { words, form, option, group: PAPER_GROUPS.terms }]),
)

export const PAPER_OUTPUT_ROWS: SettingRows = {
  ...liveRows('output', 'out', 'record'),
  window: WINDOW_ROW,
  json: { words: 'print only JSON lines on stdout', form: onOrOff, group: PAPER_GROUPS.output },
  quiet: { words: 'print only errors and warnings', form: onOrOff, group: PAPER_GROUPS.output },
}

/** Every setting of `paper` that a config file can hold. */
export const PAPER_ROWS: SettingRows = { ...PAPER_SERVICE_ROWS, ...PAPER_TERM_ROWS, ...PAPER_OUTPUT_ROWS }
