/** A file as the body of a response, sent in pieces: it may be larger than the memory. */
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'

export class FileBody {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Sends the file as it is now; a response that cannot be finished is cut.
   *
   * @param head  names and values of headers, alternating
   * @throws the error of a file that cannot be opened, before anything is sent
   */
  send(response: ServerResponse, status: number, head: readonly string[]): void {
    const fd = openSync(this.#path, 'r')
    const { size } = fstatSync(fd)
    response.writeHead(status, [...head, 'content-length', String(size)])
    if (response.req.method === 'HEAD' || size === 0) {
      closeSync(fd)
      response.end()
      return
    }
    pipeline(createReadStream(this.#path, { fd, end: size - 1 }), response, () => undefined)
  }
}
