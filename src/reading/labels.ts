/** Labels of repositories, as `database/schema/facts/repositories.ts` has them. */

import { selectLabelFacts } from '../database/schema/facts/repositories.ts'
import type { Repository } from './library.ts'
import { foldCase, labelName } from './names.ts'
import { Memo } from './remembered.ts'

/** A label. */
export interface Label {
  readonly url: string
  readonly name: string
  /** Six hexadecimal digits; null if the record has no such color. */
  readonly color: string | null
  readonly description: string | null
}

/** The labels in the record of a repository, in its order. */
export const listLabels = (repository: Repository): readonly Label[] => [
  ...labelsOf(repository).values(),
]

/** The label with a name. Upper and lower case are the same, but of two such labels the one that is written so counts. */
export function findLabel(repository: Repository, name: string): Label | undefined {
  const labels = listLabels(repository)
  const folded = foldCase(name)
  return (
    labels.find((label) => label.name === name) ??
    labels.find((label) => foldCase(label.name) === folded)
  )
}

/** The URLs of labels with a name, in upper or lower case, also of one without a record. */
export const labelUrls = (repository: Repository, name: string): string[] => {
  const folded = foldCase(name)
  const known = listLabels(repository).filter((label) => foldCase(label.name) === folded)
  return [...known.map(({ url }) => url), `${repository.url}/labels/${encodeURIComponent(name)}`]
}

/** The label with a URL; undefined if the record of the repository does not have it. */
export const readLabel = (repository: Repository, url: string): Label | undefined =>
  labelsOf(repository).get(url)

/** A label without a record, which may have been deleted: its name is the end of its URL. */
export const lostLabel = (url: string): Label => ({
  url,
  name: labelName(url),
  color: null,
  description: null,
})

const labelsOf = ({ store, url }: Repository): ReadonlyMap<string, Label> =>
  store.remember(LABELS, url, () => {
    const rows = store.all<Label & { name: string | null }>(
      'SELECT url, name, color, description FROM labels WHERE repository = ? AND url IS NOT NULL',
      url,
    )
    return new Map(rows.map((row) => [row.url, { ...row, name: row.name || labelName(row.url) }]))
  })

const LABELS = new Memo<ReadonlyMap<string, Label>>((labels) => labels.size * 300)

/** How many issues and pull requests have each label, by its URL. */
export const countLabelled = ({ store, url }: Repository): ReadonlyMap<string, number> =>
  store.remember(COUNTS, url, () => {
    const sql = selectLabelFacts('o.repository = ?')
    const rows = store.all<{ url: string; threads: number }>(sql, url, url)
    return new Map(rows.map((label) => [label.url, label.threads]))
  })

const COUNTS = new Memo<ReadonlyMap<string, number>>((counts) => counts.size * 100)

/** Six hexadecimal digits in lower case; null for anything else. */
export const colorOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : null
