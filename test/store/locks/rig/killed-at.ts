/**
 * A program that is killed before or after the nth thing that it does to the file system, as a flag of Node for it.
 */

const CHANGES = [
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'writeFileSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
]

/** Flag of Node. @param step  from 1 */
export function killedAt(step: number, when: 'before' | 'after'): string {
  const source = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let left = ${step}
    for (const name of ${JSON.stringify(CHANGES)}) {
      const change = fs[name]
      fs[name] = (...args) => {
        const isLast = --left === 0
        if (isLast && ${when === 'before'}) process.kill(process.pid, 'SIGKILL')
        try {
          return change(...args)
        } finally {
          if (isLast) process.kill(process.pid, 'SIGKILL')
        }
      }
    }
    syncBuiltinESMExports()`
  return `--import=data:text/javascript,${encodeURIComponent(source)}`
}
