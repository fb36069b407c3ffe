/**
 * The result of a conformance run as a table for a person: a line a rule, what was seen beside it, and the sum.
 */
import { printable } from '../../report/terminal-text.ts'
import type { ConformanceReport, RuleResult, Verdict } from '../../run/conformance/conformance.ts'

const VERDICTS: readonly Verdict[] = ['kept', 'broken', 'not shown']
const WIDEST = 'not shown'.length
const USUAL_WIDTH = 100

/** @param columns  of the terminal; undefined when it is none, and then nothing is cut */
export function conformanceTable(
  { baseUrl, unusable, rules, left }: ConformanceReport,
  columns: number | undefined,
): string {
  const width = columns ?? Number.POSITIVE_INFINITY
  const lines = [
    printable(baseUrl),
    ...(unusable === undefined ? [] : ['', `unusable: ${printable(unusable)}`]),
    '',
    ...(unusable === undefined ? rules.flatMap((rule) => linesOf(rule, width)) : []),
    ...left.map((each) => `LEFT: ${printable(each)}`),
    sumOf(rules),
  ]
  return `${lines.join('\n')}\n`
}

/** What was seen stands beside its rule where there is room, else below it. */
function linesOf({ section, verdict, title, seen }: RuleResult, width: number): readonly string[] {
  const head = `${section}  ${verdict.padEnd(WIDEST)}  ${title}`
  if (seen === '') return [head]
  const text = printable(seen)
  const isShort = head.length + text.length + 2 <= Math.min(width, USUAL_WIDTH)
  return isShort ? [`${head}: ${text}`] : [head, `${' '.repeat(WIDEST + 5)}${text}`]
}

const sumOf = (rules: readonly RuleResult[]): string =>
  VERDICTS.map((verdict) => `${rules.filter((rule) => rule.verdict === verdict).length} ${verdict}`).join(', ')
