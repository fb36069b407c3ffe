/**
 * README.md and the examples: each command runs in the package as it is installed.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled(['README.md', 'examples/README.md'])
