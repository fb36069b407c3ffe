/**
 * The proof of the exchange, proved: each bug of seeded-bugs.ts is found by the same drive that finds nothing in the
 * exchange as it is. Where `PROPERTY_TIMES` is below 1, each third bug is looked for.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STRIDE } from '../property/property.ts'
import { MutantFolder, seed } from './rig/mutant.ts'
import { SEEDED_BUGS } from './rig/seeded-bugs.ts'

/** Twice what the rarest bug needs with this seed; with another one, it may need more. */
const ORDER = { seed: 1, commands: 8_000 }
/** One script, the first of its kind. */
const LONG_ORDER = { seed: 0, commands: 1, isLong: true }

describe('the exchange with a bug in it', () => {
  let folder: MutantFolder
  beforeAll(() => {
    folder = new MutantFolder()
  })
  afterAll(() => folder.remove())

  it('is found to be right without one', async () => {
    expect(await folder.drive(undefined, ORDER)).not.toHaveProperty('found')
    expect(await folder.drive(undefined, LONG_ORDER)).not.toHaveProperty('found')
  })

  it('is that of a bug that fits the code', () => {
    for (const bug of SEEDED_BUGS) expect(seed(bug)).toContain(bug.replace)
  })

  it.each(SEEDED_BUGS.filter((_, index) => index % STRIDE === 0))('is found out: $name', async (bug) => {
    const { commands, found } = await folder.drive(bug, bug.needsLongScript === true ? LONG_ORDER : ORDER)
    // Not a bug that cannot even be run. A snapshot that is refused is one of an exchange that went wrong.
    expect(found, `after ${commands} commands`).toMatch(/^(?:Difference|InvariantError|InputError: snapshot)\b/)
  })
})
