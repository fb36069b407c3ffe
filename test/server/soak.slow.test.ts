/**
 * The emulator with everything on it at once, for some seconds; `npm run soak` does it for a quarter of an hour.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { soakRun } from './rig/soak/soak-run.ts'

const SECONDS = 6

it('serves traders and followers under faults and beside a hostile socket, and stands the same in its next life', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-soak-'))
  const { faults, orders, events, attacks, minutes } = await soakRun({ seconds: SECONDS, folder })
  expect(faults).toEqual([])
  // So that no faults is not for want of anything that could have had one.
  expect([orders > 20, events > 20, attacks > 0, minutes.length]).toEqual([true, true, true, 1])
  rmSync(folder, { recursive: true })
})
