/**
 * The files of a finished run as source of its page: from a run directory, or from a database.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import type { RunTextSource } from '../report/page/page-run.ts'
import { currentReport } from '../report/run/former-report.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { journalLines, journalLinesIn } from '../runtime/journal/read-journal.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { checkThere } from './run-file.ts'
import { storedTexts } from './stored-runs.ts'

export interface PageSource extends RunTextSource {
  /** Deviations from the files as written by the run, in words. */
  readonly faults: readonly string[]
}

/** @throws {InputError} if the directory contains no finished run */
export function pageSourceIn(directory: string): PageSource {
  settleRunDirectory(directory)
  checkThere(directory)
  const path = (name: string): string => join(directory, name)
  const journal = path('journal.jsonl')
  return {
    where: directory,
    report: reportIn(path(REPORT_FILE), readFileSync(path(REPORT_FILE), 'utf8')),
    text: (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined),
    journal: existsSync(journal) ? journalLines(journal) : undefined,
    faults: sealFaults(directory).map(({ name, message }) => `${path(name)}: ${message}`),
  }
}

/** @param id  unique prefix of the run's id @throws {InputError} if there is no such run */
export function storedPageSource(file: string, id: string): PageSource {
  const { name, text } = storedTexts(file, id)
  const where = `${file}: ${name}`
  const journal = text('journal.jsonl')
  return {
    where,
    report: reportIn(`${where}: ${REPORT_FILE}`, text(REPORT_FILE) ?? ''),
    text,
    journal:
      journal === undefined
        ? undefined
        : { [Symbol.iterator]: () => journalLinesIn(`${where}: journal.jsonl`, journal) },
    faults: [],
  }
}

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** Fields that the page requires. A file without them is not a run, is of another version, or was changed. */
const needed = z.object({
  version: z.string(),
  strategy: z.object({ name: z.string(), file: z.string() }),
  params: z.record(z.string(), z.unknown()),
  tapes: z.array(z.object({ symbol: z.string(), from: z.number(), to: z.number(), reading: z.object({}) })),
  config: z.object({ credit: z.record(z.string(), z.string()) }),
  statistics: z.object({ roundTrips: z.number(), openTrips: z.array(z.object({ unrealizedPnl: decimal.nullable() })) }),
  audit: z.object({ ok: z.boolean() }),
  initialEquity: decimal,
  finalEquity: decimal,
  balances: z.record(z.string(), z.object({})),
  fillQuality: z.record(z.string(), z.object({ shareOfVolume: z.number(), ordersAcrossGaps: z.number() })),
  refusals: z.record(z.string(), z.number()),
  optimistic: z.array(z.object({ setting: z.string(), words: z.string() })),
  notices: z.array(z.string()),
  warnings: z.int().optional(),
})

function reportIn(where: string, text: string): RunReport {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new InputError(where, 'is not JSON', { cause: error })
  }
  const report = typeof json === 'object' && json !== null ? currentReport({ ...json }) : json
  const parsed = needed.safeParse(report)
  if (parsed.success) return report as RunReport
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new InputError(
    `${where} ${field}`.trim(),
    `${issue?.message ?? 'is not a run'}: run it again with this papertape`,
  )
}
