/** Finds the place in a user's code from which a function was called, by the stack. */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAME = /^\s*at .*?\(?((?:file:\/\/|[A-Za-z]:)?[\\/][^()]*?):(\d+):(\d+)\)?$/

/** Every file of user code that was read. */
const userFiles = new Set<string>()

export const rememberUserFile = (path: string): void => void userFiles.add(path)

/** The files of user code that this thread has read, absolute, in order. */
export const userFilesRead = (): readonly string[] => [...userFiles]

/** `file:line:column` of the innermost call from a user's file; undefined if there is none. */
export function userPlace(): string | undefined {
  return userFiles.size === 0 ? undefined : userPlaceIn(stackHere())
}

/** The stack of the caller, as deep as a place in a user's code may be. */
export function stackHere(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  return stack
}

/** The same for a saved stack. */
export function userPlaceIn(stack: string | undefined): string | undefined {
  for (const line of stack?.split('\n') ?? []) {
    const [, file = '', row, column] = FRAME.exec(line) ?? []
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (userFiles.has(path)) return `${basename(path)}:${row}:${column}`
  }
  return undefined
}
