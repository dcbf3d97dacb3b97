import { words } from './prose.ts'
import type { Random } from './random.ts'
import { repositoryUrl } from './world.ts'

export interface Label {
  readonly url: string
  readonly name: string
  readonly color: string
}

const names = [
  'bug',
  'documentation',
  'duplicate',
  'enhancement',
  'good first issue',
  'help wanted',
  'invalid',
  'question',
  "won't fix",
  'priority: high',
  'needs/repro',
  '日本語',
  ...words.slice(200, 240).map((word) => `area: ${word}`),
]

const labels = [0, 1].map((repository) =>
  names.map((name, i) => ({
    url: `${repositoryUrl(repository)}/labels/${encodeURIComponent(name)}`,
    name,
    color: ((i * 2_654_435_761) % 0x100_0000).toString(16).padStart(6, '0'),
  })),
)

export function labelsOf(repository: number): readonly Label[] {
  return labels[repository] as Label[]
}

/** One of the labels of that repository; at times one that was deleted since. */
export function someLabel(repository: number, random: Random): Label {
  const all = labelsOf(repository)
  if (random.chance(0.99)) return all[random.skewed(all.length)] as Label
  const url = `${repositoryUrl(repository)}/labels/stale%3F`
  return { url, name: 'stale?', color: 'ededed' }
}

/** The addresses of some labels, often none. */
export function labelUrls(repository: number, random: Random): string[] {
  const all = labelsOf(repository)
  const urls = Array.from({ length: random.skewed(5) }, () => all[random.skewed(all.length)]?.url)
  return [...new Set(urls)].filter((url) => url !== undefined)
}
