/**
 * README.md and its next pages: each command runs in the package as it is installed. Those of docs/how-it-works.md are
 * run in the clone.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled(['README.md', 'docs/command-line.md', 'docs/from-a-program.md', 'docs/getting-started.md'])
