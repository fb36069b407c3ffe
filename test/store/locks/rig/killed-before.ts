/**
 * A program that is killed before the nth change that it makes to the file system, as a flag of Node for it. That is
 * also after the change before: nothing else that it does outlives it, and what is written need not be synced or
 * closed.
 */

const CHANGES = [
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'writeFileSync',
  'writeSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
]

/** Flag of Node. @param step  from 1 */
export function killedBefore(step: number): string {
  const source = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let left = ${step}
    for (const name of ${JSON.stringify(CHANGES)}) {
      const change = fs[name]
      fs[name] = (...args) => {
        if (--left === 0) process.kill(process.pid, 'SIGKILL')
        return change(...args)
      }
    }
    syncBuiltinESMExports()`
  return `--import=data:text/javascript,${encodeURIComponent(source)}`
}
