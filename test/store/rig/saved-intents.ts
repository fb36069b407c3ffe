/**
 * Intents of a live account, as they are kept.
 */
import fc from 'fast-check'
import { ORDER_TYPES, SIDES } from '../../../src/domain/order.ts'
import { INTENT_STATES, type PersistedIntent } from '../../../src/store/state/live/persisted-intent.ts'

/** An intent that leaves now. */
export const savedIntent = (id: number, changes: Partial<PersistedIntent> = {}): PersistedIntent => ({
  id,
  owner: 'grid',
  session: '2026-11-22T12-00-00Z-grid',
  reference: id,
  tag: undefined,
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  price: 10_000_000,
  qty: 100,
  state: 'SENDING',
  watermark: undefined,
  watermarkAt: undefined,
  knownCount: 0,
  orderId: undefined,
  filledQty: 0,
  isFinished: false,
  report: undefined,
  sentAt: 1_790_000_000_000,
  changedAt: 1_790_000_000_000,
  ...changes,
})

/** Any text, also one that is hostile to SQL, to JSON and to terminals. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', "';--", '\0', '\u001b[2J', '"}', 'null', '\ud800'),
)
const orUndefined = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined })
const integers = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER))

/** Of few ids, so that some are written over. */
export const savedIntents = fc.record<PersistedIntent>(
  {
    id: fc.integer({ min: 1, max: 8 }),
    owner: texts,
    session: texts,
    reference: integers,
    tag: orUndefined(texts),
    symbol: texts,
    side: fc.constantFrom(...SIDES),
    type: fc.constantFrom(...ORDER_TYPES),
    price: orUndefined(integers),
    qty: integers,
    state: fc.constantFrom(...INTENT_STATES),
    watermark: orUndefined(texts),
    watermarkAt: orUndefined(integers),
    knownCount: integers,
    orderId: orUndefined(texts),
    filledQty: integers,
    isFinished: fc.boolean(),
    report: orUndefined(
      fc.record(
        {
          qty: fc.maxSafeNat(),
          notional: fc.bigInt({ min: 0n, max: 2n ** 90n }).map(String),
          inferredQty: fc.maxSafeNat(),
          tradeIds: fc.array(texts),
        },
        { noNullPrototype: true },
      ),
    ),
    sentAt: integers,
    changedAt: integers,
  },
  { noNullPrototype: true },
)
