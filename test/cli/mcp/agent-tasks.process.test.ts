/**
 * The tasks of bench/agent by their scripted solutions: a few, or all with AGENT_TASKS=all. AGENT_TASKS=write,sweep
 * runs those.
 */
import { describe, expect, it } from 'vitest'
import { AGENT_TASKS } from '../../../bench/agent/tasks.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { toolClients } from './rig/tool-client.ts'

const { AGENT_TASKS: chosen = 'guide,recordings,equity,write' } = process.env
const tasks = AGENT_TASKS.filter(({ id }) => chosen === 'all' || chosen.split(',').includes(id))

const { folder } = cliFolder()
const { start } = toolClients()

describe('the tasks for models', () => {
  it('are thirty, each with a name of its own', () => {
    expect(new Set(AGENT_TASKS.map(({ id }) => id)).size).toBe(30)
  })

  it.each(tasks)('$id: $ask', async ({ solve, right, isPaper }) => {
    const tools = await start({ cwd: folder, flags: isPaper ? ['--scope', 'read,paper'] : [] })
    const answer = await solve(async (tool, given = {}) => {
      const { text, isError } = await tools.call(tool, given)
      if (isError) throw new Error(`${tool}: ${text}`)
      return text
    })
    expect(answer).toMatch(right)
  })
})
