import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DateMillisecond, Table, tableFromArrays, tableToIPC, vectorFromArray } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { arrowText } from '../../../src/import/zip/arrow-text.ts'
import { decompressLz4Frame } from '../../../src/import/zip/lz4-frame.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

/** Written by pyarrow, packed here. */
const WRITTEN = {
  lz4: [
    'H4sIAOj6DWsC/+1WPWgUQRR+szu3uxwrt4ZDrwjHGQOKoCaIpeSCIpEYXIKiZRLvioOcSGLg0h1WKSwkNtbWFrEJWgSuULgiYqlg',
    'kZQ2goWFhbi+N/N2nR0vUWNj4Rzvvnsz7+d7b2Znb3J29trNcYAEx4YAiIBGEULwoAAB/sIhJEiEGG0IPZQptP2K2Ee5izKGQmu7',
    '35IEHQKKU+Y5Gi5KY34VLie0DhAoFI5t56C0GgBPtZ2oA3GqIBMPfGQVobXmKArkdwmlZvgTLrcaTZUDPzRD36HSQxRf6RRA++na',
    'Hms+LsUetuLdac4vUdXEwdOu0Nf2fmTlL1A/llq3m5xPMosq10b801pI41qK0YA67rXaXEeosgfcIcn9vHH9otq359xDUHVWeOdC',
    'lQEciTO4X/BjmH2JlM8wosx8bnEPyswZMk4yy73XOM54krFqrAkrHvC+qNgjM5W5+n1Uu+lx8U07P2+HandhZXW5ubio56kPa2Kf',
    'PrhS1WQSsOv+YNTdGVB3uE+d5xnnrPU1xgnGvrX+ifEMY03k16dYP816R+T7l+pp/g3L/53I8wR+fjsW/4PqYOkxY+mnfYVz7zfb',
    'LsSbbcTMr+fm7Oi4PBO1Y9HbQx7UF8YCkAJKFdreR7GZ73fjd/2cHdE/VcST+GTn1c6Jzy8/Dm0lAopVOEtXWKLHRPzneXZFzu4o',
    '/nzzenv7AjKY1mct2Yqn/zrukbTFogCuAyUM+yLXlwH9HMJyRyIR4JlwAuWl+vngl/28sj6KfNZHEffic5iOXjiDGUqqwswu4Xte',
    '3y9ldX/R7R3yE3WVz5Lke6HPz+VDYbwIjHujx/O99LkwuP9/L/1776UvuA+T6r/Fd6nSmmBiCAAA',
  ].join(''),
  zstd: [
    'H4sIAOj6DWsC/+1WP2gTYRR/X+5yF+InPUuEQ2o4sdriknTToZCiSKWWlqK2g0LSJtJAWzS1arcsgoODOGXRQSiIOLhUXIQMKhnq',
    '0MnBoRldBAcLDmp87/teel+u/8TJwRfevXv3vvfn995932VoYmJscgCghfRSAHhAlAQJDsQhgXdIwgYbxTiuIekgD+PaHygbyDeQ',
    's8hka/5qtdAhQXFS/IzIQi4WluF8i+wACSVFLLouhlwuArzQ60QOqCYfK3HAxao8XK1rFHHyO4ccGP4kF8vFksqBP3pCV6l0iewq',
    'nQJoP42tpuuxKHZPJN5CqVAh1FSDo12hode7XiR/nPpRKc+UOJ/NVaQZG9XfxkIaY0l6O+C4VZ5nHFJlT3CHbO7n5Utn1dzq3ENQ',
    'OH2enFQZIGbjE4DTEJLZF0/5pFHaWz555F5kn2sOyVH9c7h/FuxOR1kGLH3DJrbF1fMh6l/N/AxkIXxpXH3rmnb3DMD00vJiaW6O',
    '8D8Ue+C3bDXPZ8LM1Yn3q4H37h54pWE5EsHXz3I4Yp9lmWVZi9hfszzBshmxA9edYzUnOvvW1k+284lO//uspztQhTjbdf+tDhF9',
    'nGWXOa+uUWzup1fzAioLvPnqVmjP12OrAFMiOOZ9POhAbjprwcqdK2DfPpzZL07VNeJUnU2sJAkb7zb6vr390v2mhedXHAbHNq3g',
    '+GcprzlT+8VrCiNeEx7jbviwtjaIiUb0NNYnR7r/AF8kzpKAp/esqld93qZTdl8KXH/mwcD77ZebhyL9WVE72BNq9z/B3vTI61fh',
    'wE51XHjUu3sdeJ74chSjrGeSs/mEPvdh6xxIqTeeTlnJp9BFnrnNr2KdN26N45r7StlZb/Az89z5//34974f33EOQ+o/wG9xlCgX',
    'CggAAA==',
  ].join(''),
  /** 162,048 bytes in three blocks that refer to each other. */
  frame: [
    'H4sIAOj6DWsC/2NR8pVwcDjAx8jA4F+SWJDKwvB/hIMnAamggBBhYmDgJz80lv7/yMDIxMzCysbOwcnFzcPLxy8gKCQsIiomLiEp',
    'JS0jKyevoKikrKKqpq6hqaWto6unb2BoZGxiamZuYWllbWNrZ+/g6OTs4urm7uHp5e3j6+cfEBgUHBIaFh4RGRUdExsXn5CYlJyS',
    'mpaekZmVnZObl19QWFRcUlpWXlFZVV1TW1ff0NjU3NLa1t7R2dXd09vXP2HipMlTpk6bPmPmrNlz5s6bv2DhosVLli5bvmLlqtVr',
    '1q5bv2Hjps1btm7bvmPnrt179u7bf+DgocNHjh47fuLkqdNnzp47f+HipctXrl67fuPmrdt37t67/+Dho8dPnj57/uLlq9dv3r57',
    '/+Hjp89fvn77/uPnr99//v77z8D4//97/hobcoNwIX+NxSBKF+WQdNEGzCn8HN0D4oSk0UQFSlSvAiBMIAAAB7d2kL8EAAA=',
  ].join(''),
}

const bytesOf = (name: keyof typeof WRITTEN): Buffer => gunzipSync(Buffer.from(WRITTEN[name], 'base64'))

async function textOf(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'table.arrow')
  writeFileSync(file, bytes)
  const pieces: Buffer[] = []
  for await (const piece of arrowText(file)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('an Arrow file', () => {
  it('keeps the time of day of a date in milliseconds', async () => {
    const dates = vectorFromArray([Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 1, 9, 30)], new DateMillisecond())
    const text = await textOf(tableToIPC(new Table({ date: dates }), 'file'))
    expect(text.trimEnd().split('\n').slice(1)).toEqual(['2024-01-01', '2024-01-01T09:30:00.000Z'])
  })

  it.each(['lz4', 'zstd'] as const)('compressed with %s is written out as lines, with every digit', async (name) => {
    const rows = [
      '1704067200000001,0.10,0.1,buy,1152921504606846976,2024-01-02',
      '1704067201000000,-12345678901234567890.25,16777216,sell,1,',
      ',,,,2,',
    ]
    const lines = Array.from({ length: 40 }, () => rows.join('\n')).join('\n')
    expect(await textOf(bytesOf(name))).toBe(`time,price,near,side,id,day\n${lines}\n`)
  })

  it('without compression is read as well', async () => {
    const table = tableFromArrays({ time: BigInt64Array.of(1n, 2n), price: Float64Array.of(0.1, 2.5) })
    expect(await textOf(tableToIPC(table, 'file'))).toBe('time,price\n1,0.1\n2,2.5\n')
  })

  it('that is cut off, damaged or has nested columns is refused by name', async () => {
    const whole = bytesOf('lz4')
    await expect(textOf(whole.subarray(0, 900))).rejects.toThrow(
      /table\.arrow: cannot be read as Arrow \(it is cut off\)$/,
    )
    const damaged = Buffer.from(whole).fill(0, 1_000, 1_100)
    await expect(textOf(damaged)).rejects.toThrow(/table\.arrow: cannot be read as Arrow \(/)
    const nested = tableToIPC(tableFromArrays({ levels: [[1], [2]] }), 'file')
    await expect(textOf(nested)).rejects.toThrow(
      "table.arrow: cannot be read as Arrow (column 'levels': has columns of its own)",
    )
  })
})

describe('an LZ4 frame', () => {
  it('is decompressed across its blocks', () => {
    const part = Buffer.concat([
      Buffer.from('tape'.repeat(20_000)),
      Buffer.from(Array.from({ length: 1_024 }, (_, at) => at % 256)),
    ])
    expect(Buffer.from(decompressLz4Frame(bytesOf('frame'))).equals(Buffer.concat([part, part]))).toBe(true)
  })

  it('that is cut off or damaged throws', () => {
    const frame = bytesOf('frame')
    expect(() => decompressLz4Frame(frame.subarray(0, 40))).toThrow()
    expect(() => decompressLz4Frame(Buffer.from(frame).fill(0, 11, 40))).toThrow()
    const short = Buffer.from('04224d18404000020000004061', 'hex')
    expect(() => decompressLz4Frame(Buffer.concat([short, Buffer.alloc(4)]))).toThrow('a cut LZ4 block')
    expect(() => decompressLz4Frame(Buffer.from('nothing of the kind'))).toThrow('no LZ4 frame')
  })
})
