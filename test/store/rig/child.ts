/**
 * Another process that runs a script over what was built, and can be killed.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** The lines that it has printed, whole ones only. */
  readonly lines: readonly string[]
  /** Resolves with the first line that is not yet taken; with undefined when it ends without one. */
  line(): Promise<string | undefined>
  /** Kills it as `kill -9` does, and resolves when it is gone and all that it printed was read. */
  kill(): Promise<void>
  /** Resolves when it is gone by itself. */
  ended(): Promise<void>
}

/** @param script  a module that imports from `./dist`; its `process.argv` has the arguments from index 1 */
export function child(script: string, ...args: readonly string[]): Child {
  const started = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], { cwd: ROOT })
  const gone = once(started, 'close')
  const lines: string[] = []
  let taken = 0
  const wakers = new Set<() => void>()
  const wake = (): void => {
    for (const waker of wakers) waker()
    wakers.clear()
  }
  let isOver = false
  const reader = createInterface({ input: started.stdout })
  reader.on('line', (line) => {
    lines.push(line)
    wake()
  })
  const over = gone.then(() => {
    isOver = true
    wake()
  })
  started.stderr.pipe(process.stderr)
  return {
    process: started,
    lines,
    line: async () => {
      while (lines.length <= taken && !isOver) await new Promise<void>((resolve) => wakers.add(resolve))
      return lines[taken++]
    },
    kill: async () => {
      started.kill('SIGKILL')
      await over
    },
    ended: async () => over,
  }
}
