/**
 * The table of flags in docs/emulator.md, held against those of `papertape serve`.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SERVE_FLAGS } from '../../src/cli/serve/serve-flags.ts'

const page = readFileSync(new URL('../../docs/emulator.md', import.meta.url), 'utf8')

it('docs/emulator.md has a row for every flag of serve, and no other', () => {
  const cells = [...page.matchAll(/^\| (`--.*?`) \| /gm)].map(([, cell = '']) => cell)
  const named = cells.flatMap((cell) => [...cell.matchAll(/`--([a-z-]+)/g)].map(([, name]) => name))
  expect(named.toSorted()).toEqual(Object.keys(SERVE_FLAGS).toSorted())
})
