/**
 * A state file as it lies on the disk at one moment: what a process that is killed then leaves behind.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { snapshotsBeside } from '../../../src/store/state/snapshot-beside.ts'

const PARTS = ['', '-wal', '-journal'] as const

/** Copies a file, its log and its snapshots over what was at `to`. */
export function copyStateFile(from: string, to: string): void {
  for (const part of PARTS) {
    rmSync(to + part, { force: true })
    if (existsSync(from + part)) copyFileSync(from + part, to + part)
  }
  for (const path of snapshotsBeside(to)) rmSync(path)
  for (const path of snapshotsBeside(from)) copyFileSync(path, to + path.slice(from.length))
}

/** The bytes of a file and of everything beside it that is not empty, but for SQLite's memory of who reads it. */
export function bytesBeside(file: string): Readonly<Record<string, string>> {
  const folder = dirname(file)
  if (!existsSync(folder)) return {}
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const names = entries.map(({ name }) => name)
  const parts = names.filter((name) => name.startsWith(basename(file)) && !name.endsWith('-shm'))
  const bytes = parts.map((name) => [name, readFileSync(join(folder, name)).toString('base64')] as const)
  return Object.fromEntries(bytes.filter(([, text]) => text !== ''))
}
