import type { JsonObject } from '../json/json.ts'
import { repositoryOfRecord } from './repository-of-record.ts'

/** The facts of a record that statistics count; texts have one character per byte. */
export interface RecordFacts {
  /** The creation date. */
  time?: string | undefined
  /** Login of its user. */
  writer?: string | undefined
  /** URL of the repository that it is, or belongs to. */
  repository?: string | undefined
}

/** Whether facts of records of the kind `name` follow from a member. */
export const isFactual = (name: string, member: string): boolean =>
  member === 'url' ? name === 'repositories' : FACTUAL.includes(member)

const FACTUAL = ['user', 'created_at', 'repository', 'issue', 'pull_request']

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
