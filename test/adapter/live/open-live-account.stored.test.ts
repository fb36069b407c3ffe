/**
 * The end of an account: whatever fails in it, another process can have the account.
 */
import { expect, it } from 'vitest'
import { openLiveAccount } from '../../../src/adapter/live/open-live-account.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { FakeLiveTime } from './rig/fake-live-time.ts'
import { ManualTransport, whole } from './rig/manual-transport.ts'
import { MARKETS_JSON } from './rig/wire-examples.ts'

const files = temporaryFiles()

class Unclosable extends ManualTransport {
  override close(): Promise<void> {
    return Promise.reject(new Error('a socket does not close'))
  }
}

it('gives its files and its lock free where its connections do not close', async () => {
  const open = (transport: ManualTransport): ReturnType<typeof openLiveAccount> =>
    openLiveAccount({
      url: 'http://127.0.0.1:1/v1',
      apiKey: 'pt_secret',
      state: files.folder,
      session: 's',
      transport,
      time: new FakeLiveTime(),
      fees: { makerFeeBps: '0', takerFeeBps: '0' },
      uniqueQty: false,
      timeoutMs: 1_000,
      settleMs: 1_000,
      onWarning: () => undefined,
      onError: () => undefined,
    })
  const answer = (): ReturnType<typeof whole> => whole(200, MARKETS_JSON)
  const { account, state } = await open(new Unclosable(answer))
  await expect(account.close()).rejects.toThrow('a socket does not close')
  expect(() => state.intents()).toThrow()
  const again = await open(new ManualTransport(answer))
  await again.account.close()
})
