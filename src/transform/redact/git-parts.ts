import type { ValueType } from './finding.ts'

/** The parts of Git data, in the order of a report. */
export const GIT_PARTS = {
  authors: 'author lines',
  messages: 'messages of commits and tags',
  signatures: 'signatures',
  notes: 'notes',
  refs: 'names of branches and tags',
  names: 'names of files in the history',
  files: 'contents of files in the history',
  config: 'config',
  description: 'description',
  logs: 'logs of refs',
  others: 'other files of repositories',
} as const
export type GitPart = keyof typeof GIT_PARTS

/** The part to which a file of a repository belongs that is no object. */
export function partOfGitFile(name: string): GitPart {
  if (/^(?:(?:.*\/)?logs\/.*|FETCH_HEAD)$/s.test(name)) return 'logs'
  if (/^(?:refs\/.*|packed-refs|info\/refs|[A-Z_]*HEAD)$/s.test(name)) return 'refs'
  if (/^config(?:\.worktree)?$/.test(name)) return 'config'
  return name === 'description' ? 'description' : 'others'
}

/** The values that were found in each part of Git data. */
export interface GitValues {
  note(part: GitPart, type: ValueType, value: string): void
  /** Says that something in a part changes, also if no value was found: such as metadata of a picture. */
  noteChange(part: GitPart): void
  /** Whether anything in a part was found or changes. */
  has(part: GitPart): boolean
  /** The number of different values in a part. */
  in(part: GitPart): number
  /** The number of different values by type, in all parts. */
  byType(): Partial<Record<ValueType, number>>
}

export function createGitValues(): GitValues {
  const parts = new Map<GitPart, Map<string, ValueType>>()
  const valuesOf = (part: GitPart) => {
    const values = parts.get(part) ?? new Map<string, ValueType>()
    parts.set(part, values)
    return values
  }
  return {
    note: (part, type, value) => void valuesOf(part).set(value, type),
    noteChange: (part) => void valuesOf(part),
    has: (part) => parts.has(part),
    in: (part) => parts.get(part)?.size ?? 0,
    byType() {
      const all = new Map([...parts.values()].flatMap((values) => [...values]))
      const counts: Partial<Record<ValueType, number>> = {}
      for (const type of all.values()) counts[type] = (counts[type] ?? 0) + 1
      return counts
    },
  }
}
