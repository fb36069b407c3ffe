/** Files for others: their form by their name, and their faults by it. */
import { open } from 'node:fs/promises'
import { InputError } from '../../../domain/errors.ts'

/** @throws {InputError} for a name that says none */
export function formOf(file: string): 'csv' | 'gz' | 'parquet' | 'arrow' | 'tape' {
  if (/\.csv$/i.test(file)) return 'csv'
  if (/\.csv\.gz$/i.test(file)) return 'gz'
  if (/\.parquet$/i.test(file)) return 'parquet'
  if (/\.(?:arrow|feather)$/i.test(file)) return 'arrow'
  if (/\.tape$/i.test(file)) return 'tape'
  throw new InputError(file, 'expected a name that ends in .csv, .csv.gz, .parquet, .arrow or .tape')
}

/** Durable when it returns. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
