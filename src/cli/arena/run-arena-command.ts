/** `papertape arena serve` and `arena verify`, after their flags are parsed. */
import { version } from '../../runtime/version.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { printable } from '../../report/terminal-text.ts'
import { startArena, type Arena } from '../../server/arena/arena.ts'
import { verifySeason, type VerifiedSeason } from '../../server/arena/verify-season.ts'
import type { FlagValues } from '../cli-command.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { readJsonFile, runServer, serveSettingsOf, symbolsOf } from '../serve/run-serve-command.ts'
import { playerLines } from '../emulator/board-lines.ts'

/**
 * Hosts a season until a signal or a failure.
 *
 * @returns the exit code
 * @throws {InputError} for a wrong season or flag, or an unusable journal
 */
export async function serveArena(values: FlagValues): Promise<number> {
  const where = String(values.season)
  const journal = single('--journal', values.journal as FlagText) ?? `${where.replace(/\.json$/, '')}.journal`
  const season = readJsonFile('season', where)
  return await runServer(
    serveSettingsOf(values),
    (options) => startArena({ ...options, season, where, journal }),
    (arena, { isJson }) => (isJson ? arenaLine(arena) : arenaLines(arena)),
  )
}

const linksOf = ({ invited, url }: Arena): readonly { readonly name: string; readonly link: string }[] =>
  invited.map(({ name, code }) => ({ name, link: `${url}/join/${code}` }))

function arenaLine(arena: Arena): string {
  const { baseUrl, streamUrl, emulatorUrl, url, host } = arena
  const line = {
    baseUrl,
    streamUrl,
    emulatorUrl,
    boardUrl: `${url}/arena`,
    journal: host.journalFile,
    players: linksOf(arena),
  }
  return `${JSON.stringify(line)}\n`
}

function arenaLines(arena: Arena): string {
  const { baseUrl, streamUrl, url, host } = arena
  const { terms, start, end } = host.season
  const rows = [
    ['season', `${terms.name}, ${isoTime(start)} to ${isoTime(end)}`],
    ['board', `${url}/arena`],
    ['REST', baseUrl],
    ['stream', streamUrl],
    ['markets', symbolsOf(arena)],
    ['journal', host.journalFile],
    ['invite', `papertape arena invite --url ${url} --count 20`],
    ...linksOf(arena).map(({ name, link }) => ['player', `${name}, link (shown only once): ${link}`]),
  ]
  const lines = rows.map(([name = '', value = '']) => `${name.padEnd(10)}${printable(value)}`)
  return [`papertape ${version()} hosts a season; press Ctrl-C to stop`, '', ...lines, ''].join('\n')
}

/**
 * Prints the verdict; the first line that differs is named on stderr.
 *
 * @returns the exit code
 * @throws {InputError} for a file that cannot be read
 */
export function verifyJournal(file: string, isJson: boolean): number {
  try {
    printVerdict(verifySeason(file), isJson)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof InputError) || error.where === file) throw error
    io.stderr.write(`${printable(error.message)}\n`)
    return EXIT.failed
  }
}

function printVerdict({ season, result, lines, digest }: VerifiedSeason, isJson: boolean): void {
  const text = [
    `${season.terms.name}, ${isoTime(season.start)} to ${isoTime(season.end)}`,
    '',
    ...playerLines(result),
    '',
    `verified: ${lines} lines, digest ${digest}`,
  ]
  const verdict = { name: season.terms.name, lines, digest, result }
  io.stdout.write(isJson ? `${JSON.stringify(verdict)}\n` : text.map((line) => `${printable(line)}\n`).join(''))
}
