/**
 * What the service must do, rule by rule of `docs/specification`, over HTTP and WebSocket, whatever serves it.
 *
 * Each title begins with the section or decision that it holds. Known limit: what needs the machine's time, such as
 * time-outs of sockets and pings, is held elsewhere.
 */
import { describe } from 'vitest'
import { describeAccount } from './service-account.contract.ts'
import { describeAuthentication } from './service-authentication.contract.ts'
import { describeCandles } from './service-candles.contract.ts'
import { describeCheckOrder } from './service-check-order.contract.ts'
import { describeDecimals } from './service-decimals.contract.ts'
import { describeDescription } from './service-description.contract.ts'
import { describeEmulator } from './service-emulator.contract.ts'
import { describeLimits } from './service-limits.contract.ts'
import { describeMarketData } from './service-market-data.contract.ts'
import { describeMatching } from './service-matching.contract.ts'
import { describeMatrix } from './service-matrix.contract.ts'
import { describeOrderHistory } from './service-order-history.contract.ts'
import { describeOrders } from './service-orders.contract.ts'
import { describeRefusedRequests } from './service-refused-requests.contract.ts'
import { ServiceStage } from './service-stage.ts'
import { describeStream } from './service-stream.contract.ts'
import { describeWire } from './service-wire.contract.ts'
import { ROOMY_CONFIG, SERVICE_CONFIG, START, type ServiceSubject } from './service-subject.ts'

/** Declares the tests of one service. */
export function describeService(subject: ServiceSubject): void {
  const open = async (): Promise<ServiceStage> => new ServiceStage(await subject.open(ROOMY_CONFIG, START))
  const openLimited = async (): Promise<ServiceStage> => new ServiceStage(await subject.open(SERVICE_CONFIG, START))

  describe(`service: ${subject.name}`, () => {
    describe('market data', () => describeMarketData(open))
    describe('candles', () => describeCandles(open))
    describe('orders', () => describeOrders(open))
    describe('order history', () => describeOrderHistory(open))
    describe('decimals', () => describeDecimals(open))
    describe('matching', () => describeMatching(open))
    describe('account', () => describeAccount(open))
    describe('authentication', () => describeAuthentication(open))
    describe('route, key, scope, ownership', () => describeMatrix(open))
    describe('order of checks', () => describeCheckOrder(openLimited))
    describe('limits', () => describeLimits(openLimited))
    describe('refused requests', () => describeRefusedRequests(open))
    describe('wire', () => describeWire(open))
    describe('stream', () => describeStream(open))
    describe('description', () => describeDescription(open))
    describe('emulator surface', () => describeEmulator(open))
  })
}
