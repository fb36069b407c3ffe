/**
 * Builds where npm prepares the package for an install from its repository; an install of a clone runs no scripts.
 *
 * Not where the compiler is left out, and not when npx links this folder into its cache to run its bin: were the build to fail there,
 * npm would leave the link half made and `npx papertape` broken for good.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const compiler = 'node_modules/typescript/bin/tsc'
if (process.env.npm_command !== 'exec' && existsSync(compiler)) {
  process.exitCode = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status ?? 1
}
