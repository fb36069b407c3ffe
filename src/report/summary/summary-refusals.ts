/**
 * The first refusal of each code, under the line of the orders: what was asked, why it was refused, and where more is told.
 */
import { readableCount } from '../readable.ts'
import type { FirstRefusal, RunReport } from '../run/run-report.ts'
import { cutToWidth, printable, textWidth, wrapPieces } from '../terminal-text.ts'
import { LABELLED_WIDTH, labelledLines, type SummaryLine } from './summary-line.ts'

const MAX_REFUSAL_LINES = 3

/** Words of a path that a shell takes as they are. */
const BARE = /^[\w./@%+=:,-]+$/

/**
 * One refusal is told whole as far as there is room; of several codes each has a line. The last line tells where more is to be read.
 *
 * @param directory  of the run, as the user named it; undefined for a run that is not kept
 * @param room       lines; none are told without any
 */
export function refusalLines({ firstRefusals }: RunReport, directory: string | undefined, room: number): SummaryLine[] {
  const [first] = firstRefusals
  if (first === undefined || room < 1) return []
  const lines = Math.min(room, MAX_REFUSAL_LINES)
  // Who knows the key finds the command.
  if (lines === 1) return labelledLines('refused', [fitted(`${first.key} ${lineOf(first)}`)])
  const told = firstTexts(firstRefusals, lines - 1)
  const untold = firstRefusals.length === 1 ? 0 : firstRefusals.length - told.length
  return labelledLines('refused', [...told, whyText(first, directory, untold)])
}

function firstTexts(refusals: readonly FirstRefusal[], room: number): readonly string[] {
  const [only] = refusals
  if (only === undefined || refusals.length > 1) return refusals.slice(0, room).map((each) => fitted(lineOf(each)))
  const { request, hint } = only
  const message = shortened(only.message)
  const told = (...parts: readonly (string | null)[]): string[] =>
    wrapPieces(printable(`${request}: ${parts.filter((part) => part !== null).join('; ')}`).split(/ +/), LABELLED_WIDTH)
  const lines = told(message, hint)
  if (lines.length <= room) return lines
  // What to do comes first where the end is cut.
  const cut = told(hint, message)
  return [...cut.slice(0, room - 1), fitted(cut.slice(room - 1).join(' '))]
}

const fitted = (text: string): string => cutToWidth(printable(text), LABELLED_WIDTH)

const lineOf = ({ code, request, message }: FirstRefusal): string => `${code} ${request}: ${shortened(message)}`

/** Digits that never end would leave no room for the rest. */
const shortened = (message: string): string => message.replace(/(\d[\d.]{11})[\d.…]{5,}/g, '$1…')

/** A path that leaves no room for the rest is not written. */
function whyText({ key }: FirstRefusal, directory: string | undefined, untold: number): string {
  const more = untold > 0 ? `; ${readableCount(untold, 'code')} more in run.json` : ''
  if (directory === undefined) return `with --out DIR, \`papertape why DIR ${key}\` tells more`
  const path = BARE.test(directory) ? directory : `'${directory.replaceAll("'", String.raw`'\''`)}'`
  const text = `papertape why ${path} ${key}${more}`
  if (textWidth(text) <= LABELLED_WIDTH) return text
  const short = `papertape why ${path} ${key}`
  return textWidth(short) <= LABELLED_WIDTH ? short : `papertape why RUN ${key}, RUN the directory of --out`
}
