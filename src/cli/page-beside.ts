/** Writes the page of a finished run next to its files. */
import { thrownText } from '../domain/thrown-text.ts'
import { writeRunPage } from '../run/report-page.ts'

/** @returns nothing, or the line that says why there is no page; the run itself is not touched by that */
export function pageBeside(directory: string): string {
  try {
    writeRunPage(directory)
    return ''
  } catch (error) {
    return `${thrownText(error)}: the run was saved without its report page; create it with papertape report\n`
  }
}
