/**
 * Takes the chosen command out of yargs before it runs: while a handler runs, yargs prepares the whole help text for a
 * possible error, which is slow.
 */
import type { CommandModule } from 'yargs'
import type { CliCommand, FlagValues } from './cli-command.ts'

/** Thrown from a handler to leave the parser. */
export class ChosenCommand extends Error {
  override readonly name = 'ChosenCommand'
  /** Flags and arguments as parsed. */
  readonly values: FlagValues
  readonly #run: () => ReturnType<CliCommand['handler']>

  constructor(values: FlagValues, run: () => ReturnType<CliCommand['handler']>) {
    super('a command was chosen')
    this.values = values
    this.#run = run
  }

  /** @returns the exit code */
  async run(): Promise<number> {
    return await this.#run()
  }
}

/** The same commands with handlers that throw `ChosenCommand`. */
export const chosenOf = (modules: readonly CliCommand[]): CommandModule[] =>
  modules.map((module) => ({
    ...module,
    handler: (values) => {
      throw new ChosenCommand(values, () => module.handler(values))
    },
  }))
