/**
 * The console of a user's file, turned to stderr: stdout is for the result alone.
 */
import { Console } from 'node:console'

/** Call before a strategy or a config is loaded; what is printed with `console.log` then stands on stderr. */
export function consoleToStderr(): void {
  globalThis.console = new Console(process.stderr)
}
