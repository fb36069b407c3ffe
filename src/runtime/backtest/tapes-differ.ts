/** Rejects tapes that are listed twice, because every trade would happen twice. */
import { realpathSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'

/** A missing file is reported when it is read. */
export function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** Check before the files are read. @throws {InputError} for one file under two names, also through links */
export function checkFilesDiffer(
  option: 'tapes' | 'books',
  sources: readonly { readonly file: string; readonly symbol?: string }[],
): void {
  const seen = new Map<string, string>()
  for (const { file, symbol = '' } of sources) {
    const key = `${symbol} ${realPath(file)}`
    const before = seen.get(key)
    if (before !== undefined) throw new InputError(setting(option), twice(before, file))
    seen.set(key, file)
  }
}

/** @throws {InputError} for two identical files of one market */
export function checkTapesDiffer(inspected: readonly InspectedTape[]): void {
  const seen = new Map<string, string>()
  for (const { source, info } of inspected) {
    const key = `${info.symbol} ${info.sha256}`
    const before = seen.get(key)
    if (before !== undefined) throw new InputError(setting('tapes'), twice(before, source.file))
    seen.set(key, source.file)
  }
}

const twice = (before: string, file: string): string =>
  before === file ? `'${file}' is given twice: remove one` : `'${before}' and '${file}' are the same tape: remove one`
