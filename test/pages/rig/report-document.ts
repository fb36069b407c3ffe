/**
 * A report of whatever data as a file that a browser opens, in the document that every page gets.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageData } from '../../../src/report/page/page-data.ts'
import { pageDocument } from '../../../src/report/page/page-document.ts'
import { pageHead } from '../../../src/report/page/page-head.ts'

const built = (name: string): string => readFileSync(`dist/pages/${name}`, 'utf8')

/** @returns  its address */
export function writeReport(data: PageData): string {
  const path = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.html')
  const [script, style] = [built('report.js'), built('report.css')]
  writeFileSync(path, pageDocument({ title: data.title, head: pageHead(data), data, script, style }))
  return pathToFileURL(path).href
}
