/**
 * A state file as it lies on the disk at one moment: what a process that is killed then leaves behind.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const PARTS = ['', '-wal', '-journal'] as const

/** Copies a file and its log over what was at `to`. */
export function copyStateFile(from: string, to: string): void {
  for (const part of PARTS) {
    rmSync(to + part, { force: true })
    if (existsSync(from + part)) copyFileSync(from + part, to + part)
  }
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
