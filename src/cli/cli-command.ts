/** A command for yargs, and its implementation. */
import type { CommandModule } from 'yargs'

/** Values of the flags, as yargs reads them. */
export type FlagValues = Readonly<Record<string, unknown>>

export interface CliCommand extends Omit<CommandModule, 'handler'> {
  /** @returns the exit code */
  handler(values: Readonly<Record<string, unknown>>): Promise<number> | number
}
