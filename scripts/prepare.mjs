/**
 * Builds after an install, so that a clone is ready to run.
 *
 * Not where the compiler is left out (`npm ci --omit=dev`), and not when npx links this folder into its cache to run its bin:
 * were the build to fail there, npm would leave the link half made and `npx papertape` broken for good.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const compiler = 'node_modules/typescript/bin/tsc'
if (process.env.npm_command !== 'exec' && existsSync(compiler)) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  const pages =
    status === 0 ? spawnSync(process.execPath, ['scripts/bundle-pages.mjs'], { stdio: 'inherit' }).status : 0
  process.exitCode = (status ?? 1) || (pages ?? 1)
}
