/**
 * Settings with which a backtest cannot be watched.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestConfig } from './backtest-config.ts'

/** @throws {InputError} for one that makes no sense beside `--watch` */
export function checkWatchable({ json, quiet, out, force, tape }: BacktestConfig): void {
  if (json === true) throw new InputError('--json', 'is one object of one run: leave it out, or --watch')
  if (quiet === true) throw new InputError('--quiet', 'shows nothing: leave it out, or --watch')
  if (out !== undefined && force !== true) {
    throw new InputError(
      setting('out'),
      'each run of --watch takes the place of the one before: add --force, or leave it out',
    )
  }
  const files = [tape ?? []].flat().map((each) => (typeof each === 'string' ? each : each.file))
  if (files.some((file) => /(?:^|=)\/dev\/stdin$/.test(file)))
    throw new InputError(setting('tapes'), 'the standard input is read once: name a file, or leave out --watch')
}
