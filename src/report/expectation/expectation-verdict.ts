/** The outcome of an expectation, as text and as JUnit XML. */
import { printable } from '../terminal-text.ts'
import type { RunDifference } from '../run-difference/run-difference.ts'
import { firstDifferenceLines } from '../run-difference/difference-text.ts'
import type { SettingDifference } from '../run-difference/setting-differences.ts'
import type { FigureDeviation, FigureValue } from './expected-figures.ts'

/** Plain JSON. */
export interface ExpectationVerdict {
  readonly name: string
  /**
   * `same`: the same digest and figures; `within`: another digest, and every figure within its tolerance; `differs`;
   * `failed`: the backtest did not run to its end.
   */
  readonly outcome: 'same' | 'within' | 'differs' | 'failed'
  /** Version, strategy, tapes and settings that have changed. */
  readonly changed: readonly SettingDifference[]
  readonly figures: readonly FigureDeviation[]
  /** The first request, answer or fill that differs; empty if none is known. */
  readonly first: readonly string[]
  /** Error of a failed backtest. */
  readonly error: string | null
}

const LETTERS = 12

/** Hashes are cut: their first letters tell them apart. */
const shortened = (value: FigureValue | undefined): string =>
  String(value ?? 'none').replace(/\b[0-9a-f]{64}\b/, (hash) => `${hash.slice(0, LETTERS)}…`)

const HEADS: Readonly<Record<ExpectationVerdict['outcome'], string>> = {
  same: 'same',
  within: 'within its tolerances, but not the same',
  differs: 'differs',
  failed: 'failed',
}

/** Lines without a final newline. */
export function verdictText({ name, outcome, changed, figures, first, error }: ExpectationVerdict): string {
  const isUnexplained = (outcome === 'differs' || outcome === 'within') && changed.length === 0
  const lines = [
    ...changed.map(({ setting, a, b }) => `${setting}: ${shortened(a)} → ${shortened(b)}`),
    ...(isUnexplained
      ? ['nothing that the run depends on has changed: does the strategy use the time, the network or Math.exp?']
      : []),
    ...figures.map((each) => `${each.name}: ${shortened(each.value)} → ${shortened(each.now)}${toleranceText(each)}`),
    ...first,
    ...(error === null ? [] : [error]),
  ]
  return [`${name}: ${HEADS[outcome]}`, ...lines.map((line) => `  ${printable(line)}`)].join('\n')
}

const toleranceText = ({ tolerance }: FigureDeviation): string => (tolerance === '0' ? '' : ` (tolerance ${tolerance})`)

/** The first difference with its two sides named. */
export const firstLines = (difference: RunDifference): readonly string[] => {
  const lines = firstDifferenceLines(difference)
  return lines.length === 0 ? [] : ['a is the expectation, b the run now', ...lines]
}

/** JUnit XML, as test reporters of CI services read it. Without times: the same outcomes give the same bytes. */
export function junitText(verdicts: readonly ExpectationVerdict[]): string {
  const count = (outcome: ExpectationVerdict['outcome']): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  const counts = `tests="${verdicts.length}" failures="${count('differs')}" errors="${count('failed')}"`
  const cases = verdicts.map((verdict) => {
    const test = `    <testcase classname="papertape expect" name="${escaped(verdict.name)}"`
    const element = { same: undefined, within: 'system-out', differs: 'failure', failed: 'error' }[verdict.outcome]
    if (element === undefined) return `${test}/>\n`
    const message = element === 'system-out' ? '' : ` message="${escaped(summaryOf(verdict))}"`
    return `${test}>\n      <${element}${message}>${escaped(verdictText(verdict))}</${element}>\n    </testcase>\n`
  })
  const suite = `  <testsuite name="papertape expect" ${counts}>\n${cases.join('')}  </testsuite>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n${suite}</testsuites>\n`
}

const summaryOf = ({ error, figures }: ExpectationVerdict): string =>
  error ?? `${figures.map(({ name }) => name).join(', ')} beyond the tolerance`

/** Without characters that XML forbids. */
const escaped = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
