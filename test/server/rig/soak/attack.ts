/**
 * Keeps one hostile socket at a server, until it is over.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SoakLog } from './soak-log.ts'
import type { SoakServer } from './soak-server.ts'

const LOADER = new URL('../../../../bench/loader.mjs', import.meta.url).href

const PROGRAM = fileURLToPath(new URL('./soak-attacker.ts', import.meta.url))

/** Resolves once it attacks. @returns what resolves at its end */
export async function attack(
  { port }: SoakServer,
  log: SoakLog,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<unknown> }> {
  const attacker = fork(PROGRAM, [String(port)], { execArgv: ['--import', LOADER] })
  const gone = once(attacker, 'exit')
  attacker.on('message', () => (log.attacks += 1))
  attacker.on('exit', (code) => {
    if (!signal.aborted) log.fault(`the hostile socket was let in no more: ${code}`)
  })
  signal.addEventListener('abort', () => attacker.kill(), { once: true })
  await Promise.race([once(attacker, 'message'), gone])
  return { ended: gone }
}
