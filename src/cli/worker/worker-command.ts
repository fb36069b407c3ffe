/**
 * `papertape worker`: runs points of sweeps that other machines began.
 */
import type { CliCommand } from '../cli-command.ts'

export const workerCommand: CliCommand = {
  command: 'worker',
  describe: 'run points of sweeps started with --redis, on any machine',
  builder: async (yargs) =>
    yargs
      .options((await import('./worker-flags.ts')).WORKER_FLAGS)
      .example('$0 worker --redis redis://10.0.0.5:6379', '')
      .example('$0 sweep sma-cross --tape btc.csv --param fast=5..50/5 --redis redis://10.0.0.5:6379 --out sweep', '')
      .epilogue('Anyone who can write to that Redis can run code on this machine. See docs/sweeps.md to secure it.'),
  handler: async (values) => {
    const { workUntilStopped } = await import('./run-worker-command.ts')
    return await workUntilStopped(values)
  },
}
