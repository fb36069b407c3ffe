/**
 * A command: what yargs knows of it, and what it does.
 */
import type { CommandModule } from 'yargs'

export interface CliCommand extends Omit<CommandModule, 'handler'> {
  /** @returns the exit code */
  handler(values: Readonly<Record<string, unknown>>): Promise<number> | number
}
