/** The page that compares a run with one that was made from it. */
import { thrownText } from '../domain/thrown-text.ts'
import { printable } from '../report/terminal-text.ts'
import { isLongRun, reportPage, writePage } from '../run/report-page.ts'
import { shellQuoted } from './shell-quoted.ts'

/** Path of the page, next to the directory of the new run. */
const pageOf = (out: string): string => `${out.replace(/\/+$/, '')}.html`

export interface ComparisonPage {
  /** The line with its path, or with the command that makes the page of long runs; none if there is no page. */
  readonly lines: readonly string[]
  /** Lines about what is wrong, each with its line feed; empty if nothing is. */
  readonly faults: string
}

/** Writes the page of both runs, unless one is long. */
export function comparisonPage(run: string, out: string): ComparisonPage {
  const path = pageOf(out)
  try {
    if (isLongRun(run) || isLongRun(out)) {
      const command = ['papertape', 'report', ...[run, out, '--out', path].map(shellQuoted)].join(' ')
      return { lines: [`page       ${printable(command)}`], faults: '' }
    }
    const { html, faults } = reportPage({ runs: [run, out] })
    writePage(path, html)
    return { lines: [`page       ${printable(path)}`], faults: faults.map((fault) => `${fault}\n`).join('') }
  } catch (error) {
    return { lines: [], faults: `${thrownText(error)}: the run was saved without the page that compares it\n` }
  }
}
