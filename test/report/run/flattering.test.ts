import { describe, expect, it } from 'vitest'
import { flatteringSettings } from '../../../src/report/run/flattering.ts'
import type { RunConfig } from '../../../src/report/run/run-report.ts'
import { resolveTerms } from '../../../src/runtime/settings/run-terms.ts'
import type { TapeInfo } from '../../../src/tape/tape.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'

const TRADES = memoryTape([[0, 100, 1]]).info
const CANDLES = memoryTape([[0, 100, 1]], { kind: 'candles', intervalMs: 86_400_000 }).info

/** The usual terms, and fees. */
const CONFIG: RunConfig = {
  ...resolveTerms({ makerFeeBps: '1', takerFeeBps: '5' }),
  liquidity: 'tape',
  credit: {},
  liquiditySha256: null,
}

const TEN_MINUTES = 600_000
const WIDE = { general: 1200, mutations: 30, windowSeconds: 60 }
const SLOW = { general: 600, mutations: 30, windowSeconds: 120 }
const FAST = { general: 600, mutations: 30, windowSeconds: 30 }

describe('what flatters a run', () => {
  it.each`
    terms                                        | words                             | why
    ${{}}                                        | ${[]}                             | ${'the usual terms do not'}
    ${{ levelSize: 1.5 }}                        | ${['book depth x1.5']}            | ${'a deeper ladder'}
    ${{ levelSize: 0.5 }}                        | ${[]}                             | ${'a thinner one costs'}
    ${{ queueSize: 0.9 }}                        | ${['queue x0.9']}                 | ${'less ahead of an order'}
    ${{ queueSize: 2 }}                          | ${[]}                             | ${'more ahead'}
    ${{ spread: '5' }}                           | ${['spread 5']}                   | ${'what would have been learnt is not known, so any'}
    ${{ orderLatencyMs: 0 }}                     | ${['order latency 0 ms']}         | ${'no travel'}
    ${{ orderLatencyMs: 49 }}                    | ${['order latency 49 ms']}        | ${'a shorter one than usual'}
    ${{ orderLatencyMs: 51 }}                    | ${[]}                             | ${'a longer one'}
    ${{ liquidity: 'ideal' }}                    | ${['liquidity ideal']}            | ${'any quantity at the last price'}
    ${{ liquidity: 'touch' }}                    | ${['liquidity touch']}            | ${'no queue'}
    ${{ liquidity: 'through' }}                  | ${[]}                             | ${'the fewest fills'}
    ${{ liquidity: 'own.ts' }}                   | ${[]}                             | ${'of a model of the user nothing is known'}
    ${{ makerFeeBps: '0', takerFeeBps: '0.00' }} | ${['no fees']}                    | ${'neither side pays'}
    ${{ makerFeeBps: '0' }}                      | ${[]}                             | ${'many a maker pays none'}
    ${{ limits: null }}                          | ${['no rate limits']}             | ${'as fast as it likes'}
    ${{ limits: WIDE }}                          | ${['looser rate limits']}         | ${'more requests a window'}
    ${{ limits: FAST }}                          | ${['looser rate limits']}         | ${'as many in half the time'}
    ${{ limits: SLOW }}                          | ${[]}                             | ${'as many in twice the time'}
    ${{ staleAfterMs: TEN_MINUTES + 1 }}         | ${['quotes up to 600001 ms old']} | ${'an older quote than usual'}
    ${{ staleAfterMs: TEN_MINUTES }}             | ${[]}                             | ${'the usual one, said'}
    ${{ printFilter: 'off' }}                    | ${['no print filter']}            | ${'every print'}
    ${{ printFilter: 'auto' }}                   | ${[]}                             | ${'the usual filter'}
  `('$terms -> $words: $why', ({ terms, words }: { terms: Partial<RunConfig>; words: string[] }) => {
    expect(flatteringSettings({ ...CONFIG, ...terms }, [TRADES]).map((each) => each.words)).toEqual(words)
  })

  it('says nothing of old quotes on candles, which have none', () => {
    const words = (staleAfterMs: number, tapes: readonly TapeInfo[]): string[] =>
      flatteringSettings({ ...CONFIG, staleAfterMs }, tapes).map((each) => each.words)
    expect(words(TEN_MINUTES + 1, [CANDLES])).toEqual([])
    // Beside trades it is too long for these.
    expect(words(TEN_MINUTES + 1, [CANDLES, TRADES])).toHaveLength(1)
  })

  it('is data with the value in effect, as run.json has it', () => {
    const config = { ...CONFIG, levelSize: 2, limits: null, spread: '0.01' }
    const found = flatteringSettings(config, [TRADES])
    expect(found.map(({ setting, value }) => [setting, value])).toEqual([
      ['levelSize', 2],
      ['spread', '0.01'],
      ['limits', null],
    ])
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
  })
})
