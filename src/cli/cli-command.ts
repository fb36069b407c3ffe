/** A command for yargs, and its implementation. */
import type { CommandModule } from 'yargs'

export interface CliCommand extends Omit<CommandModule, 'handler'> {
  /** @returns the exit code */
  handler(values: Readonly<Record<string, unknown>>): Promise<number> | number
}
