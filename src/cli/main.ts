/** The start of the command line: what takes longest to load begins before anything else. */

/** Commands that run a strategy. */
const RUNNING = new Set(['backtest', 'verify', 'fork', 'twin', 'check'])

void start()

async function start(): Promise<void> {
  const [command, ...flags] = process.argv.slice(2)
  const isElsewhere = flags.some((flag) => ['--help', '-h', '--version', '--vary'].includes(flag))
  if (command !== undefined && RUNNING.has(command) && !isElsewhere) {
    const { startRunThread } = await import('./thread/run-thread.ts')
    startRunThread()
  }

  if (command === '--get-completions') {
    // Asked by a shell at every press of a key.
    const { answerText } = await import('./completion/candidates.ts')
    process.stdout.write(await answerText(flags))
  } else {
    const [{ main }, { processIo }, { leave, watchOutput }] = await Promise.all([
      import('./command-line.ts'),
      import('./process-io.ts'),
      import('./process-end.ts'),
    ])
    watchOutput()
    process.exitCode = await main(process.argv.slice(2), processIo())
    await leave()
  }
}
