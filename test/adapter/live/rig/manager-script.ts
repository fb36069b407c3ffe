/**
 * A seeded script of 20 orders before a faulty service, and the laws that must hold when it is over.
 */
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { isOpen } from '../../../../src/domain/order.ts'
import { ManagerStage, SYMBOL, type ManagerStageOptions, type ReportedPlacement } from './manager-stage.ts'

const ORDERS = 20
/** How long after the last fault everything must be settled. */
const SETTLED_WITHIN_MS = 60_000
const LAST_FILL_MS = 40_000

export interface ScriptResult {
  readonly stage: ManagerStage
  /** Broken laws in words; none when all hold. */
  readonly broken: readonly string[]
  /** Of the placements, how often each last word was reported. */
  readonly ends: Readonly<Record<string, number>>
}

export async function runScript(seed: number, options: Partial<ManagerStageOptions> = {}): Promise<ScriptResult> {
  const share = 0.3
  const settleMs = options.settleMs ?? 30_000
  const terms = {
    share,
    // Just before the last look may begin.
    latestMs: options.latestMs ?? settleMs - 1,
    pageCap: seed % 3 === 0 ? 7 : 500,
    isCoarse: seed % 2 === 0,
  }
  const stage = new ManagerStage({ seed, faults: terms, ...options })
  await stage.begin()
  for (let count = 0; count < ORDERS; count += 1) {
    stage.place(drawn(stage.random))
    await stage.pass(Math.floor(stage.random() * 4_000))
    if (stage.random() < 0.3) cancelOne(stage)
  }
  stage.service.faults = { ...terms, share: 0 }
  await stage.pass(SETTLED_WITHIN_MS)
  const unsettled = everythingIsSettled(stage)
  // A late order may be filled later still, and is looked after each 10 s.
  await stage.pass(LAST_FILL_MS)
  return { stage, broken: [...unsettled, ...brokenLaws(stage)], ends: endsOf(stage.placements) }
}

/** Few prices and quantities, so that orders look alike. */
function drawn(random: () => number): OrderRequest {
  const side = random() < 0.5 ? 'BUY' : 'SELL'
  const qty = 1 + Math.floor(random() * 3)
  if (random() < 0.15) return { symbol: SYMBOL, side, type: 'MARKET', qty }
  return { symbol: SYMBOL, side, type: 'LIMIT', price: 99 + Math.floor(random() * 3), qty }
}

function cancelOne(stage: ManagerStage): void {
  const open = stage.manager.own.all
  const one = open[Math.floor(stage.random() * open.length)]
  if (one !== undefined) stage.cancel(one.order.id)
}

export function brokenLaws(stage: ManagerStage): readonly string[] {
  return [
    ...oneOrderAnIntent(stage),
    ...everyOrderHasAnOwner(stage),
    ...everythingIsSettled(stage),
    ...everyFillIsReportedOnce(stage),
  ]
}

function oneOrderAnIntent({ service, placements }: ManagerStage): readonly string[] {
  const ids = placements.flatMap(({ reported }) => orderIds(reported))
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  const posts =
    service.posts.length > placements.length ? [`${service.posts.length} POSTs for ${placements.length}`] : []
  const unequal = placements.flatMap(({ reported, request, reference }) =>
    orderIds(reported).flatMap((id) => {
      const order = service.served.find((each) => each.order.id === id)?.order
      const isSame = order?.qty === request.qty && order.side === request.side && order.type === request.type
      return isSame && (request.type === 'MARKET' || order.price === request.price) ? [] : [`${id} is not ${reference}`]
    }),
  )
  const many = placements
    .filter(({ reported }) => new Set(orderIds(reported)).size > 1)
    .map(({ reference }) => `${reference} has two`)
  return [...twice.map((id) => `${id} has two intents`), ...posts, ...unequal, ...many]
}

function everyOrderHasAnOwner({ service, placements, manager }: ManagerStage): readonly string[] {
  const reported = new Set(placements.flatMap((each) => orderIds(each.reported)))
  return service.served
    .filter(({ order, call }) => call >= 0 && !(reported.has(order.id) && manager.intents.isOwned(order.id)))
    .map(({ order }) => `${order.id} is nobody's`)
}

function everythingIsSettled({ placements, manager, store }: ManagerStage): readonly string[] {
  const open = placements.filter(({ reported }) => reported.length === 0 || reported.at(-1) === 'unknown')
  const undecided = manager.intents.inState('UNKNOWN', 'SENDING').map(({ id }) => `intent ${id} is not settled`)
  const halts = [...store.blockedBySymbol.values()].map(({ why, reason }) => `halted ${why}: ${reason}`)
  return [
    ...open.map(({ reference, reported }) => `${reference} was reported ${reported.join(', ')}`),
    ...undecided,
    ...halts,
  ]
}

/** And the last state of each order that was reported is the service's. */
function everyFillIsReportedOnce({ service, updates, placements }: ManagerStage): readonly string[] {
  const ours = new Set(placements.flatMap((each) => orderIds(each.reported)))
  const fills = updates.flatMap(({ update }) => (update.type === 'fill' ? [update.fill] : []))
  const states = new Map(
    updates.flatMap(({ update }) => (update.type === 'order' ? [[update.order.id, update.order]] : [])),
  )
  return service.served.flatMap(({ order }) => {
    if (!ours.has(order.id)) return []
    const filled = fills.filter(({ orderId }) => orderId === order.id).reduce((sum, { qty }) => sum + qty.toNumber(), 0)
    const last = states.get(order.id)
    const isRight =
      filled === order.filledQty &&
      last?.filledQty.toNumber() === order.filledQty &&
      isOpen(last.status) === isOpen(order.status)
    return isRight ? [] : [`${order.id} ${order.status} ${order.filledQty}, reported ${last?.status ?? '-'} ${filled}`]
  })
}

const orderIds = (reported: readonly string[]): readonly string[] =>
  reported.flatMap((text) => (/^(?:order|adopted) /.test(text) ? [text.split(' ')[1] ?? ''] : []))

function endsOf(placements: readonly ReportedPlacement[]): Readonly<Record<string, number>> {
  const ends: Record<string, number> = {}
  for (const { reported } of placements) {
    const end = reported.at(-1)?.replace(/ .*/, '') ?? 'nothing'
    ends[end] = (ends[end] ?? 0) + 1
  }
  return ends
}
