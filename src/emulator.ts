/**
 * `papertape/emulator`: the exchange on one's own machine, started from a program.
 */
export type { BalancesJson } from './domain/balances.ts'
export { InputError, InvariantError } from './domain/errors.ts'
export type { Market } from './domain/market.ts'
export type { AssetAuditJson, AuditJson, BookJson } from './server/control/book-routes.ts'
export type { FaultPlan } from './server/faults/fault-plan.ts'
export type {
  EmulatorConfigInput,
  EmulatorLimits,
  EmulatorMarketInput,
  EmulatorKeyInput,
  EmulatorUserInput,
} from './server/emulator/emulator-config.ts'
export type { ClockTarget, EmulatorControl, EmulatorFault } from './server/emulator/emulator-control.ts'
export type { EmulatorOptions } from './server/emulator/emulator-options.ts'
export type { ReplaySpeed } from './server/emulator/emulator-settings.ts'
export type { EmulatorUser } from './server/emulator/emulator-users.ts'
export type { EmulatorSnapshots } from './server/emulator/emulator-worlds.ts'
export { startEmulator, type Emulator } from './server/emulator/emulator.ts'
export type { FaultKind, PlannedFault } from './server/faults/faults.ts'
export type { AnsweredRequest } from './server/http/answered-request.ts'
export { SCOPES, type Scope } from './server/service/api-key.ts'
export type { PlannedStep, ReadyScenario, Scenario } from './server/worlds/scenario.ts'
export type { BranchTerms, ComingAction, RewindTarget, SnapshotInfo } from './server/worlds/worlds.ts'
export type { TapeSource } from './import/tape-source.ts'
