/** The beginning of a recording, to see what it is, and then all of it. */

/** Enough for a few hundred rows of any format. */
const BEGINNING_BYTES = 128 * 1024

export interface Beginning {
  readonly beginning: Buffer
  /** The beginning is all that there is. */
  readonly isWhole: boolean
  /** The same bytes from the first on, and those behind them. */
  readonly all: AsyncGenerator<Buffer, void, undefined>
}

/** @param chunks  each is good until the next one, and so are those of `all` */
export async function beginningOf(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Beginning> {
  const parts: Buffer[] = []
  let length = 0
  let isWhole = false
  while (length < BEGINNING_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) {
      isWhole = true
      break
    }
    parts.push(Buffer.from(value))
    length += value.length
  }
  return { beginning: Buffer.concat(parts), isWhole, all: allOf(parts, chunks) }
}

async function* allOf(
  parts: readonly Buffer[],
  rest: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* parts
    yield* rest
  } finally {
    // Releases the source even if the rest is never read.
    await rest.return()
  }
}
