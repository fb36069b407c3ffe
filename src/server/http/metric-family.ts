/** A metric in the Prometheus text format 0.0.4. */

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string | number>>

/** A decimal string is written as it is. */
export type Sample = readonly [name: string, labels: Labels, value: number | string]

export const family = (name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([sample, labels, value]) => `${sample}${labelsText(labels)} ${value}`),
]

function labelsText(labels: Labels): string {
  const entries = Object.entries(labels)
  return entries.length === 0
    ? ''
    : `{${entries.map(([name, value]) => `${name}="${escaped(String(value))}"`).join(',')}}`
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
