/**
 * A process killed in the middle of its saves: all that it had gone on from is on the disk.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { IntentStore } from '../../../../src/adapter/live/orders/intent.ts'
import { LiveState } from '../../../../src/store/state/live/live-state.ts'
import { Chance } from '../../../exchange/rig/chance.ts'
import { child } from '../../rig/child.ts'
import { savedIntent } from '../../rig/saved-intents.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const { folder } = temporaryFiles()
const KILLS = 12

/** Saves an intent, says so as if it were sent, then its order, and says that. */
const SAVES = `
  const { writeSync } = await import('node:fs')
  const { LiveState } = await import('./dist/store/state/live/live-state.js')
  const state = LiveState.openOrMake(process.argv[1])
  const intent = JSON.parse(process.argv[2], (key, value) => value ?? undefined)
  const whole = { tag: undefined, watermark: undefined, watermarkAt: undefined, orderId: undefined, ...intent }
  for (;;) {
    const id = state.nextId
    state.save({ ...whole, id })
    writeSync(1, 'sent ' + id + '\\n')
    state.together(() => {
      state.save({ ...whole, id, state: 'PLACED', orderId: 'o-' + id })
      state.addKnownIds(['o-' + id])
    })
    writeSync(1, 'placed ' + id + '\\n')
  }
`

const idsOf = (lines: readonly string[], word: string): number[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.slice(word.length + 1)))

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('a process killed in the middle of its saves', () => {
  it('has left every intent that it had sent, and every order that it had reported, and at most one more of each', async () => {
    const file = join(folder, 'live.db')
    const chance = new Chance(13)
    let sent = 0
    let placed = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writer = child(SAVES, file, JSON.stringify(savedIntent(1)))
      // No id is given twice, whenever the last one was killed.
      expect(await writer.line()).toBe(`sent ${sent + 1}`)
      // It does not wait for us, so this is anywhere in what it does next.
      for (let lines = chance.below(30); lines > 0; lines -= 1) await writer.line()
      await writer.kill()
      sent = Math.max(sent, ...idsOf(writer.lines, 'sent'))
      placed = Math.max(placed, ...idsOf(writer.lines, 'placed'))
      const state: LiveState & IntentStore = LiveState.openOrMake(file)
      const intents = state.intents()
      expect(intents.map(({ id }) => id)).toEqual(upTo(state.nextId - 1))
      expect(state.nextId - 1 - sent).toBeOneOf([0, 1])
      const known = state.knownIds()
      expect(intents.flatMap(({ orderId }) => orderId ?? [])).toEqual(known)
      expect(new Set(known)).toContain(`o-${placed}`)
      // What the next one goes on from.
      sent = state.nextId - 1
      state.close()
    }
    expect(sent).toBeGreaterThan(KILLS)
  })
})

describe('a disk that is full', () => {
  it('is reported with the name of the file before anything was sent, and takes nothing that was saved before', () => {
    const file = join(folder, 'full.db')
    const script = SAVES.replace('for (;;) {', 'try { for (;;) {').replace(
      /\}\s*$/,
      "} } catch (error) { writeSync(1, 'full ' + JSON.stringify([error.name, error.message]) + '\\n') ; process.kill(process.pid, 'SIGKILL') }",
    )
    const command = 'ulimit -f 300; exec "$0" --input-type=module -e "$1" "$2" "$3"'
    const { stdout } = spawnSync(
      'bash',
      ['-c', command, process.execPath, script, file, JSON.stringify(savedIntent(1))],
      { cwd: ROOT, encoding: 'utf8' },
    )
    const lines = stdout.trim().split('\n')
    const [name, message] = JSON.parse(lines.at(-1)?.replace('full ', '') ?? '') as [string, string]
    expect([name, message]).toEqual(['InputError', expect.stringContaining(`${file}: cannot be `)])
    const sent = idsOf(lines, 'sent')
    expect(sent.length).toBeGreaterThan(5)
    const state = LiveState.open(file)
    expect(state.intents().map(({ id }) => id)).toEqual(sent)
    state.close()
  })
})
