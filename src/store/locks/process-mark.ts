/**
 * A process as told from every other one, those that had its number before it included: who it is, and that it is still
 * there.
 *
 * Invariant: who is told to be gone never comes back. Who cannot be seen from here, in another container or on another
 * machine, is `unseen`. Known limits: Windows tells no start, so there a number that was given anew counts as the
 * process that had it; two machines of one name and one machine id that share a file system take each other for one
 * machine that was started anew.
 */
import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'

const PROCESS_MARK = z.object({
  pid: z.int().positive(),
  /** Number of the thread in its process; none is given twice. */
  thread: z.int(),
  /** When the process began, in the words of the system; null where it has none. */
  start: z.string().nullable(),
  /** Of this running of the system; null where it is not known. */
  boot: z.string().nullable(),
  /** In which the number of the process is counted, as of a container; null where it is not known. */
  space: z.string().nullable(),
  host: z.string(),
})

/** A thread of a process. */
export type ProcessMark = z.infer<typeof PROCESS_MARK>

export type Presence = 'there' | 'gone' | 'unseen'

let own: Omit<ProcessMark, 'thread'> | undefined

/** Of this thread. */
export function ownMark(): ProcessMark {
  own ??= {
    pid: process.pid,
    start: stateOf(process.pid)?.start ?? null,
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    space: linkOf('/proc/self/ns/pid'),
    host: `${hostname()} ${textOf('/etc/machine-id') ?? ''}`.trim(),
  }
  return { ...own, thread: threadId }
}

/** Undefined for a text that is none. */
export function markIn(text: string): ProcessMark | undefined {
  try {
    return PROCESS_MARK.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * @param endedThread  number of a thread of this process that has ended
 */
export function presenceOf(mark: ProcessMark, endedThread?: number): Presence {
  const here = ownMark()
  if (mark.boot !== here.boot) return mark.boot !== null && mark.host === here.host ? 'gone' : 'unseen'
  if (mark.boot === null ? mark.host !== here.host : mark.space !== here.space) return 'unseen'
  if (mark.pid === here.pid && mark.start === here.start) return mark.thread === endedThread ? 'gone' : 'there'
  if (!isRunning(mark.pid)) return 'gone'
  const state = stateOf(mark.pid)
  // Of another user's process the system may tell no more than that it is there.
  if (state === undefined) return 'there'
  return state.isDead || (mark.start !== null && state.start !== mark.start) ? 'gone' : 'there'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

interface ProcessState {
  readonly start: string
  /** Killed, but its parent has not asked after it yet. */
  readonly isDead: boolean
}

/** Undefined when the system does not tell. */
function stateOf(pid: number): ProcessState | undefined {
  if (process.platform === 'win32') return undefined
  const line = textOf(`/proc/${pid}/stat`)
  return line === null ? stateByPs(pid) : stateIn(line)
}

/**
 * Behind the name of the program, which may have anything in it, are state, and in their places threads and start in
 * ticks.
 */
function stateIn(line: string): ProcessState | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, threads, start] = [fields[0], fields[17], fields[19]]
  // The first of its threads may have ended while another one has not.
  return start === undefined ? undefined : { start, isDead: (state === 'Z' || state === 'X') && threads === '1' }
}

function stateByPs(pid: number): ProcessState | undefined {
  if (process.platform === 'linux') return undefined
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC0' }
    const options = {
      encoding: 'utf8' as const,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    } satisfies ExecFileSyncOptionsWithStringEncoding
    const [state = '', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], options)
      .trim()
      .split(/\s+/)
    return start.length === 0 ? undefined : { start: start.join(' '), isDead: state.startsWith('Z') }
  } catch {
    return undefined
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}
