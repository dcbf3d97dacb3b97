import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { loginOf } from '../../database/schema/facts/people.ts'
import { createLineDiffer, type LineChange } from '../diff/diff-lines.ts'
import { splitLines, type TextLines } from '../diff/text-lines.ts'
import { readCommit } from '../history/walk-commits.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { findFile } from '../objects/walk-tree.ts'
import { isBroken } from '../parse/git-object.ts'

/** A review thread about a line. */
export interface LineThread {
  readonly url: string
  /** The pull request. */
  readonly number: number | null
  /** Who began it, and the first 1,000 characters of the text. */
  readonly user_login: string | null
  readonly body: string | null
  readonly comments: number
  readonly resolved_at: string | null
}

interface Row extends LineThread {
  readonly path: string
  readonly oid: string | null
  /** The last line that it is about, from 1. */
  readonly line: number | null
}

const MOST_THREADS = 10_000
const LARGEST = 32 * 2 ** 20

const SELECT = `
WITH threads AS (
  SELECT url, full_name, number, path, resolved_at, created_at, id,
    coalesce(original_commit_id, commit_id) AS oid,
    coalesce(original_line, blob_position + 1) AS line
  FROM pull_request_review_threads
  WHERE full_name = ? AND path IN (SELECT value FROM json_each(?)) AND side IS NOT 'left'
)
SELECT t.url, t.number, t.path, t.oid, t.line, t.resolved_at, ${loginOf('c.user', 'c.user_login')} AS user_login,
  substr(c.body, 1, 1000) AS body,
  (SELECT count(*) FROM pull_request_review_comments
    WHERE pull_request_review_thread = t.url AND state_name IS NOT 'pending') AS comments
FROM threads AS t
LEFT JOIN pull_request_review_comments AS c ON c.url = (
  SELECT url FROM pull_request_review_comments
  WHERE pull_request_review_thread = t.url AND state_name IS NOT 'pending'
  ORDER BY unixepoch(created_at), id LIMIT 1
)
ORDER BY unixepoch(t.created_at), t.id
LIMIT ${MOST_THREADS}`

/**
 * Finds the review threads about lines of a file. Compares the file as it was when a thread was written with this one.
 * If the line of the thread is unchanged, the thread is about that line, wherever it is now; else it is about none.
 *
 * @param paths the paths that the file has had
 * @param blob the id of the file
 * @returns the threads of each line, from 1
 */
export function findThreads(
  database: Database,
  repository: string,
  objects: ObjectStore,
  paths: ReadonlySet<string>,
  blob: string,
): Map<number, LineThread[]> {
  const rows = database
    .prepare<[string, string], Row>(SELECT)
    .all(repository, JSON.stringify([...paths]))
  const found = new Map<number, LineThread[]>()
  if (rows.length === 0) return found
  const differ = createLineDiffer()
  const lines = readLines(objects, blob)
  const known = new Map<string, Comparison | undefined>()
  const compare = (oid: string, path: string) => {
    const key = `${oid} ${path}`
    if (!known.has(key)) {
      const before = linesAt(objects, oid, path)
      const changes = before && lines && differ(before, lines)
      known.set(key, changes && { count: before.count, changes })
    }
    return known.get(key)
  }
  for (const { path, oid, line, ...thread } of rows) {
    if (oid === null || !Number.isSafeInteger(line)) continue
    const compared = compare(oid, path)
    const place = compared && placeAfter(compared, (line as number) - 1)
    if (place === undefined) continue
    const others = found.get(place + 1)
    if (others) others.push(thread)
    else found.set(place + 1, [thread])
  }
  return found
}

/** How a version differs from this one. */
interface Comparison {
  /** The number of its lines. */
  readonly count: number
  readonly changes: readonly LineChange[]
}

/** Where a line of another version is in this one, from 0; undefined if it has changed. */
function placeAfter({ count, changes }: Comparison, line: number): number | undefined {
  if (line < 0 || line >= count) return undefined
  let moved = 0
  for (const { oldStart, oldEnd, newEnd } of changes) {
    if (line < oldStart) break
    if (line < oldEnd) return undefined
    moved = newEnd - oldEnd
  }
  return line + moved
}

function linesAt(objects: ObjectStore, oid: string, path: string): TextLines | undefined {
  try {
    return readLines(objects, findFile(objects, readCommit(objects, oid).tree, path).oid)
  } catch (error) {
    // The commit may be of a branch that is gone.
    const isGone = error instanceof ArchiveError && error.code === 'git-path-not-found'
    if (isGone || isBroken(error)) return undefined
    throw error
  }
}

const readLines = (objects: ObjectStore, blob: string): TextLines | undefined =>
  objects.sizeOf(blob) > LARGEST ? undefined : splitLines(objects.read(blob).content)
