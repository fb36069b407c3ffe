/**
 * Of runs: each command runs in the package as it is installed.
 */
import { runInstalled } from '../rig/run-installed.ts'

runInstalled([
  'docs/data.md',
  'docs/errors.md',
  'docs/liquidity.md',
  'docs/report.md',
  'docs/risk.md',
  'docs/statistics.md',
  'docs/sweeps.md',
  'docs/testing.md',
  'docs/what-if.md',
])
