/** Which line of the list of lawful differences explains a difference. */

import { type Database, openDatabase } from '../../src/database/open-database.ts'
import type { Found } from './compare-faces.ts'
import type { Face } from './facts.ts'
import { LAWFUL, type Lawful } from './lawful.ts'

/** The table or view that has the records of a noun. */
const VIEWS: Readonly<Record<Lawful['noun'], string>> = {
  thread: 'threads',
  repository: 'repositories',
  milestone: 'milestones',
  label: 'labels',
  person: 'people',
  release: 'releases',
  team: 'teams',
}

/** A fact of a line: each must be needed. */
export interface Line {
  readonly apart: Lawful
  readonly fact: string
  readonly words: string
}

const wordsOf = ({ noun, faces, because }: Lawful, fact: string): string =>
  `${noun}: ${fact}: ${faces.join(', ')}: ${because}`

/** Every line of the list, a fact each. */
export const LINES: readonly Line[] = LAWFUL.flatMap((apart) =>
  apart.facts.map((fact) => ({ apart, fact, words: wordsOf(apart, fact) })),
)

const separates = (apart: readonly Face[], [one, other]: readonly [Face, Face]): boolean =>
  apart.includes(one) !== apart.includes(other)

/** The lines that explain each difference: none if it is new. */
export function explain(found: readonly Found[]): Map<Found, readonly Line[]> {
  const databases = new Map<string, Database>()
  const known = new Map<string, boolean>()
  const databaseOf = (path: string): Database => {
    const database = databases.get(path) ?? openDatabase(path)
    databases.set(path, database)
    return database
  }
  /** Whether a line is about a record. Asked once for all pairs of faces. */
  const isAbout = ({ noun, when }: Lawful, { path, url }: Found): boolean => {
    const key = `${path} ${url} ${when}`
    const sql = `SELECT 1 FROM ${VIEWS[noun]} AS o WHERE o.url = ? AND (${when})`
    const answer = known.get(key) ?? databaseOf(path).prepare(sql).get(url) !== undefined
    known.set(key, answer)
    return answer
  }
  try {
    return new Map(
      found.map((difference) => [
        difference,
        LINES.filter(
          ({ apart, fact }) =>
            apart.noun === difference.noun &&
            fact === difference.fact &&
            separates(apart.faces, difference.faces) &&
            isAbout(apart, difference),
        ),
      ]),
    )
  } finally {
    for (const database of databases.values()) database.close()
  }
}

/** Differences that no line explains, in words. */
export const unexplained = (explained: ReadonlyMap<Found, readonly Line[]>): string[] =>
  [...explained].flatMap(([{ noun, fact, url, faces, said }, lines]) =>
    lines.length > 0
      ? []
      : `${noun}: ${fact}: ${url}\n  ${faces[0]}: ${said[0]}\n  ${faces[1]}: ${said[1]}`,
  )

/** Lines without which every difference is explained as well. */
export function needless(explained: ReadonlyMap<Found, readonly Line[]>): string[] {
  const needed = new Set(
    [...explained.values()].flatMap((lines) => (lines.length === 1 ? lines : [])),
  )
  return LINES.filter((line) => !needed.has(line)).map(({ words }) => words)
}
