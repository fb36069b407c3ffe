/**
 * The page of a sweep as one file.
 */
import { builtFile } from '../built-file.ts'
import { pageDocument } from '../page-document.ts'
import { type SweepFacts, sweepPage } from './sweep-page.ts'

/** @throws {InputError} when the pages were not built */
export function sweepDocument(facts: SweepFacts): string {
  const data = sweepPage(facts)
  return pageDocument({
    title: `papertape sweep: ${data.title}`,
    data,
    script: builtFile('sweep.js'),
    style: builtFile('sweep.css'),
  })
}
