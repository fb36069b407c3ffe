/** Opens a bundle: the setup with which points run on this machine. */
import { liquidityOf } from '../../../runtime/backtest/liquidity-choice.ts'
import { InputError } from '../../../domain/errors.ts'
import type { BacktestSettings } from '../../../runtime/settings/backtest-settings.ts'
import { TapeFile } from '../../../store/tapes/blocks/tape-file.ts'
import type { InspectedTape } from '../../../store/tapes/inspected-tape.ts'
import type { SweepCode } from '../point-runner.ts'
import { sharedSetup } from '../shared-setup.ts'
import type { SweepSetup } from '../sweep-thread.ts'
import type { MachineCache } from './machine-cache.ts'
import type { JobBundle } from './job-bundle.ts'

export interface OpeningOptions {
  readonly cache: MachineCache
  /** Folder from which the imported packages are resolved. */
  readonly packages: string
  /** Unix milliseconds. */
  readonly now: number
}

/** @throws {InputError} if Redis does not have all files */
export async function openJobBundle(bundle: JobBundle, { cache, packages, now }: OpeningOptions): Promise<SweepSetup> {
  const { strategy, liquidity } = bundle
  const settings: BacktestSettings = {
    ...bundle.settings,
    ...(strategy !== null && { strategy: await cache.code(strategy, packages, now) }),
    ...(liquidity !== null && { liquidity: await cache.code(liquidity, packages, now) }),
  }
  const inspected: InspectedTape[] = []
  for (const { inspected: found, sha256 } of bundle.tapes) {
    const file = await cache.tape(sha256, now)
    inspected.push({ ...found, rows: { form: 'tape-file', file, sha256: rowsSha256(file) } })
  }
  return await sharedSetup(settings, { inspected, inspectedBooks: [] })
}

/** Hash of the rows, as stored in the index of the file. */
function rowsSha256(file: string): string {
  const tape = new TapeFile(file)
  tape.close()
  return tape.sha256
}

/** @throws {InputError} if the code loaded here differs from that of the sweep */
export function checkSameCode({ strategySha256, liquiditySha256, settings }: JobBundle, code: SweepCode): void {
  checkSame(settings.strategy, strategySha256, code.strategy.sha256)
  checkSame(liquidityOf(settings), liquiditySha256, code.liquiditySha256)
}

function checkSame(reference: string, wanted: string | null, found: string | null): void {
  if (found === wanted) return
  const [there, here] = [wanted, found].map((sha256) => sha256?.slice(0, 12) ?? 'none')
  const why = 'papertape or an imported package has another version here'
  throw new InputError(reference, `has SHA-256 ${here ?? ''} on this machine, and ${there ?? ''} in the sweep: ${why}`)
}
