/** The process of a night's twins. The session has priority over it, and memory pressure kills it first. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { thrownText } from '../../domain/thrown-text.ts'
import { totalsOf, type TwinReport } from '../../report/twin/twin-report.ts'
import { checkFreeSpace } from '../../store/free-space.ts'
import { endWithParent, yieldTheMachine } from '../child-process.ts'
import { checkedRun } from '../run-file.ts'
import { twinOfCut } from '../twin.ts'
import type { NightlyAnswer, NightlyJob, NightlyResult } from './nightly-messages.ts'

/** Free bytes for each byte of the session, so that temporary files leave the session enough. */
const FREE_SHARE = 4

endWithParent(() => process.exit())
process.once('message', (job: NightlyJob) => {
  void answerTo(job).then((answer) => {
    process.send?.(answer, undefined, undefined, () => undefined)
  })
})

async function answerTo({ folder, strategies }: NightlyJob): Promise<NightlyAnswer> {
  try {
    yieldTheMachine()
    mkdirSync(folder, { recursive: true })
    const bytes = strategies.map(({ journalBytes, receivedBytes }) => journalBytes + receivedBytes)
    checkFreeSpace(folder, FREE_SHARE * Math.max(...bytes))
    const reports: TwinReport[] = []
    const results: NightlyResult[] = []
    for (const cut of strategies) {
      const { directory, name } = cut
      try {
        const report = await twinOfCut({ ...cut, run: checkedRun(directory, cut.run) }, folder)
        const { quoteAsset, gap, parts } = report
        reports.push(report)
        results.push({ name, total: { quoteAsset, gap, parts } })
      } catch (error) {
        results.push({ name, failure: thrownText(error) })
      }
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
    }
    const isWhole = reports.length === strategies.length
    const totals = isWhole ? totalsOf(reports) : []
    if (reports.length > 0) writeFileSync(`${folder}.json`, `${JSON.stringify({ strategies: reports, totals })}\n`)
    return { results, totals }
  } catch (error) {
    return { failure: thrownText(error) }
  }
}
