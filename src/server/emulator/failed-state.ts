/**
 * The remains of an emulator whose engine failed (decision 27): its state, put where nothing goes on with it.
 */
import { copyFileSync, constants, existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exchange, SnapshotExchange } from '../../exchange/exchange.ts'
import { snapshotsBeside } from '../../store/state/snapshot-beside.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'
import type { ServiceState } from '../state/service-state.ts'

const WRITE_ONCE = { flag: 'wx', mode: 0o600 } as const

/**
 * Copies the state file, which holds everything up to the failure; without one, writes what the memory holds.
 *
 * @param file  the state file, closed; undefined for none
 * @returns     where it is now
 */
export function setAside(file: string | undefined, state: ServiceState): string {
  const stamp = `${MACHINE_CLOCK.now()}-${process.pid}`
  if (file !== undefined) {
    const copy = `${file}.failed-${stamp}`
    for (const part of [file, `${file}-wal`, ...snapshotsBeside(file)]) {
      if (existsSync(part)) copyFileSync(part, copy + part.slice(file.length), constants.COPYFILE_EXCL)
    }
    return copy
  }
  const aside = join(tmpdir(), `papertape-failed-${stamp}.json`)
  writeFileSync(
    aside,
    `${JSON.stringify({ exchange: snapshotOf(state.exchange), users: state.users.entries() })}\n`,
    WRITE_ONCE,
  )
  return aside
}

/** A state that went wrong may be one that cannot be told. */
function snapshotOf(exchange: Exchange & Partial<SnapshotExchange>): unknown {
  try {
    return exchange.snapshot?.()
  } catch (error) {
    return String(error)
  }
}
