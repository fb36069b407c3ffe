/**
 * Compact JSON: columns for lists of records, delta encoding for numbers, a dictionary for repeated strings.
 *
 * Invariant: unpacking returns exactly what was packed, bit for bit; undefined values are omitted.
 */

export type Packed = null | boolean | number | string | readonly Packed[] | { readonly [key: string]: Packed }

/** Shorter lists are not packed. */
const MIN_LENGTH = 8
const MAX_DECIMALS = 8

/** Marks a missing field of a record. */
const ABSENT = '~u'

/** @param value  plain JSON */
export function packed(value: unknown): Packed {
  if (typeof value === 'string') return value.startsWith('~') ? `~${value}` : value
  if (Array.isArray(value)) return value.length < MIN_LENGTH ? value.map(packed) : packedList(value)
  if (!isRecord(value)) return value as null | boolean | number
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(fields.map(([name, each]) => [name.startsWith('~') ? `~${name}` : name, packed(each)]))
}

function packedList(list: readonly unknown[]): Packed {
  if (list.every((each) => typeof each === 'number')) return packedNumbers(list)
  if (list.every((each) => typeof each === 'string')) return packedTexts(list.map((each) => packed(each) as string))
  if (list.every(isRecord)) return packedRecords(list)
  if (list.every((each) => Array.isArray(each))) return packedRows(list)
  return list.map(packed)
}

function packedNumbers(list: readonly number[]): Packed {
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1) {
    const steps = list.map((value) => Math.round(value * 10 ** decimals))
    if (steps.some((step) => !Number.isSafeInteger(step) || Math.abs(step) > MAX_STEP)) break
    if (!steps.every((step, index) => Object.is(step / 10 ** decimals, list[index]))) continue
    return { '~d': [decimals, ...steps.map((step, index) => step - (steps[index - 1] ?? 0))] }
  }
  return list
}

/** Keeps differences exact: two such numbers differ by at most 2^53. */
const MAX_STEP = 2 ** 52

function packedTexts(list: readonly string[]): Packed {
  const numbers = new Map<string, number>()
  for (const text of list) if (!numbers.has(text)) numbers.set(text, numbers.size)
  if (numbers.size * 2 > list.length) return packedDecimals(list) ?? list
  return { '~s': [...numbers.keys()], i: packed(list.map((text) => numbers.get(text) ?? 0)) }
}

/** Numeric strings, all with the decimals of the first or all in shortest form; undefined for other strings. */
function packedDecimals(list: readonly string[]): Packed | undefined {
  const values = list.map(Number)
  if (!values.every(Number.isFinite)) return undefined
  const decimals = list[0]?.split('.')[1]?.length ?? 0
  const isText = (text: (value: number) => string): boolean =>
    values.every((value, index) => text(value) === list[index])
  if (decimals <= MAX_DECIMALS && isText((value) => value.toFixed(decimals))) {
    return { '~n': packedNumbers(values), f: decimals }
  }
  return isText(String) ? { '~n': packedNumbers(values) } : undefined
}

/** Columnar encoding; fields missing from a record are marked. */
function packedRecords(list: readonly Record<string, unknown>[]): Packed {
  const names = [...new Set(list.flatMap((record) => Object.keys(record)))]
  const columns = names.map((name) => [name, packedColumn(list.map((record) => record[name]))] as const)
  return { '~o': list.length, c: columns }
}

function packedColumn(values: readonly unknown[]): Packed {
  if (values.every((value) => value !== undefined)) return packed(values)
  const some = values.map((value) => (value === undefined ? ABSENT : packed(value)))
  return some.every((each) => typeof each === 'string') ? packedTexts(some) : some
}

/** Rows of equal length are transposed into columns. */
function packedRows(list: readonly (readonly unknown[])[]): Packed {
  const width = list[0]?.length ?? 0
  if (width === 0 || list.some((row) => row.length !== width)) return list.map(packed)
  return { '~a': Array.from({ length: width }, (_, column) => packed(list.map((row) => row[column]))) }
}

/** Inverse of `packed`. @param value  output of `packed` */
export function unpacked(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('~') ? value.slice(1) : value
  if (Array.isArray(value)) return value.map(unpacked)
  if (!isRecord(value)) return value
  if ('~d' in value) return unpackedNumbers(value['~d'] as readonly number[])
  if ('~s' in value) return unpackedTexts(value['~s'] as readonly string[], value.i)
  if ('~n' in value) return unpackedDecimals(value['~n'], value.f as number | undefined)
  if ('~o' in value) return unpackedRecords(value['~o'] as number, value.c as readonly (readonly [string, unknown])[])
  if ('~a' in value) return unpackedRows(value['~a'] as readonly unknown[])
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.startsWith('~') ? name.slice(1) : name, unpacked(each)]),
  )
}

function unpackedNumbers([decimals = 0, ...differences]: readonly number[]): readonly number[] {
  let step = 0
  const scale = 10 ** decimals
  return differences.map((difference) => {
    step += difference
    return step / scale
  })
}

function unpackedTexts(texts: readonly string[], numbers: unknown): readonly unknown[] {
  const all = texts.map((text) => (text === ABSENT ? undefined : unpacked(text)))
  return (unpacked(numbers) as readonly number[]).map((number) => all[number])
}

function unpackedDecimals(numbers: unknown, decimals: number | undefined): readonly string[] {
  const values = unpacked(numbers) as readonly number[]
  return values.map(decimals === undefined ? String : (value) => value.toFixed(decimals))
}

function unpackedRecords(count: number, columns: readonly (readonly [string, unknown])[]): readonly unknown[] {
  const records = Array.from({ length: count }, (): Record<string, unknown> => ({}))
  for (const [name, column] of columns) {
    const isPlain = Array.isArray(column)
    const values = (isPlain ? column : unpacked(column)) as readonly unknown[]
    records.forEach((record, index) => {
      const value = values[index]
      if (value === undefined || (isPlain && value === ABSENT)) return
      record[name] = isPlain ? unpacked(value) : value
    })
  }
  return records
}

function unpackedRows(columns: readonly unknown[]): readonly unknown[] {
  const all = columns.map((column) => unpacked(column) as readonly unknown[])
  return (all[0] ?? []).map((_, row) => all.map((column) => column[row]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
