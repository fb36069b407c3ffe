/** Log level of esbuild: silent where a command of a clone bundles, which reports a failure in one line of its own. */
import { basename, dirname } from 'node:path'

/** @type {'warning' | 'silent'} */
export const logLevel = basename(dirname(process.argv[1] ?? '')) === 'scripts' ? 'warning' : 'silent'
