/**
 * The first refusal of each code, below the line of orders: the request, the reason, and the command that explains it.
 *
 * Invariant: a reason that is shown is shown whole.
 */
import { readableCount } from '../readable.ts'
import type { FirstRefusal, RunReport } from '../run/run-report.ts'
import { printable, textWidth, wrapPieces } from '../terminal-text.ts'
import { LABELLED_WIDTH, labelledLines, type SummaryLine } from './summary-line.ts'

const MAX_REFUSAL_LINES = 6

/** Words of a path that a shell takes as they are. */
const BARE = /^[\w./@%+=:,-]+$/

/**
 * The first refusal always; those of other codes while there is room. The last line is the command that explains more.
 *
 * @param directory  of the run, as the user named it; undefined for a run that is not stored
 * @param room       lines that are free; a long first refusal takes more
 */
export function refusalLines({ firstRefusals }: RunReport, directory: string | undefined, room: number): SummaryLine[] {
  const [first] = firstRefusals
  if (first === undefined) return []
  const texts = firstRefusals.map((each) => wrapped(firstRefusals.length === 1 ? onlyText(each) : textOf(each)))
  const shown = texts.slice(0, shownCount(texts, Math.min(room, MAX_REFUSAL_LINES) - 1))
  return labelledLines('refused', [...shown.flat(), whyText(first, directory, texts.length - shown.length)])
}

/** At least one. */
function shownCount(texts: readonly (readonly string[])[], room: number): number {
  let lines = 0
  const tooMany = texts.findIndex((text) => {
    lines += text.length
    return lines > room
  })
  return tooMany === -1 ? texts.length : Math.max(1, tooMany)
}

const wrapped = (text: string): readonly string[] => wrapPieces(printable(text).split(/ +/), LABELLED_WIDTH)

/** The line of orders names its code. */
const onlyText = ({ request, message, hint }: FirstRefusal): string =>
  `${request}: ${shortened(message)}${hint === null ? '' : `; ${hint}`}`

const textOf = ({ code, request, message, hint }: FirstRefusal): string =>
  `${code} (${request}): ${shortened(message)}${hint === null ? '' : `; ${hint}`}`

/** A number with too many digits would hide the rest. */
const shortened = (message: string): string => message.replace(/(\d[\d.]{11})[\d.…]{5,}/g, '$1…')

function whyText({ key }: FirstRefusal, directory: string | undefined, untold: number): string {
  if (directory === undefined) return `for details, add --out DIR and run \`papertape why DIR ${key}\``
  const more = untold > 0 ? ` (${readableCount(untold, 'more code')} in run.json)` : ''
  const path = BARE.test(directory) ? directory : `'${directory.replaceAll("'", String.raw`'\''`)}'`
  const command = `details: papertape why ${path} ${key}`
  const [text] = [`${command}${more}`, command].filter((each) => textWidth(each) <= LABELLED_WIDTH)
  return text ?? `details: papertape why DIR ${key}, where DIR is the --out directory`
}
