/**
 * Compact JSON: columns for lists of records, delta encoding for numbers, a dictionary for repeated strings. A list of
 * numbers that occurs again, also as strings, is stored once.
 *
 * Invariant: unpacking returns exactly what was packed, bit for bit; undefined values are omitted.
 */
import { readableSigned } from '../readable.ts'

export type Packed = null | boolean | number | string | readonly Packed[] | { readonly [key: string]: Packed }

/** Shorter lists are not packed. */
const MIN_LENGTH = 8
const MAX_DECIMALS = 8

/** Marks a missing field of a record. */
const ABSENT = '~u'

/** @param value  plain JSON */
export const packed = (value: unknown): Packed => withReferences(packedValue(value), [])

/** Replaces a list of numbers that is there already by its index among those lists. */
function withReferences(value: Packed, seen: (readonly Packed[])[]): Packed {
  if (Array.isArray(value)) {
    const list: readonly Packed[] = value
    return isPlainList(list) ? list : list.map((each) => withReferences(each, seen))
  }
  if (!isRecord(value)) return value
  if (!('~d' in value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withReferences(each, seen)]))
  }
  const list = value['~d'] as readonly Packed[]
  const index = seen.findIndex((each) => each.length === list.length && each.every((item, at) => item === list[at]))
  if (index !== -1) return { '~=': index }
  seen.push(list)
  return value
}

/** The inverse: references become the list itself. @param value  JSON */
function withoutReferences(value: unknown, lists: unknown[]): unknown {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    return isPlainList(list) ? list : list.map((each) => withoutReferences(each, lists))
  }
  if (!isRecord(value)) return value
  if ('~=' in value) return lists[value['~='] as number]
  if ('~d' in value) {
    lists.push(value)
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutReferences(each, lists)]))
}

const isPlainList = (list: readonly unknown[]): boolean =>
  list.every((each) => each === null || typeof each !== 'object')

function packedValue(value: unknown): Packed {
  if (typeof value === 'string') return value.startsWith('~') ? `~${value}` : value
  if (Array.isArray(value)) return value.length < MIN_LENGTH ? value.map(packedValue) : packedList(value)
  if (!isRecord(value)) return value as null | boolean | number
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(fields.map(([name, each]) => [name.startsWith('~') ? `~${name}` : name, packedValue(each)]))
}

function packedList(list: readonly unknown[]): Packed {
  if (list.every((each) => typeof each === 'number')) return packedNumbers(list)
  if (list.every((each) => typeof each === 'string'))
    return packedTexts(list.map((each) => packedValue(each) as string))
  if (list.every(isRecord)) return packedRecords(list)
  if (list.every((each) => Array.isArray(each))) return packedRows(list)
  return withoutHoles(list, null) ?? list.map(packedValue)
}

function packedNumbers(list: readonly number[]): Packed {
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1) {
    const steps = stepsOf(list, decimals)
    if (steps !== undefined) return { '~d': steps }
  }
  return list
}

/**
 * The decimals, and what each number is above the one before it, in units of the last decimal; undefined if inexact.
 */
function stepsOf(list: readonly number[], decimals: number): readonly number[] | undefined {
  const unit = 10 ** decimals
  const steps = [decimals]
  let before = 0
  for (const value of list) {
    const step = Math.round(value * unit)
    if (!Object.is(step / unit, value) || Math.abs(step) > MAX_STEP) return undefined
    steps.push(step - before)
    before = step
  }
  return steps
}

/** Keeps differences exact: two such numbers differ by at most 2^53. */
const MAX_STEP = 2 ** 52

function packedTexts(list: readonly string[]): Packed {
  const numbers = new Map<string, number>()
  for (const text of list) {
    if (numbers.has(text)) continue
    numbers.set(text, numbers.size)
    if (numbers.size * 2 > list.length) break
  }
  const isRepeated = numbers.size * 2 <= list.length
  if (!isRepeated || numbers.size > MAX_DICTIONARY) {
    const decimals = packedDecimals(list) ?? EMPTY.flatMap((empty) => withoutHoles(list, empty) ?? [])[0]
    if (decimals !== undefined) return decimals
  }
  return isRepeated ? { '~s': [...numbers.keys()], i: packedValue(list.map((text) => numbers.get(text) ?? 0)) } : list
}

/** Numbers take less room than a dictionary of more of them. */
const MAX_DICTIONARY = 64
/** Cells without a number in a column of numbers. */
const EMPTY = ['', '–']

/** A list of numbers, or of their strings, in which some are missing; undefined for other lists. */
function withoutHoles(list: readonly unknown[], hole: unknown): Packed | undefined {
  const [at, rest]: [number[], unknown[]] = [[], []]
  for (const [index, each] of list.entries()) {
    if (each === hole) at.push(index)
    else rest.push(each)
  }
  if (at.length === 0 || rest.length < MIN_LENGTH) return undefined
  const isOf = (type: string): boolean => rest.every((each) => typeof each === type)
  const values = isOf('number')
    ? packedNumbers(rest as number[])
    : isOf('string')
      ? packedDecimals(rest as string[])
      : undefined
  return values === undefined ? undefined : { '~h': hole as Packed, at: packedNumbers(at), v: values }
}

/** Numeric strings, all with the decimals of the first or all in shortest form, or as changes; undefined for others. */
function packedDecimals(list: readonly string[]): Packed | undefined {
  const values: number[] = []
  for (const text of list) {
    const value = Number(text.includes(',') ? text.replaceAll(',', '') : text)
    if (!Number.isFinite(value)) return undefined
    values.push(value)
  }
  const decimals = list[0]?.split('.')[1]?.length ?? 0
  const isText = (text: (value: number) => string): boolean =>
    values.every((value, index) => text(value) === list[index])
  if (decimals <= MAX_DECIMALS && isText((value) => value.toFixed(decimals))) {
    return { '~n': packedNumbers(values), f: decimals }
  }
  if (isText(String)) return { '~n': packedNumbers(values) }
  return isText(changeText) ? { '~n': packedNumbers(values), s: true } : undefined
}

/** Columnar encoding; fields missing from a record are marked. */
function packedRecords(list: readonly Record<string, unknown>[]): Packed {
  const names = new Set<string>()
  for (const record of list) for (const name of Object.keys(record)) names.add(name)
  const columns = Array.from(names, (name) => [name, packedColumn(list.map((record) => record[name]))] as const)
  return { '~o': list.length, c: columns }
}

function packedColumn(values: readonly unknown[]): Packed {
  if (values.every((value) => value !== undefined)) return packedValue(values)
  const some = values.map((value) => (value === undefined ? ABSENT : packedValue(value)))
  return some.every((each) => typeof each === 'string') ? packedTexts(some) : some
}

/** Rows of equal length are transposed into columns. */
function packedRows(list: readonly (readonly unknown[])[]): Packed {
  const width = list[0]?.length ?? 0
  if (width === 0 || list.some((row) => row.length !== width)) return list.map(packedValue)
  return { '~a': Array.from({ length: width }, (_, column) => packedValue(list.map((row) => row[column]))) }
}

const changeText = (value: number): string => readableSigned(String(value), Infinity)

/** Inverse of `packed`. @param value  output of `packed` */
export const unpacked = (value: unknown): unknown => unpackedValue(withoutReferences(value, []))

function unpackedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('~') ? value.slice(1) : value
  if (Array.isArray(value)) return value.map(unpackedValue)
  if (!isRecord(value)) return value
  if ('~d' in value) return unpackedNumbers(value['~d'] as readonly number[])
  if ('~s' in value) return unpackedTexts(value['~s'] as readonly string[], value.i)
  if ('~n' in value) return unpackedDecimals(value)
  if ('~h' in value) return withHoles(value)
  if ('~o' in value) return unpackedRecords(value['~o'] as number, value.c as readonly (readonly [string, unknown])[])
  if ('~a' in value) return unpackedRows(value['~a'] as readonly unknown[])
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.startsWith('~') ? name.slice(1) : name, unpackedValue(each)]),
  )
}

/** Lists by their packed form, so that references share one. */
const unpackedLists = new WeakMap<readonly number[], readonly number[]>()

function unpackedNumbers(list: readonly number[]): readonly number[] {
  const known = unpackedLists.get(list)
  if (known !== undefined) return known
  let step = 0
  const scale = 10 ** (list[0] ?? 0)
  const values = list.slice(1)
  for (let index = 0; index < values.length; index += 1) {
    step += values[index] ?? 0
    values[index] = step / scale
  }
  unpackedLists.set(list, values)
  return values
}

function withHoles({ '~h': hole, at, v }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const [holes, rest] = [unpackedValue(at) as readonly number[], unpackedValue(v) as readonly unknown[]]
  const list: unknown[] = []
  let [next, taken] = [0, 0]
  for (let index = 0; index < holes.length + rest.length; index += 1) {
    if (holes[next] === index) {
      list.push(hole)
      next += 1
    } else {
      list.push(rest[taken])
      taken += 1
    }
  }
  return list
}

function unpackedTexts(texts: readonly string[], numbers: unknown): readonly unknown[] {
  const all = texts.map((text) => (text === ABSENT ? undefined : unpackedValue(text)))
  return (unpackedValue(numbers) as readonly number[]).map((number) => all[number])
}

function unpackedDecimals({ '~n': numbers, f: decimals, s }: Readonly<Record<string, unknown>>): readonly string[] {
  const values = unpackedValue(numbers) as readonly number[]
  if (s === true) return values.map(changeText)
  return typeof decimals === 'number' ? values.map((value) => value.toFixed(decimals)) : values.map(String)
}

function unpackedRecords(count: number, columns: readonly (readonly [string, unknown])[]): readonly unknown[] {
  const records = Array.from({ length: count }, (): Record<string, unknown> => ({}))
  for (const [name, column] of columns) {
    const isPlain = Array.isArray(column)
    const values = (isPlain ? column : unpackedValue(column)) as readonly unknown[]
    records.forEach((record, index) => {
      const value = values[index]
      if (value === undefined || (isPlain && value === ABSENT)) return
      record[name] = isPlain ? unpackedValue(value) : value
    })
  }
  return records
}

function unpackedRows(columns: readonly unknown[]): readonly unknown[] {
  const all = columns.map((column) => unpackedValue(column) as readonly unknown[])
  return (all[0] ?? []).map((_, row) => all.map((column) => column[row]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
