/**
 * The console of a user's file, turned to stderr: stdout is for the result alone.
 */
import type { CliOutput } from './cli-io.ts'
import { Console } from 'node:console'
import picocolors from 'picocolors'

/** Call before a strategy or a config is loaded; what is printed with `console.log` then stands on stderr. */
export function consoleToStderr(stderr: CliOutput): void {
  // Said here, for otherwise it asks the environment at each line, and the strategy would be told that it did.
  const colorMode = stderr.isTTY === true ? picocolors.isColorSupported : false
  globalThis.console = new Console({ stdout: stderr, colorMode })
}
