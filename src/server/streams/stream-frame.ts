/**
 * A text message as it goes over a WebSocket from a server (RFC 6455, 5.2): made once, sent to any number of clients.
 */
const FINAL_TEXT = 0x81
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = headOf(length)
  const frame = Buffer.allocUnsafe(head.length + length)
  frame.set(head)
  frame.write(text, head.length)
  return frame
}

function headOf(length: number): readonly number[] {
  if (length < LENGTH_IN_2_BYTES) return [FINAL_TEXT, length]
  if (length < 2 ** 16) return [FINAL_TEXT, LENGTH_IN_2_BYTES, length >> 8, length & 0xff]
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return [FINAL_TEXT, LENGTH_IN_8_BYTES, ...bytes]
}
