/** The page that compares a run with one that was made from it. */
import { thrownText } from '../domain/thrown-text.ts'
import { reportPage, writePage } from '../run/report-page.ts'

/** Path of the page, next to the directory of the new run. */
export const pageOf = (out: string): string => `${out.replace(/\/+$/, '')}.html`

/** Writes the page of both runs. @returns nothing, or the line that says why there is none */
export function comparisonPage(run: string, out: string): string {
  try {
    const { html, faults } = reportPage({ runs: [run, out] })
    writePage(pageOf(out), html)
    return faults.map((fault) => `${fault}\n`).join('')
  } catch (error) {
    return `${thrownText(error)}: the run was saved without the page that compares it\n`
  }
}
