#!/usr/bin/env node
/**
 * The `papertape` command: runs the built CLI.
 *
 * It stands outside bundle because npm links a bin only if the file is there, and `npx papertape` in a clone keeps that link:
 * tried once before the build, it would say "not found" ever after.
 */
import { existsSync } from 'node:fs'

const main = new URL('../bundle/cli/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  process.stderr.write('papertape: not built yet, run npm run build\n')
  process.exitCode = 2
}
