/**
 * The worlds of no emulator, for the shape of the routes that report and change them.
 */
import type { Worlds } from '../../../src/server/worlds/worlds.ts'

const nobodyAsks = (): never => {
  throw new Error('nobody asks')
}

export const noWorlds: Worlds = {
  save: nobodyAsks,
  add: nobodyAsks,
  fileText: nobodyAsks,
  list: nobodyAsks,
  remove: nobodyAsks,
  load: nobodyAsks,
  rewind: nobodyAsks,
  past: nobodyAsks,
  diff: nobodyAsks,
  play: nobodyAsks,
  coming: nobodyAsks,
  stopScenarios: nobodyAsks,
  branch: nobodyAsks,
  branches: nobodyAsks,
  closeBranch: nobodyAsks,
}
