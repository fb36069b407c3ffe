/** Settings with which a backtest cannot be watched. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'

/** @throws {InputError} for a flag that cannot be combined with `--watch` */
export function checkWatchable({ json, quiet, out, force, tape }: BacktestConfig): void {
  if (json === true)
    throw new InputError('--json', 'prints one JSON object of one run; it cannot be combined with --watch')
  if (quiet === true) throw new InputError('--quiet', 'prints nothing; it cannot be combined with --watch')
  if (out !== undefined && force !== true) {
    throw new InputError(setting('out'), '--watch overwrites this directory on every run: add --force, or remove --out')
  }
  const files = [tape ?? []].flat().map((each) => (typeof each === 'string' ? each : each.file))
  if (files.some((file) => /(?:^|=)\/dev\/stdin$/.test(file)))
    throw new InputError(setting('tapes'), 'standard input can be read only once: give a file, or remove --watch')
}
