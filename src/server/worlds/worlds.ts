/** Snapshots and branches of the world of an emulator, as its routes and its handle offer them. */

/** A snapshot by its name. */
export interface SnapshotInfo {
  /** 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit. */
  readonly name: string
  /** Market time of the world, Unix milliseconds. */
  readonly time: number
  /** Number of users. */
  readonly users: number
  /** Number of open orders of users. */
  readonly openOrders: number
  /** True if it has simulated traders. */
  readonly agents: boolean
}

/** A branch: another emulator in the same process, with a world of its own. */
export interface BranchInfo {
  /** The same form as that of a snapshot. */
  readonly name: string
  /** Snapshot that it started from; absent for one of the present. */
  readonly snapshot?: string
  /** Base URL of the REST API. */
  readonly baseUrl: string
  /** URL of the WebSocket. */
  readonly streamUrl: string
  /** Base URL of the control API. */
  readonly emulatorUrl: string
  /** URL of the window. */
  readonly windowUrl: string
}

/** Terms of a new branch. */
export interface BranchTerms {
  /** Name of the branch. */
  readonly name: string
  /** Snapshot to start from; default: the present. */
  readonly snapshot?: string | undefined
  /** TCP port; 0, the default, takes a free one. */
  readonly port?: number | undefined
}

/** A moment of the past of a world: one of the two. */
export interface RewindTarget {
  /** Market time, Unix milliseconds; everything of that time has happened. */
  readonly time?: number | undefined
  /** Id of an order of a client: the moment before it was placed. */
  readonly beforeOrder?: string | undefined
}

/** A stretch of the past of a world that can be gone back to. */
export interface PastStretch {
  /** Market time of its start, Unix milliseconds. */
  readonly from: number
  /** Market time of its end, Unix milliseconds. */
  readonly to: number
}

/** An action of a scenario to come. */
export interface ComingAction {
  /** Market time, Unix milliseconds. */
  readonly time: number
  /** The action in words. */
  readonly action: string
}

/** Everything throws a ServiceError for what the caller can mend. */
export interface Worlds {
  /** @param replace  true to replace a snapshot of that name */
  save(name: string, replace: boolean): SnapshotInfo
  /** Adds a snapshot from an exported file. @param file  its parsed JSON */
  add(name: string, file: unknown, replace: boolean): SnapshotInfo
  /** Text of the file of a snapshot. */
  fileText(name: string): string
  list(): readonly SnapshotInfo[]
  remove(name: string): void
  /**
   * Replaces the world by a snapshot. Earlier requests get 503 and are not executed, and streams close with 1012.
   */
  load(name: string): Promise<SnapshotInfo>
  /**
   * Goes back to a moment of the past, as `load` does to a snapshot. @returns its market time, Unix milliseconds
   */
  rewind(target: RewindTarget): Promise<{ readonly time: number }>
  /** The stretches that can be gone back to, oldest first. */
  past(): readonly PastStretch[]
  /** Differences in words. @param to  name of another snapshot; undefined for the present */
  diff(name: string, to: string | undefined): readonly string[]
  /** Plays a scenario from now on. @returns its actions */
  play(scenario: unknown): readonly ComingAction[]
  /** Actions of all scenarios to come. */
  coming(): readonly ComingAction[]
  /** Cancels all actions to come. */
  stopScenarios(): void
  branch(terms: BranchTerms): Promise<BranchInfo>
  branches(): readonly BranchInfo[]
  closeBranch(name: string): Promise<void>
}
