import type { JsonObject } from '../json/json.ts'
import { repositoryOfRecord } from './repository-of-record.ts'

/** What a survey counts of a record; each byte of a text is a character. */
export interface RecordFacts {
  /** When it was made. */
  time?: string | undefined
  /** Login of its user. */
  writer?: string | undefined
  /** owner/name of the repository that it is, or belongs to. */
  repository?: string | undefined
}

/** The facts of a record of the kind `name`, read with `bytesAsText`. */
export function factsOf(name: string, record: JsonObject): RecordFacts {
  const { url, user, created_at: time } = record
  const isRepository = name === 'repositories' && typeof url === 'string'
  return {
    time: typeof time === 'string' ? time : undefined,
    writer: typeof user === 'string' ? user.slice(user.lastIndexOf('/') + 1) : undefined,
    repository: repositoryOfRecord(isRepository ? { repository: url } : record),
  }
}
