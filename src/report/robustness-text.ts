/** A report of robustness in words and as a table: what a terminal shows, and the sentences of the page. */
import type { RobustnessReport, SettingEffect, ValueReport, WorldReport } from '../sweep/robustness.ts'
import type { NullTestReport } from '../sweep/null-test.ts'
import { alignedNumbers } from './aligned-numbers.ts'
import { readableChange, readableCount, readablePercent } from './readable.ts'
import { printable } from './terminal-text.ts'

/** More values are shown by the lowest and the highest median alone. */
const MAX_VALUES = 8
const DIGEST_LETTERS = 8

const changeText = (value: number | null): string => (value === null ? '-' : readableChange(value))

/** `--order-latency 200 --seed 3`, as a command line has it; parameters of the strategy as `--param`. */
export const worldText = (settings: WorldReport['settings']): string =>
  Object.entries(settings)
    .map(([name, value]) => (name.startsWith('--') ? `${name} ${value}` : `--param ${name}=${value}`))
    .join(' ')

/** Values to show, with a note if others are left out. */
export function shownValues({ values }: SettingEffect): readonly (ValueReport & { readonly note: string })[] {
  if (values.length <= MAX_VALUES) return values.map((each) => ({ ...each, note: '' }))
  const ordered = values.filter(({ median }) => median !== null).toSorted((a, b) => (a.median ?? 0) - (b.median ?? 0))
  const [low, high] = [ordered[0], ordered.at(-1)]
  const named = (each: ValueReport | undefined, which: string): readonly (ValueReport & { readonly note: string })[] =>
    each === undefined ? [] : [{ ...each, note: `${which} of ${values.length}` }]
  return [...named(low, 'lowest'), ...named(high, 'highest')]
}

/** Sentences, the verdict first. */
export function robustnessSentences(report: RobustnessReport): readonly string[] {
  const { worlds, failed, profitable, median, worst, best, settings } = report
  if (profitable === null || worst === null || best === null)
    return [worlds === 1 ? 'The only world failed.' : `All ${worlds} worlds failed.`]
  const [first, ...others] = settings
  const seedEffect = others.find(({ setting }) => setting === '--seed')?.effect ?? 0
  return [
    `${readablePercent(profitable)} of ${readableCount(worlds - failed, 'world')} ${worlds - failed === 1 ? 'ends' : 'end'} with a profit: median return ${changeText(median)}, from ${changeText(worst.return)} to ${changeText(best.return)}.`,
    ...(failed === 0 ? [] : [`${readableCount(failed, 'world')} failed.`]),
    ...(first === undefined ? [] : [sensitivityText(first)]),
    ...(seedEffect === 0
      ? []
      : [`Random seeds alone move it by ${readablePercent(seedEffect)}: smaller effects may be chance.`]),
    `Worst world: ${worldText(worst.settings)}, return ${changeText(worst.return)}, drawdown ${readablePercent(worst.maxDrawdown)}, digest ${worst.digest?.replace('sha256:', '').slice(0, DIGEST_LETTERS) ?? '-'}.`,
  ]
}

/** The setting with the largest effect on a run, for its summary. The first of the worlds is the run itself. */
export function sensitivityOf({ settings, worlds, failed, profitable }: RobustnessReport): string {
  const [first] = settings.filter(({ setting }) => setting !== '--seed')
  const share =
    profitable === null
      ? ''
      : `; ${Math.round(profitable * 100)} % of the run and its ${readableCount(worlds - failed - 1, 'near world')} end with a profit`
  const [base, ...others] = first?.values ?? []
  const made = base?.median ?? null
  const known = others.flatMap(({ value, median }) => (median === null ? [] : [{ value, median }]))
  if (first === undefined || made === null || first.effect === null || first.effect === 0) return `no setting${share}`
  const far = known.reduce((a, b) => (Math.abs(b.median - made) > Math.abs(a.median - made) ? b : a), {
    value: '',
    median: made,
  })
  return `${first.setting}: ${changeText(far.median)} with ${far.value}, ${changeText(made)} with ${base?.value ?? ''}${share}`
}

/** The p-value, and what it counts. */
export function nullTestText({ pValue, tapes, returns }: NullTestReport): string {
  const failed = returns.filter((value) => value === null).length
  const asGood = Math.round(pValue * (tapes + 1)) - 1 - failed
  const failures = failed === 0 ? '' : `, and ${failed} failed`
  return `${pValueText(pValue)}: ${asGood} of ${tapes} shuffled tapes return as much${failures}`
}

const pValueText = (value: number): string => String(Number(value.toPrecision(2)))

function sensitivityText({ setting, values, effect }: SettingEffect): string {
  const ordered = values.filter(({ median }) => median !== null).toSorted((a, b) => (a.median ?? 0) - (b.median ?? 0))
  const [low, high] = [ordered[0], ordered.at(-1)]
  if (effect === null || effect === 0 || low === undefined || high === undefined)
    return 'No setting changes the median return.'
  return `Most sensitive to ${setting}: the median return is ${changeText(high.median)} with ${high.value}, and ${changeText(low.median)} with ${low.value}.`
}

/** The table of settings, without a final newline; empty if no setting varies. */
export function robustnessTable({ settings }: RobustnessReport): string {
  const rows = settings.flatMap((effect) =>
    shownValues(effect).map(({ value, worlds, profitable, median, worst, note }, index) => [
      index === 0 ? effect.setting : '',
      note === '' ? value : `${value} (${note})`,
      String(worlds),
      profitable === null ? '-' : `${Math.round(profitable * 100)} %`,
      changeText(median),
      changeText(worst),
    ]),
  )
  const all = [['setting', 'value', 'worlds', 'profit', 'median', 'worst'], ...rows]
  const columns = (all[0] ?? []).map((_, column) => {
    const cells = all.map((row) => printable(row[column] ?? ''))
    const width = Math.max(...cells.map(({ length }) => length))
    return column < 2 ? cells.map((cell) => cell.padEnd(width)) : alignedNumbers(cells)
  })
  return rows.length === 0
    ? ''
    : all.map((_, row) => `  ${columns.map((cells) => cells[row]).join('  ')}`.trimEnd()).join('\n')
}
