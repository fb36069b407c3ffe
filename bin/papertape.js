#!/usr/bin/env node
/**
 * The `papertape` command: runs the bundled program. In a clone, whose install builds nothing, the first call bundles it, which takes a second.
 *
 * It stands outside bundle because npm links a bin only if the file is there, and `npx papertape` in a clone keeps that link:
 * tried once before the build, it would say "not found" ever after.
 */
import { existsSync } from 'node:fs'

const main = new URL('../bundle/cli/main.js', import.meta.url)
const bundling = new URL('../scripts/bundle-program.mjs', import.meta.url)
if (!existsSync(main) && existsSync(bundling)) {
  await import(new URL('../scripts/bundle-pages.mjs', import.meta.url).href)
  await import(bundling.href)
}
await import(main.href)
