/**
 * The console of a user's file, turned to stderr: stdout is for the result alone.
 */
import type { CliOutput } from './cli-io.ts'
import { Console } from 'node:console'
import { hasColour } from './colour.ts'

/** Redirects `console.log` to stderr. Call before a strategy or a config is loaded. */
export function consoleToStderr(stderr: CliOutput): void {
  // Set explicitly: otherwise the console reads the environment at each line, which would count as use by the strategy.
  const colorMode = hasColour(stderr)
  globalThis.console = new Console({ stdout: stderr, colorMode })
}
