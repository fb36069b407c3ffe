/** The greatest integer that divides two integers from 0 on; 0 is divided by all. */
export function greatestDivisor(a: number, b: number): number {
  if (b === a) return a
  let [divisor, rest] = [a, b]
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  return divisor
}
