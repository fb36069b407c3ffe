/**
 * What a page of a run was given to show.
 */
import { unfolded } from '../../../src/report/folded-data.ts'
import type { PageData } from '../../../src/report/page/page-data.ts'

/** @param html  the whole document @throws {Error} when there are no data in it */
export function dataIn(html: string): PageData {
  const [, text = ''] = /<script id="data"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
  return unfolded(text) as PageData
}
