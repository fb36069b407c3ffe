/** `papertape conformance`, after its flags are parsed: prints a table, or a line of JSON. */
import { printable } from '../../report/terminal-text.ts'
import {
  conformance,
  type ConformanceReport,
  type RuleResult,
  type Verdict,
} from '../../probe/conformance/conformance.ts'
import { givenApiKey } from '../api-key.ts'
import { columnsOf, io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { serviceUrl, streamUrl } from '../service-url.ts'
import { onEndSignals } from '../until-signalled.ts'

const VERDICTS: readonly Verdict[] = ['kept', 'broken', 'not shown']
const WIDEST = 'not shown'.length
const USUAL_WIDTH = 100

/**
 * Conformance results as a table: one line per rule with the evidence, and totals.
 *
 * @param columns  of the terminal; undefined if there is none, then nothing is cut
 */
function conformanceTable({ baseUrl, unusable, rules, left }: ConformanceReport, columns: number | undefined): string {
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

/** The evidence follows its rule on the same line if it fits, otherwise on the next. */
function linesOf({ section, verdict, title, seen }: RuleResult, width: number): readonly string[] {
  const head = `${section}  ${verdict.padEnd(WIDEST)}  ${title}`
  if (seen === '') return [head]
  const text = printable(seen)
  const isShort = head.length + text.length + 2 <= Math.min(width, USUAL_WIDTH)
  return isShort ? [`${head}: ${text}`] : [head, `${' '.repeat(WIDEST + 5)}${text}`]
}

const sumOf = (rules: readonly RuleResult[]): string =>
  VERDICTS.map((verdict) => `${rules.filter((rule) => rule.verdict === verdict).length} ${verdict}`).join(', ')

/**
 * @param values  flags as parsed by yargs
 * @returns       the exit code
 * @throws {InputError} for an invalid flag or key
 */
export async function runConformance(values: Readonly<Record<string, unknown>>): Promise<number> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const stopping = new AbortController()
  const options = {
    baseUrl: serviceUrl(text('url')),
    streamUrl: streamUrl(text('stream-url')),
    key: givenApiKey(),
    mayTrade: values.trade === true,
    signal: stopping.signal,
  }
  const forget = onEndSignals({
    first: () => {
      stopping.abort()
    },
  })
  const report = await conformance(options)
  forget()
  io.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : conformanceTable(report, columnsOf(io.stdout)))
  return isFine(report) ? EXIT.done : EXIT.service
}

const isFine = ({ unusable, rules, left }: ConformanceReport): boolean =>
  unusable === undefined && left.length === 0 && rules.every(({ verdict }) => verdict !== 'broken')
