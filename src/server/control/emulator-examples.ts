/** Examples of the emulator's own surface: a user who gets a key and money, a fault, and an hour that goes by. */
import { DAY_MS, HOUR_MS } from '../../domain/time.ts'
import type { RouteExamples } from '../service/route.ts'

const USER = { id: 'user-2', email: 'b@example.com', verified: true }
const SCOPES = ['ORDER_READ', 'ORDER_CREATE']
const KEY = { id: 'h2q7r0sm', scopes: SCOPES }
const KEY_TEXT = `pt_${KEY.id}_vuXn0fT8o1Vw3cJ2yq6Zr4KbM5sLd7PhGa9EeRtYxUi`
const CODE = 'Fk0aVsKS-HpMaCUc6RrXXQ'
const FAULT = { fault: 'engine-timeout-after', route: 'POST /orders', count: 1 }
const PAUSED = { symbol: 'BTC_USD', paused: true, reason: 'maintenance' }
const TIME = 1_709_294_400_000
const SNAPSHOT = { name: 'before-news', time: TIME, users: 1, openOrders: 2, agents: true }
const COMING = { time: TIME + HOUR_MS, action: 'BTC_USD: paused, volatility' }
const ADDRESS = '127.0.0.1:40123'
const BRANCH = {
  name: 'what-if',
  snapshot: SNAPSHOT.name,
  baseUrl: `http://${ADDRESS}/v1`,
  streamUrl: `ws://${ADDRESS}/v1/ws`,
  emulatorUrl: `http://${ADDRESS}/emulator`,
  windowUrl: `http://${ADDRESS}/window`,
}
const BOARD = {
  name: 'Winter season',
  start: TIME,
  end: TIME + DAY_MS,
  now: TIME,
  state: 'running',
  quoteAsset: 'USD',
  journal: { lines: 1, digest: 'nUYY5dkDbJdr-WiDdukjgo8lWhjoGLaouNrpHVIJ-m8' },
  result: { type: 'result', time: TIME, players: [], disqualified: [], findings: [] },
  times: [TIME],
  curves: { 'user-1': ['100000'] },
}
const METRICS = [
  '# HELP papertape_orders_total Orders by outcome.',
  '# TYPE papertape_orders_total counter',
  'papertape_orders_total{outcome="accepted"} 12',
  '',
].join('\n')

export const EMULATOR_EXAMPLES: RouteExamples = {
  listUsers: { answer: [{ ...USER, keys: [KEY] }] },
  addUser: { bodies: { user: { email: USER.email, verified: true } }, answer: USER },
  setVerified: { bodies: { unverified: { verified: false } }, answer: { ...USER, verified: false } },
  addKey: {
    bodies: { key: { scopes: SCOPES } },
    answer: { ...KEY, key: KEY_TEXT },
  },
  creditUser: {
    bodies: { credit: { asset: 'BTC', amount: '2.5' }, debit: { asset: 'USD', amount: '-100' } },
    answer: { BTC: { available: '2.5', locked: '0' }, USD: { available: '0', locked: '0' } },
  },
  freezeUser: { answer: { ...USER, frozen: true } },
  unfreezeUser: { answer: USER },
  resetUser: {
    bodies: { reset: { credits: { USD: '100000' } } },
    answer: { BTC: { available: '0', locked: '0' }, USD: { available: '100000', locked: '0' } },
  },
  cloneUser: {
    bodies: { clone: { email: 'c@example.com' } },
    answer: { ...USER, id: 'user-3', email: 'c@example.com' },
  },
  listFaults: { answer: [{ id: 'fault-1', ...FAULT, seed: 1, ms: 1000 }] },
  planFault: {
    bodies: { counted: FAULT, byChance: { fault: 'delay', route: '*', probability: 0.1, seed: 7, ms: 250 } },
    answer: { id: 'fault-1' },
  },
  getAudit: {
    answer: { assets: { USD: { credited: '100000', held: '99998.5', fees: '1.5', difference: '0' } }, ok: true },
  },
  getBook: { answer: { bids: [['42000.00', '0.03']], asks: [['42001.50', '0.5']] } },
  listMarketStates: { answer: [PAUSED, { symbol: 'ETH_USD', paused: false }] },
  pauseMarket: { bodies: { pause: { reason: PAUSED.reason } }, answer: PAUSED },
  resumeMarket: { answer: { symbol: 'BTC_USD', paused: false } },
  listSnapshots: { answer: [SNAPSHOT] },
  saveSnapshot: { bodies: { present: { name: SNAPSHOT.name } }, answer: SNAPSHOT },
  exportSnapshot: { answer: { papertapeWorld: 1, digest: '9f86d081884c7d65', world: { time: TIME } } },
  loadSnapshot: { answer: SNAPSHOT },
  diffSnapshot: { answer: ['user-1 USD: 100000 available, 0 in orders -> 98000 available, 2000 in orders'] },
  listPast: { answer: [{ from: TIME - HOUR_MS, to: TIME }] },
  rewind: { bodies: { time: { time: TIME }, order: { beforeOrder: '12' } }, answer: { time: TIME } },
  listScenarioActions: { answer: [COMING] },
  playScenario: {
    bodies: {
      ready: { ready: 'bad-connection', market: 'BTC_USD' },
      own: { steps: [{ do: 'pause', after: '10m', symbol: 'BTC_USD', for: '5m', reason: 'volatility' }] },
    },
    answer: [COMING],
  },
  listBranches: { answer: [BRANCH] },
  startBranch: { bodies: { ofSnapshot: { name: BRANCH.name, snapshot: SNAPSHOT.name } }, answer: BRANCH },
  getClock: { answer: { now: TIME } },
  advanceClock: {
    bodies: { hour: { advanceMs: HOUR_MS } },
    answer: { now: TIME + HOUR_MS },
    others: { 202: { now: TIME + HOUR_MS, until: TIME + DAY_MS } },
  },
  stopClock: { answer: { now: TIME + HOUR_MS, stopped: true } },
  invitePlayers: { bodies: { three: { count: 3 }, named: { name: 'Ann' } }, answer: { codes: [CODE] } },
  resetPlayer: { bodies: { player: { name: 'Ann' } }, answer: { codes: [CODE] } },
  joinSeason: {
    bodies: { join: { code: CODE, name: 'Ann' } },
    answer: { account: 'user-1', name: 'Ann', key: KEY_TEXT },
  },
  getBoard: { answer: BOARD },
  getJournal: { answer: '[{"type":"season"},"nUYY5dkDbJdr-WiDdukjgo8lWhjoGLaouNrpHVIJ-m8"]\n' },
  getHealth: { answer: { status: 'ok', now: TIME } },
  getMetrics: { answer: METRICS },
}
