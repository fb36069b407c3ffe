/**
 * The command that was asked for, taken out of yargs before it runs: behind a handler that returns, yargs lays out the
 * whole help for a fault that may come, and that takes its time.
 */
import type { CommandModule } from 'yargs'
import type { CliCommand } from './cli-command.ts'

/** Thrown out of the parser by what stands for a command's handler. */
export class ChosenCommand extends Error {
  override readonly name = 'ChosenCommand'
  readonly #run: () => ReturnType<CliCommand['handler']>

  constructor(run: () => ReturnType<CliCommand['handler']>) {
    super('a command was chosen')
    this.#run = run
  }

  /** @returns the exit code */
  async run(): Promise<number> {
    return await this.#run()
  }
}

/** The same commands, which throw `ChosenCommand` where they would run. */
export const chosenOf = (modules: readonly CliCommand[]): CommandModule[] =>
  modules.map((module) => ({
    ...module,
    handler: (values) => {
      throw new ChosenCommand(() => module.handler(values))
    },
  }))
