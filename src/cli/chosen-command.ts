/**
 * The command that was asked for, taken out of yargs before it runs: behind a handler that returns, yargs lays out the whole help for a
 * fault that may come, and that takes its time.
 */
import type { CommandModule } from 'yargs'

/** Thrown out of the parser by what stands for a command's handler. */
export class ChosenCommand extends Error {
  override readonly name = 'ChosenCommand'
  readonly #run: () => void | Promise<void>

  constructor(run: () => void | Promise<void>) {
    super('a command was chosen')
    this.#run = run
  }

  async run(): Promise<void> {
    await this.#run()
  }
}

/** The same commands, which throw `ChosenCommand` where they would run. */
export const chosenOf = (modules: readonly CommandModule[]): CommandModule[] =>
  modules.map((module) => ({
    ...module,
    handler: (values) => {
      throw new ChosenCommand(() => module.handler(values))
    },
  }))
