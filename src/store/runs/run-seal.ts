/**
 * The seal of a run: `run.json` has the SHA-256 of every other file, and on its second line its own digest without that
 * line. So one digest covers all files, and `sed 2d run.json | sha256sum` prints it.
 *
 * Known limit: it is not a signature: a file can be changed and sealed again. Only repeating the run reveals that.
 */
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { isRunFileName, isPageName, REPORT_FILE, RUN_FILES, type RunFileName } from './run-file-names.ts'

/** Lower-case hex SHA-256 by file, without the report. */
export type FileHashes = Readonly<Partial<Record<RunFileName, string>>>

/** A file of a run that changed since the run. */
export interface SealFault {
  readonly name: RunFileName
  /** Text to follow the path of the file and a colon. */
  readonly message: string
}

const CHUNK = 1 << 20
const FIRST_LINE = '{\n'
const SEAL_LINE = /^ {2}"filesDigest": "sha256:([0-9a-f]{64})",$/

/** The text of `run.json`: a report, sealed. */
export function sealedText(report: object, files: FileHashes): string {
  const text = `${JSON.stringify({ ...report, files }, null, 2)}\n`
  return `${FIRST_LINE}  "filesDigest": "sha256:${sha256(text)}",\n${text.slice(FIRST_LINE.length)}`
}

/**
 * Compares every file of a run with the seal of its report.
 *
 * @param directory  must contain a `run.json`
 * @param names      files to check
 * @returns the report first, because the others depend on it; empty for an unchanged run
 * @throws an error of the file system
 */
export function sealFaults(directory: string, names: readonly RunFileName[] = RUN_FILES): readonly SealFault[] {
  const bytes = readFileSync(join(directory, REPORT_FILE))
  const { fault, files } = readReport(bytes)
  return [...names].sort(reportFirst).flatMap((name): readonly SealFault[] => {
    if (name === REPORT_FILE) return fault === undefined ? [] : [{ name, message: fault }]
    const message = files === undefined ? undefined : fileFault(join(directory, name), files[name])
    return message === undefined ? [] : [{ name, message }]
  })
}

const reportFirst = (a: RunFileName, b: RunFileName): number => Number(b === REPORT_FILE) - Number(a === REPORT_FILE)

/** Names in the directory of a run that are not files of the run. */
export const foreignFilesIn = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => !isRunFileName(name) && !isPageName(name))
    .sort()

interface ReadReport {
  readonly fault: string | undefined
  /** Undefined if it lists none. */
  readonly files: Readonly<Record<string, unknown>> | undefined
}

function readReport(bytes: Buffer): ReadReport {
  const end = bytes.indexOf('\n', FIRST_LINE.length)
  const [, sealed] = SEAL_LINE.exec(bytes.subarray(FIRST_LINE.length, Math.max(end, 0)).toString()) ?? []
  const files = filesOf(bytes)
  if (sealed === undefined || files === undefined) {
    const why = 'it was changed, or written by an older version of papertape'
    return { fault: `has no digest of the files of the run on its second line: ${why}`, files }
  }
  const found = createHash('sha256')
    .update(bytes.subarray(0, FIRST_LINE.length))
    .update(bytes.subarray(end + 1))
  return { fault: faultOf(sealed, found.digest('hex')), files }
}

function filesOf(bytes: Buffer): ReadReport['files'] {
  try {
    const json: unknown = JSON.parse(bytes.toString())
    if (typeof json !== 'object' || json === null || !('files' in json)) return undefined
    const { files } = json
    return typeof files === 'object' && files !== null ? (files as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function fileFault(path: string, sealed: unknown): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // An older version may not have written this file.
  if (stats === undefined) return sealed === undefined ? undefined : 'is missing'
  // Reading a pipe would block, and the target of a link may change.
  if (!stats.isFile()) return 'is no longer a file'
  return faultOf(sealed, fileHash(path))
}

const faultOf = (sealed: unknown, found: string): string | undefined =>
  sealed === found
    ? undefined
    : `was changed after the run: expected sha256 ${typeof sealed === 'string' ? sealed : 'none'}, got ${found}`

function fileHash(path: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK)
  const descriptor = openSync(path, 'r')
  try {
    for (let size = readSync(descriptor, chunk); size > 0; size = readSync(descriptor, chunk)) {
      hash.update(chunk.subarray(0, size))
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

/** Lower-case hex digest on the second line of a `run.json`; undefined if there is none. */
export const sealIn = (text: string): string | undefined => SEAL_LINE.exec(text.split('\n', 2)[1] ?? '')?.[1]

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
