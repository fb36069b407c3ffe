/** `papertape track`, after its arguments are parsed. */
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import {
  readableAmount,
  readableChange,
  readableCount,
  readablePercent,
  readableSigned,
} from '../../report/readable.ts'
import { sparkline } from '../../report/summary/sparkline.ts'
import { printable } from '../../report/terminal-text.ts'
import { type Track, track, type TrackSession } from '../../run/track.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { userDataDirectory } from '../../store/state/data-directory.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { type FlagText, single } from '../option-values.ts'
import { printJson } from '../shared-flags.ts'

const CURVE_WIDTH = 60
const MAX_AMOUNT_DECIMALS = 2
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

interface TrackFlags {
  readonly url: unknown
  readonly kind: unknown
  readonly isJson: boolean
}

/** @returns the exit code @throws {InputError} if there are no sessions, or if they are no single account */
export function showTrack(name: string, places: readonly string[], { url, kind, isJson }: TrackFlags): number {
  const directories = places.length > 0 ? places : [join(userDataDirectory(), 'runs')]
  const given = single('--url', url as FlagText)
  const result = track({
    name,
    directories,
    url: given === undefined ? undefined : serviceUrlForm.ofText('--url', given),
    kind: kindOf(single('--kind', kind as FlagText)),
  })
  if (isJson) printJson(result)
  else io.stdout.write(`${trackLines(result).map(printable).join('\n')}\n`)
  const warnings = [
    ...result.unfinished.map(({ directory }) => `${directory}, which has no report: that session runs, or was killed`),
    ...result.leftOut.map(({ directory, why }) => `${directory}: ${why}`),
  ]
  for (const warning of warnings) io.stderr.write(`warning: left out ${printable(warning)}\n`)
  return EXIT.done
}

function kindOf(text: string | undefined): TrackSession['kind'] | undefined {
  if (text === undefined || text === 'live' || text === 'paper') return text
  throw new InputError('--kind', `expected live or paper, got '${escapedExcerpt(text)}'`)
}

function trackLines(result: Track): readonly string[] {
  const { name, url, quoteAsset, sessions, curve, statistics } = result
  const [first, last] = [sessions[0], sessions.at(-1)]
  const amount = (text: string | undefined): string => readableAmount(text ?? '0', MAX_AMOUNT_DECIMALS)
  const figures = [
    `return ${readableChange(result.return)} (time-weighted)`,
    `max drawdown ${readablePercent(result.maxDrawdown)}`,
    ...(statistics.cagr === null ? [] : [`a year ${readableChange(statistics.cagr)}`]),
    ...(statistics.sharpe === null ? [] : [`Sharpe ${statistics.sharpe.toFixed(2)}`]),
    ...(statistics.volatility === null ? [] : [`volatility ${readablePercent(statistics.volatility)}`]),
  ]
  return [
    `${name} on ${url}, ${readableCount(sessions.length, 'session')}`,
    `equity   ${amount(first?.initialEquity)} → ${amount(last?.finalEquity)} ${quoteAsset}`,
    `curve    ${sparkline(curve.map(({ growth }) => growth), CURVE_WIDTH)}`, // prettier-ignore
    `figures  ${figures.join(', ')}`,
    ...sessionRows(result),
    ...monthRows(result),
  ]
}

function sessionRows({ sessions, unfinished, quoteAsset }: Track): readonly string[] {
  return [
    '',
    'start (UTC)       end               equity at end     return  fills',
    ...sessions.flatMap((session, index) => {
      const { from, to, finalEquity, return: change, fills, moved } = session
      const row = [
        dateOf(from),
        dateOf(to),
        readableAmount(finalEquity, MAX_AMOUNT_DECIMALS).padStart(13),
        readableChange(change).padStart(9),
        String(fills).padStart(5),
      ]
      const after = sessions[index - 1]?.to ?? -Infinity
      const killed = unfinished.flatMap(({ from: start }) =>
        start !== null && start >= after && start < from ? [start] : [],
      )
      const isMoved = moved !== null && /[1-9]/.test(moved)
      const gap = `  ${readableSigned(moved ?? '0', MAX_AMOUNT_DECIMALS)} ${quoteAsset} between the sessions: ${causeOf(session)}`
      return [
        ...killed.toSorted((a, b) => a - b).map((start) => `${dateOf(start)}  a session was killed here`),
        ...(isMoved ? [gap] : []),
        row.join('  '),
      ]
    }),
  ]
}

function causeOf({ kind, movedBy }: TrackSession): string {
  if (movedBy === 'prices') return 'prices moved'
  if (movedBy === 'new-wallet') return 'new paper wallet'
  return kind === 'paper' ? 'other trades' : 'deposit, withdrawal or other trades, also during a session'
}

/** A row for each year; none if all sessions are in one month. */
function monthRows({ months }: Track): readonly string[] {
  if (months.length === 0) return []
  const years = [...new Set(months.map(({ year }) => year))]
  const rows = years.map((year) => {
    const cells = MONTHS.map(
      (_, index) => months.find((each) => each.year === year && each.month === index + 1)?.value ?? undefined,
    )
    return [String(year), ...cells.map((value) => (value === undefined ? '' : (value * 100).toFixed(1)).padStart(6))]
  })
  return ['', ['% a month', ...MONTHS.map((month) => month.padStart(6))], ...rows].map((row) =>
    typeof row === 'string' ? row : [(row[0] ?? '').padEnd(9), ...row.slice(1)].join(''),
  )
}

const dateOf = (time: number): string => isoTime(time).slice(0, 16).replace('T', ' ')
