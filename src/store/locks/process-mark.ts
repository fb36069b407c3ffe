/**
 * Identity of a process, distinct even from earlier processes with the same pid, and whether it still exists.
 *
 * Invariant: a process reported as gone never comes back. A process in another container or on another machine is
 * `unseen`. Known limits: Windows reports no start time, so a reused pid counts as the same process; two machines with
 * the same name and machine id that share a file system are mistaken for one machine that was restarted.
 */
import type { ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'

const PROCESS_MARK = z.object({
  pid: z.int().positive(),
  /** Number of the thread in its process; never reused. */
  thread: z.int(),
  /** Start of the process as reported by the system; null if unknown. */
  start: z.string().nullable(),
  /** Boot id of the system; null if unknown. */
  boot: z.string().nullable(),
  /** Pid namespace, for example of a container; null if unknown. */
  space: z.string().nullable(),
  host: z.string(),
})

/** A thread of a process. */
export type ProcessMark = z.infer<typeof PROCESS_MARK>

export type Presence = 'there' | 'gone' | 'unseen'

let own: Omit<ProcessMark, 'thread'> | undefined

/** Mark of this thread. */
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

/** Undefined for a text that is not a mark. */
export function markIn(text: string): ProcessMark | undefined {
  try {
    return PROCESS_MARK.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** @param endedThread  number of a terminated thread of this process */
export function presenceOf(mark: ProcessMark, endedThread?: number): Presence {
  const here = ownMark()
  if (mark.boot !== here.boot) return mark.boot !== null && mark.host === here.host ? 'gone' : 'unseen'
  if (mark.boot === null ? mark.host !== here.host : mark.space !== here.space) return 'unseen'
  if (mark.pid === here.pid && mark.start === here.start) return mark.thread === endedThread ? 'gone' : 'there'
  if (!isRunning(mark.pid)) return 'gone'
  const state = stateOf(mark.pid)
  // Processes of other users may be visible without details.
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
  /** A zombie: killed, but not reaped by its parent. */
  readonly isDead: boolean
}

/** Undefined if the system does not report it. */
function stateOf(pid: number): ProcessState | undefined {
  if (process.platform === 'win32') return undefined
  const line = textOf(`/proc/${pid}/stat`)
  return line === null ? stateByPs(pid) : stateIn(line)
}

/**
 * Parses /proc/PID/stat. After the program name, which may contain anything, come state, thread count and start in
 * ticks.
 */
function stateIn(line: string): ProcessState | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, threads, start] = [fields[0], fields[17], fields[19]]
  // The main thread may have ended while another one runs.
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
    const { execFileSync } = process.getBuiltinModule('node:child_process')
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
