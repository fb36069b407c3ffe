/** The page of a strategy in many worlds: verdict, tornado chart, and the results by setting. It needs no script. */
import type { RobustnessReport, SettingEffect } from '../../../sweep/robustness.ts'
import { readableChange, readableCount, readablePercent } from '../../readable.ts'
import { robustnessSentences, shownValues, worldText } from '../../robustness-text.ts'
import { builtFile } from '../built-file.ts'
import type { SweepFacts } from './sweep-page.ts'

const [WIDTH, LEFT, RIGHT, ROW, TOP] = [900, 190, 90, 44, 34]
const MAX_WORLDS = 10

/** @throws {InputError} when the pages were not built */
export function robustnessPage(
  facts: Pick<SweepFacts, 'strategy' | 'symbols' | 'facts' | 'outcomes'>,
  report: RobustnessReport,
): string {
  const title = `${facts.strategy} on ${facts.symbols.join(', ')} in ${readableCount(report.worlds, 'world')}`
  const [verdict = '', ...sentences] = robustnessSentences(report)
  const body = [
    `<header><h1>${escaped(title)}</h1></header><main>`,
    `<section class="panel"><p class="headline">${escaped(verdict)}</p>`,
    ...[...sentences, ...facts.facts].map((sentence) => `<p>${escaped(sentence)}</p>`),
    '</section>',
    `<section class="panel"><h2>Effect of each setting</h2><p>Median return of the worlds with the lowest and the highest value of each setting. The line is the median of all worlds.</p>${tornado(report)}</section>`,
    `<section class="panel"><h2>Results by setting</h2>${settingsTable(report.settings)}</section>`,
    `<section class="panel"><h2>Worst worlds</h2>${worstTable(facts.outcomes)}</section>`,
    '</main>',
  ]
  const style = builtFile('sweep.css').replaceAll('</', '<\\/')
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    // Identifies files that papertape may overwrite.
    '<meta name="generator" content="papertape">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>papertape: ${escaped(title)}</title><link rel="icon" href="data:,">`,
    `<style>${style}\ntable{border-collapse:collapse}td,th{padding:3px 12px;text-align:right;font-variant-numeric:tabular-nums}td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto}svg text{fill:var(--text);font-size:13px}</style>`,
    `</head><body>${body.join('\n')}</body></html>`,
    '',
  ].join('\n')
}

/** One bar per setting, the largest effect on top, on one scale. */
function tornado({ settings, median: middle }: RobustnessReport): string {
  const rows = settings.map((effect) => ({ ...effect, ends: endsOf(effect) }))
  const all = rows.flatMap(({ ends }) => ends.map(({ median }) => median))
  if (all.length === 0 || middle === null) return '<p>No setting has results.</p>'
  const [low, high] = [Math.min(middle, ...all), Math.max(middle, ...all)]
  const span = high - low || 1
  const x = (value: number): number => LEFT + ((value - low) / span) * (WIDTH - LEFT - RIGHT)
  const height = TOP + rows.length * ROW
  const bars = rows.map(({ setting, ends }, index) => {
    const y = TOP + index * ROW
    const [from, to] = [ends[0], ends.at(-1)]
    if (from === undefined || to === undefined) return ''
    const bar = (a: number, b: number, colour: string): string =>
      `<rect x="${fixed(x(Math.min(a, b)))}" y="${y}" width="${fixed(Math.abs(x(b) - x(a)))}" height="18" fill="var(--${colour})"/>`
    const label = (at: number, anchor: string, text: string): string =>
      `<text x="${fixed(at)}" y="${y + 33}" text-anchor="${anchor}">${escaped(text)}</text>`
    return [
      `<text x="${LEFT - 12}" y="${y + 14}" text-anchor="end">${escaped(setting)}</text>`,
      bar(from.median, Math.min(middle, to.median), 'down'),
      bar(Math.max(middle, from.median), to.median, 'up'),
      ...(from.median === to.median
        ? [label(x(middle) + 8, 'start', 'no effect')]
        : [label(x(from.median), 'end', from.value), label(x(to.median), 'start', to.value)]),
    ].join('')
  })
  const at = fixed(x(middle))
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Tornado chart of the settings">`,
    ...bars,
    `<line x1="${at}" x2="${at}" y1="20" y2="${height}" stroke="var(--text)" stroke-dasharray="3 3"/>`,
    ...[low, middle, high].map(
      (value, index) =>
        `<text x="${fixed(x(value))}" y="14" text-anchor="${['start', 'middle', 'end'][index] ?? 'middle'}">${readableChange(value)}</text>`,
    ),
    '</svg>',
  ].join('')
}

const endsOf = ({ values }: SettingEffect): readonly { readonly value: string; readonly median: number }[] =>
  values
    .flatMap(({ value, median }) => (median === null ? [] : [{ value, median }]))
    .toSorted((a, b) => a.median - b.median)

const settingsTable = (settings: readonly SettingEffect[]): string =>
  table(
    ['Setting', 'Value', 'Worlds', 'With a profit', 'Median return', 'Worst return'],
    settings.flatMap((effect) =>
      shownValues(effect).map(({ value, worlds, profitable, median, worst, note }) => [
        effect.setting,
        note === '' ? value : `${value} (${note})`,
        String(worlds),
        profitable === null ? '-' : readablePercent(profitable),
        median === null ? '-' : readableChange(median),
        worst === null ? '-' : readableChange(worst),
      ]),
    ),
  )

function worstTable(outcomes: SweepFacts['outcomes']): string {
  const worlds = outcomes
    .flatMap(({ params, statistics, digest }) => {
      const made = statistics?.return ?? null
      return made === null ? [] : [{ params, made, drawdown: statistics?.maxDrawdown ?? 0, digest }]
    })
    .toSorted((a, b) => a.made - b.made)
    .slice(0, MAX_WORLDS)
  return table(
    ['World', 'Return', 'Max drawdown', 'Digest'],
    worlds.map(({ params, made, drawdown, digest }) => [
      worldText(params),
      readableChange(made),
      readablePercent(drawdown),
      digest?.replace('sha256:', '').slice(0, 8) ?? '-',
    ]),
  )
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
}

const fixed = (value: number): string => value.toFixed(1)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
