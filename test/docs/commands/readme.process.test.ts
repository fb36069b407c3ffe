/**
 * README.md, its next pages and the examples: each command runs in the package as it is installed.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled([
  'README.md',
  'docs/command-line.md',
  'docs/from-a-program.md',
  'docs/getting-started.md',
  'docs/how-it-works.md',
  'examples/README.md',
])
