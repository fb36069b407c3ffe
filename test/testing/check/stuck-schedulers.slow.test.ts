/**
 * A strategy that never comes back from a timer is found, and what it leaves in RxJS hides no fault of the next.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditTime, map } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import { checkStrategy } from '../../../src/testing/check/check-strategy.ts'

const CROSSES_ITSELF = join(fileURLToPath(new URL('.', import.meta.url)), 'faulty', 'crosses-itself.ts')

const stuck = () =>
  defineStrategy({
    name: 'stuck',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, trades }) =>
      trades(symbol).pipe(
        auditTime(1_000),
        map(() => {
          for (;;);
        }),
      ),
  })

it('a loop without end in a timer is found, and so are the faults of the next strategy', async () => {
  // Nothing is made smaller: that is not asked here, and takes its time.
  const search = { clock: () => 0, shrinkMs: -1 }
  const { findings } = await checkStrategy({ strategy: stuck, runs: 3, ...search })
  expect(findings.map(({ kind }) => kind)).toEqual(['endless-loop'])
  const next = await checkStrategy({ strategy: CROSSES_ITSELF, runs: 15, ...search })
  expect(next.findings.map(({ kind }) => kind)).toEqual(['crosses-itself'])
})
