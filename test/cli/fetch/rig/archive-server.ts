/**
 * A local HTTP server with the files of an archive, which counts its requests and can answer wrongly.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach } from 'vitest'

export interface ArchiveRequest {
  readonly url: string
  readonly range: string | undefined
}

/** Answers in place of the server. @returns false to let the server answer */
export type Fault = (request: ArchiveRequest, response: ServerResponse) => boolean

export interface TestArchive {
  readonly url: string
  /** Bodies by path and query. */
  readonly files: Map<string, Buffer>
  readonly requests: ArchiveRequest[]
  /** Reset before each test. */
  fault: Fault
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A zip archive with one file. */
const zipped = (name: string, text: string): Buffer => Buffer.from(zipSync({ [name]: strToU8(text) }))

/** Puts a file of Binance and its checksum into the archive. */
export function publish({ files }: TestArchive, folder: string, name: string, rows: string): Buffer {
  const zip = zipped(`${name}.csv`, rows)
  files.set(`/data/spot/daily/${folder}/${name}.zip`, zip)
  files.set(`/data/spot/daily/${folder}/${name}.zip.CHECKSUM`, Buffer.from(`${sha256Of(zip)}  ${name}.zip\n`))
  return zip
}

/** Ends the connection after so many bytes of the body. */
export function cutAfter(bytes: number, body: Buffer, response: ServerResponse): true {
  response.writeHead(200, { 'content-length': body.length })
  // Destroying the connection at the same moment would discard the bytes.
  response.write(body.subarray(0, bytes), () => setTimeout(() => response.destroy(), 50))
  return true
}

export function testArchive(): TestArchive {
  const none: Fault = () => false
  const archive = { url: '', files: new Map<string, Buffer>(), requests: [] as ArchiveRequest[], fault: none }
  const server = createServer((request, response) => {
    answer(archive, request, response)
  })
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    archive.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    archive.files.clear()
    archive.requests.length = 0
    archive.fault = none
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return archive
}

function answer(archive: TestArchive, { url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const request = { url, range: headers.range }
  archive.requests.push(request)
  if (archive.fault(request, response)) return
  const body = archive.files.get(url)
  if (body === undefined) {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    return
  }
  const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  const from = Number(start ?? 0)
  if (start === undefined) response.writeHead(200, { 'content-length': body.length }).end(body)
  else if (from >= body.length) response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
  else {
    const range = `bytes ${from}-${body.length - 1}/${body.length}`
    response.writeHead(206, { 'content-range': range, 'content-length': body.length - from }).end(body.subarray(from))
  }
}
