/**
 * Setup of the run: the command that repeats it, strategy and tapes with their hashes, every setting, what was assumed,
 * and the whole of `run.json`.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { commandLine } from './copy-button.ts'
import { dateTime } from '../parts/words.ts'
import { part, section } from './section.ts'

export function setupSection({ command, report, assumptions }: PageRun): HTMLElement {
  const { strategy, params, tapes, config, digest, version } = report
  return section(
    'setup',
    'Setup',
    [],
    command === null
      ? el('p', { class: 'quiet' }, 'This was a session on a service, so it cannot be repeated.')
      : part(
          'Command to repeat this run',
          commandLine(command, 'Copy the command to repeat this run'),
          el('p', { class: 'quiet' }, 'Run it in the directory in which this run was made: files are named as given.'),
        ),
    part('Assumptions', el('ul', { class: 'sentences' }, ...assumptions.map((text) => el('li', {}, text)))),
    el(
      'div',
      { class: 'columns' },
      part('Strategy', pairs(strategy)),
      part('Parameters', pairs(params)),
      part('Identity', pairs({ digest, papertape: version })),
      part('Configuration', pairs(config)),
      ...tapes.map((tape) => part(`Tape ${tape.symbol}`, pairs(tape))),
    ),
    el(
      'details',
      {},
      el('summary', {}, 'run.json, with files as given'),
      el('pre', { tabindex: '0', role: 'region', 'aria-label': 'run.json' }, JSON.stringify(report, undefined, 2)),
    ),
  )
}

/** Unix milliseconds: no other number of a run is as large. */
const MIN_TIME = 1e12

/** Settings of `run.json`, without those that are not set. */
function pairs(values: object): HTMLElement {
  const rows = Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    // The same as `file` here.
    const text = name === 'path' ? '' : textOf(value)
    return text === '' ? [] : [el('div', {}, el('dt', {}, name), el('dd', {}, text))]
  })
  return rows.length === 0 ? el('p', { class: 'quiet' }, 'None.') : el('dl', { class: 'pairs' }, ...rows)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'number' && value >= MIN_TIME) return `${dateTime(value)} (${value})`
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, each]: [string, unknown]) => `${name} ${textOf(each)}`)
    .join(', ')
}
