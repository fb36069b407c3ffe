/**
 * Compressed data of a page: packed, deflated and base64-encoded.
 *
 * Invariant: the same data gives the same text on every machine, which the zlib of Node does not guarantee; decoding
 * restores the data exactly.
 */
/*! fflate (https://github.com/101arrowz/fflate), MIT License, Copyright (c) 2023 Arjun Barrett */
import { deflateSync, inflateSync, strToU8 } from 'fflate'
import { packed, unpacked } from './page/packed-json.ts'

/** @param data  plain JSON @returns nothing in it is markup */
export const folded = (data: unknown): string => base64(deflateSync(strToU8(JSON.stringify(packed(data)))))

/** The inverse. @param text  as `folded` gave it @throws {Error} when it is none */
export const unfolded = (text: string): unknown =>
  unpacked(JSON.parse(new TextDecoder().decode(inflateSync(bytesOf(text)))))

// Chunk size of String.fromCharCode, whose number of arguments is limited.
const CHUNK = 0x80_00

export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(from, from + CHUNK)))
  }
  return btoa(parts.join(''))
}

export function bytesOf(text: string): Uint8Array {
  const signs = atob(text.trim())
  const bytes = new Uint8Array(signs.length)
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = signs.charCodeAt(index)
  return bytes
}
