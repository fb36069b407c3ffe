/**
 * Options of live and paper sessions from a program: a wrong one is refused by name, before anything is sent.
 */
import { expect, it } from 'vitest'
import { live, paper } from '../../src/run/real-time.ts'

const LIVE = { strategies: [{ strategy: 'market-maker' }], url: 'http://127.0.0.1:9/v1', apiKey: 'pt_x' }
const PAPER = { strategy: { strategy: 'market-maker' }, url: 'http://127.0.0.1:9/v1' }

// As a program without types may give them.
const WRONG: readonly (readonly [object, string])[] = [
  [{ risk: { dayLoss: '5' } }, 'risk: no such option'],
  [{ terms: { dayLos: '5' } }, "terms.dayLos: no such option; did you mean 'dayLoss'?"],
  [{ terms: { dayLoss: 'x' } }, 'terms.dayLoss: Invalid input: expected a decimal string above 0'],
  [{ url: undefined }, 'url: missing: pass the base URL of the service'],
  [{ url: 'localhost:80' }, 'url: expected an http'],
  [{ atExitt: 'flatten' }, "atExitt: no such option; did you mean 'atExit'?"],
]

it.each(WRONG)('refuses %j', async (wrong, message) => {
  const [place = ''] = message.split(':')
  const refusal = expect.objectContaining({
    where: place,
    message: expect.stringContaining(message.slice(place.length + 2)) as unknown,
  })
  await expect(live({ ...LIVE, ...wrong })).rejects.toEqual(refusal)
  if (place !== 'atExitt') await expect(paper({ ...PAPER, ...wrong })).rejects.toEqual(refusal)
})

it('refuses a missing key, list and strategy by name, before anything is sent', async () => {
  const without = (name: keyof typeof LIVE): typeof LIVE => ({ ...LIVE, [name]: undefined })
  await expect(live(without('apiKey'))).rejects.toThrow('apiKey: missing: pass the API key of the account')
  await expect(live(without('strategies'))).rejects.toThrow('strategies: expected a list of strategies')
  const listed = { ...LIVE, strategies: ['sma-cross'] } as unknown as typeof LIVE
  await expect(live(listed)).rejects.toThrow('strategies.0: expected an object with the strategy, such as { strategy: ')
  const named = { ...PAPER, strategy: 'sma-cross' } as unknown as typeof PAPER
  await expect(paper(named)).rejects.toThrow('strategy: expected an object with the strategy, such as { strategy: ')
})

it('former names of options are accepted, but not beside the present ones', async () => {
  const terms = { queueClips: 2, depthClips: 0.5, believe: 'all' } as const
  await expect(paper({ ...PAPER, onlooker: {}, terms })).rejects.toMatchObject({ code: 'NO_ANSWER' })
  await expect(live({ ...LIVE, watcher: {}, settleMs: 1, terms: { dayLoss: 'x' } })).rejects.toMatchObject({
    where: 'terms.dayLoss',
  })
  const wrong = paper({ ...PAPER, terms: { queueClips: -1 } })
  await expect(wrong).rejects.toMatchObject({ where: 'terms.queueSize' })
  const twice = [live({ ...LIVE, watcher: {}, listener: {} }), paper({ ...PAPER, onlooker: {}, listener: {} })]
  for (const session of twice) await expect(session).rejects.toThrow('is the former name of listener')
})
