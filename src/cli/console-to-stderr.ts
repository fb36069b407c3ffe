/** The console of a user's file, turned to stderr: stdout is for the result alone. */
import type { CliOutput } from './cli-io.ts'
import { Console } from 'node:console'
import { hasColour } from './colour.ts'

/**
 * Redirects `console.log` to stderr. Call before a strategy or a config is loaded.
 *
 * @param colorMode  false where nothing is shown; the default needs a running command line
 */
export function consoleToStderr(stderr: CliOutput, colorMode = hasColour(stderr)): void {
  // Set explicitly: otherwise the console reads the environment at each line, which would count as use by the strategy.
  globalThis.console = new Console({ stdout: stderr, colorMode })
}
