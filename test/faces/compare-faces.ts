/** Compares everything that databases hold, on all faces. */

import type { Database } from '../../src/database/database.ts'
import { compare, type Difference } from './facts.ts'
import { type Faces, openFaces } from './open-faces.ts'
import { NOUNS, type Noun, readOther } from './other-facts.ts'
import { readAnswers, type SqlRow } from './read-thread.ts'
import { THREAD_FACTS } from './thread-facts.ts'

/** A difference, with the database that has the record. */
export interface Found extends Difference {
  readonly path: string
}

/** What a comparison looked at: how many answers of each fact and face, and the differences. */
export interface Comparison {
  readonly told: Map<string, number>
  readonly found: Found[]
}

/**
 * Compares the faces of databases that are served together.
 *
 * @param state the folder of the server's index; in memory without it
 */
export async function compareFaces(paths: readonly string[], state?: string): Promise<Comparison> {
  const faces = await openFaces(paths, state)
  const comparison: Comparison = { told: new Map(), found: [] }
  try {
    for (const database of faces.databases) {
      await compareThreads(faces, database, comparison)
      for (const noun of NOUNS) await compareNoun(noun, faces, database, comparison)
    }
    return comparison
  } finally {
    await faces.close()
  }
}

async function compareThreads(
  faces: Faces,
  database: Faces['databases'][number],
  { told, found }: Comparison,
): Promise<void> {
  const rows = database.prepare<[], SqlRow>('SELECT * FROM threads WHERE url IS NOT NULL').all()
  for (const row of rows) {
    const answers = await readAnswers(faces, database, row)
    const url = String(row.url)
    const differences = compare('thread', THREAD_FACTS, { url, answers }, told)
    found.push(...differences.map((each) => ({ ...each, path: database.name })))
  }
}

async function compareNoun(
  noun: Noun,
  faces: Faces,
  database: Faces['databases'][number],
  { told, found }: Comparison,
): Promise<void> {
  const rows = database
    .prepare<[], SqlRow>(`SELECT * FROM ${noun.from} WHERE url IS NOT NULL`)
    .all()
  for (const row of rows) {
    if (isShadowed(noun, faces, database, row)) continue
    const answers = await readOther(noun, faces, database, row)
    const differences = compare(noun.name, noun.facts, { url: String(row.url), answers }, told)
    found.push(...differences.map((each) => ({ ...each, path: database.name })))
  }
}

/** Whether a person or team has a record in an earlier database too, which counts. */
const isShadowed = (noun: Noun, { databases }: Faces, database: Database, row: SqlRow): boolean =>
  noun.home(row) === '' &&
  databases
    .slice(0, databases.indexOf(database))
    .some((earlier) => earlier.prepare(`SELECT 1 FROM ${noun.from} WHERE url = ?`).get(row.url))
