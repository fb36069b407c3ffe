/** The start of the command line: what takes longest to load begins before anything else. */

/** Commands that run a strategy, which a thread parses and runs while this one watches it. */
const RUNNING = ['backtest', 'verify', 'fork', 'twin', 'check'] as const
/** Flags whose work is done in this thread. */
const HERE = /^(?:--help|-h|--version|--(?:vary|watch)(?:=.*)?)$/

void start()

async function start(): Promise<void> {
  const [first, ...flags] = process.argv.slice(2)
  if (first === '--get-completions') {
    // Asked by a shell at every press of a key.
    const { answerText } = await import('./completion/candidates.ts')
    process.stdout.write(await answerText(flags))
    return
  }
  const { leave, watchOutput } = await import('./process-end.ts')
  watchOutput()
  const name = RUNNING.find((each) => each === first)
  if (name !== undefined && !flags.some((flag) => HERE.test(flag))) {
    const { inRunThread } = await import('./thread/run-thread.ts')
    process.exitCode = await inRunThread({ command: 'line', name })
  } else {
    const [{ main }, { processIo }] = await Promise.all([import('./command-line.ts'), import('./process-io.ts')])
    process.exitCode = await main(process.argv.slice(2), processIo())
  }
  await leave()
}
