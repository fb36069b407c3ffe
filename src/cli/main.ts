/**
 * The start of the command line: what takes longest to load begins before anything else.
 */
const [command, ...flags] = process.argv.slice(2)
const isHelp = flags.some((flag) => ['--help', '-h', '--version'].includes(flag))
if ((command === 'backtest' || command === 'verify' || command === 'check') && !isHelp) {
  const { startRunThread } = await import('./thread/run-thread.ts')
  startRunThread()
}

if (command === '--get-completions') {
  // Asked by a shell at every press of a key.
  const { candidates } = await import('./completion/candidates.ts')
  for (const word of await candidates(flags)) process.stdout.write(`${word}\n`)
} else {
  await import('./command-line.ts')
}
