/** One result of the doctor, shown as a line. */
import { readError } from '../../wire/read-error.ts'
import type { ProbeAnswer } from '../../adapter/live/probe/service-probe.ts'

export interface DoctorCheck {
  /** Short, such as `clock`. */
  readonly name: string
  /**
   * A fault prevents a session from starting; a warning does not; an assumption is something that no response states.
   */
  readonly verdict: 'ok' | 'warning' | 'fault' | 'assumed'
  /** Finding, and advice if there is something to do. */
  readonly says: string
}

export const ok = (name: string, says: string): DoctorCheck => ({ name, verdict: 'ok', says })
export const warning = (name: string, says: string): DoctorCheck => ({ name, verdict: 'warning', says })
export const fault = (name: string, says: string): DoctorCheck => ({ name, verdict: 'fault', says })
export const assumed = (name: string, says: string): DoctorCheck => ({ name, verdict: 'assumed', says })

/** Error code of the specification in an answer; undefined if it has none. */
export const codeOf = (answer: ProbeAnswer): string | undefined =>
  answer.type === 'answer' ? readError(answer.json)?.code : undefined

const MISPLACED = ': is this the base URL of the service? It ends in /v1'

/** Description of an unusable answer. */
export function toldOf(answer: ProbeAnswer): string {
  if (answer.type === 'no-answer') return answer.reason
  const { status, headers, json, text } = answer
  if (status >= 300 && status < 400)
    return `it redirects to ${headers.location ?? 'elsewhere'}, and redirects are not followed: give the final address`
  const code = codeOf(answer)
  if (code !== undefined) return `it answers ${status} ${code}${status === 404 ? MISPLACED : ''}`
  if (/^\s*</.test(text)) return `it answers ${status} with a web page, not JSON${MISPLACED}`
  const form = json === undefined ? ' without JSON' : ' in an unknown form'
  return `it answers ${status}${form}${status === 404 ? MISPLACED : ''}`
}
