/** Guards date formatters that use the machine's present time if they are called without a date. */
type Format = (date?: Date | number) => unknown

/** Replacement of a property. */
export type Guarded = readonly [target: object, key: string, descriptor: PropertyDescriptor]

/** @param meetPresent  called before the present time of the machine is formatted; may throw */
export function guardedFormats(meetPresent: () => void): readonly Guarded[] {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')
  const parts = Object.getOwnPropertyDescriptor(prototype, 'formatToParts')
  const guardedByReal = new WeakMap<Format, Format>()
  const guarded = (real: Format): Format => {
    const known = guardedByReal.get(real)
    if (known !== undefined) return known
    const made: Format = (date) => {
      if (date === undefined) meetPresent()
      return real(date)
    }
    guardedByReal.set(real, made)
    return made
  }
  return [
    [
      prototype,
      'format',
      {
        ...format,
        get(this: Intl.DateTimeFormat) {
          return guarded(format?.get?.call(this) as Format)
        },
      },
    ],
    [
      prototype,
      'formatToParts',
      {
        ...parts,
        value(this: Intl.DateTimeFormat, date?: Date | number) {
          if (date === undefined) meetPresent()
          return (parts?.value as (this: Intl.DateTimeFormat, date?: Date | number) => unknown).call(this, date)
        },
      },
    ],
  ]
}
