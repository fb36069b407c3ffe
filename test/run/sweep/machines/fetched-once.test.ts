/**
 * A file that several want at once.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fetchedOnce } from '../../../../src/run/sweep/machines/machine-cache.ts'
import { temporaryFiles } from '../../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

describe('fetchedOnce', () => {
  it('fetches once, however many ask, and each of them finds it', async () => {
    let fetched = 0
    let isThere = false
    const ask = (): Promise<void> =>
      fetchedOnce({
        path: join(folder, 'once'),
        isThere: () => isThere,
        fetch: async () => {
          fetched += 1
          await Promise.resolve()
          isThere = true
        },
      })
    await Promise.all([ask(), ask(), ask()])
    expect(fetched).toBe(1)
  })

  it('lets another try where one has failed', async () => {
    const path = join(folder, 'failed')
    const isThere = (): boolean => false
    const fetch = (): Promise<void> => Promise.reject(new Error('no room'))
    await expect(fetchedOnce({ path, isThere, fetch })).rejects.toThrow('no room')
    await expect(fetchedOnce({ path, isThere, fetch })).rejects.toThrow('no room')
  })
})
