/**
 * Of the exchange and of what is live: each command runs in the package as it is installed.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled(['docs/emulator.md', 'docs/live.md', 'docs/paper.md'])
