/**
 * A report as a file that a browser opens, of whatever data, under the strictest policy that its script and style can do with.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageData } from '../../../src/report/page/page-data.ts'

const built = (name: string): string => readFileSync(`dist/pages/${name}`, 'utf8')

/** @returns  its address */
export function writeReport(data: PageData): string {
  const script = built('report.js').replaceAll('</script', String.raw`<\/script`)
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:`
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  const path = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.html')
  writeFileSync(
    path,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>A report</title><link rel="icon" href="data:,">
<style>${built('report.css')}</style></head><body><script type="application/json" id="data">${json}</script>
<script type="module">${script}</script></body></html>`,
  )
  return pathToFileURL(path).href
}
