/**
 * Pages for newcomers, and those about the exchange and live sessions: each command runs in the package as it is
 * installed. The commands of docs/how-it-works.md run in the clone.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled([
  'README.md',
  'docs/arena.md',
  'docs/command-line.md',
  'docs/from-a-program.md',
  'docs/getting-started.md',
  'docs/emulator.md',
  'docs/live.md',
  'docs/paper.md',
])
