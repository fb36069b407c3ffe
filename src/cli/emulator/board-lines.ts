/** The board of a season as lines for a terminal. */
import { z } from 'zod'
import { isoTime } from '../../domain/time.ts'

const strategy = z.object({ stopped: z.object({ reason: z.string() }).optional() })
const player = z.object({
  account: z.string(),
  name: z.string(),
  rank: z.number().nullable(),
  equity: z.string(),
  strategy: strategy.optional(),
})
const result = z.object({ players: z.array(player).readonly() })

/** The parts of a board that are printed. */
export const board = z.object({
  name: z.string(),
  start: z.number(),
  end: z.number(),
  state: z.enum(['coming', 'running', 'over']),
  result,
})

export function boardLines({
  name,
  start,
  end,
  state,
  result: { players },
}: z.output<typeof board>): readonly string[] {
  return [`${name}, ${isoTime(start)} to ${isoTime(end)}: ${state}`, '', ...playerLines({ players })]
}

export const playerLines = ({ players }: z.output<typeof result>): readonly string[] =>
  players.map(({ name, rank, equity, strategy }) => {
    const stopped = strategy?.stopped === undefined ? '' : `  stopped: ${strategy.stopped.reason}`
    return `${String(rank ?? '-').padEnd(5)}${name.padEnd(34)}${equity}${stopped}`
  })
