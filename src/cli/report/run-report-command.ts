/** `papertape report`, after its arguments are parsed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { printable } from '../../report/terminal-text.ts'
import { reportPage, writePage, type ReportPage } from '../../run/report-page.ts'
import { writePlottedValues } from '../../run/plotted-values.ts'
import { PAGE_FILE } from '../../store/runs/run-file-names.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { printJson } from '../shared-flags.ts'
import { single, type FlagText } from '../option-values.ts'

interface ReportFlags {
  readonly out: unknown
  readonly db: unknown
  readonly benchmark: unknown
  readonly isOpened: boolean
  readonly isJson: boolean
}

/** @returns the exit code @throws {InputError} for a missing run, or if the page cannot be written */
export async function makeReport(runs: readonly string[], flags: ReportFlags): Promise<number> {
  const { out, db, isOpened, isJson } = flags
  const store = single('--db', db as FlagText)
  const path = pathOf(runs, single('--out', out as FlagText), store)
  const { html, faults } = await pageOf(runs, store, single('--benchmark', flags.benchmark as FlagText))
  writePage(path, html)
  if (isJson) printJson({ file: path })
  else io.stdout.write(`${printable(path)}\n`)
  for (const fault of faults) io.stderr.write(`${fault}\n`)
  if (isOpened) await show(pathToFileURL(resolve(path)).href)
  return EXIT.done
}

interface PlotFlags {
  readonly plots: unknown
  /** Values of flags that are for a page. */
  readonly others: readonly unknown[]
  readonly isJson: boolean
}

/** @returns the exit code @throws {InputError} for a missing run, or if the file exists or cannot be written */
export function writePlots(runs: readonly string[], { plots, others, isJson }: PlotFlags): number {
  const [run = ''] = runs
  const path = single('--plots', plots as FlagText) ?? ''
  if (runs.length !== 1 || others.some((value) => value !== undefined)) {
    throw new InputError('--plots', 'takes one run directory, and none of --out, --db, --benchmark and --open')
  }
  const faults = writePlottedValues(run, path)
  if (isJson) printJson({ file: path })
  else io.stdout.write(`${printable(path)}\n`)
  for (const fault of faults) io.stderr.write(`${fault}\n`)
  return EXIT.done
}

/** A sweep directory has a different page. */
async function pageOf(
  runs: readonly string[],
  db: string | undefined,
  benchmark: string | undefined,
): Promise<ReportPage> {
  const [run = ''] = runs
  const isSweep = runs.length === 1 && db === undefined && existsSync(join(run, 'sweep.json'))
  if (!isSweep) return reportPage({ runs, db, benchmark })
  if (benchmark !== undefined) throw new InputError(setting('benchmark'), 'the page of a sweep has no benchmark')
  const { sweepPageIn } = await import('../../run/sweep/sweep-page.ts')
  return { html: sweepPageIn(run), faults: [] }
}

/** Default path: in the directory of the run. */
function pathOf(runs: readonly string[], out: string | undefined, store: string | undefined): string {
  const [run = ''] = runs
  if (out !== undefined) return out
  if (store !== undefined)
    throw new InputError(setting('out'), 'missing: pass --out FILE, because a run in a database has no directory')
  if (runs.length > 1) throw new InputError(setting('out'), 'missing: pass --out FILE to report on several runs')
  return join(run, PAGE_FILE)
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the page in a browser, or prints its address if that fails. */
async function show(address: string): Promise<void> {
  const [command, ...args] = OPENERS[platform()] ?? ['xdg-open']
  await new Promise<void>((done) => {
    const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    opener.once('error', () => {
      io.stderr.write(`${command} was not found: open ${address} yourself\n`)
      done()
    })
    opener.once('spawn', () => {
      opener.unref()
      done()
    })
  })
}
