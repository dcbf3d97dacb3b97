/** What the records of people in the index say. */

import type { Library } from '../library.ts'
import { asList, asObject, asText } from '../values.ts'
import type { Person } from './people.ts'
import { type Profile, readProfile } from './profiles.ts'

/** The profile of a person; undefined without a record. */
export const profileOf = (library: Library, { record, url }: Person): Profile | undefined =>
  record && readProfile(library.store(record.database), url)

const TABLES = { User: 'users', Bot: 'bots', Organization: 'organizations' } as const

/** The address of a person's picture on the web; undefined if the record has none. Organizations have none. */
export function pictureAt(library: Library, { record, kind }: Person): string | undefined {
  if (!record || kind === 'Organization') return undefined
  const row = library.store(record.database).record(TABLES[kind], 'avatar_url', record.row)
  const picture = asText(row?.[0])
  return /^https?:\/\/[^\s]+$/.test(picture) ? picture : undefined
}

/** The addresses in the record of a person, the primary one first. */
export function recordedEmails(library: Library, { record, kind }: Person): string[] {
  if (!record || kind === 'Organization') return []
  const row = library.store(record.database).record(TABLES[kind], 'emails', record.row)
  return asList(row?.[0])
    .map(asObject)
    .toSorted((a, b) => Number(b.primary === true) - Number(a.primary === true))
    .map(({ address }) => asText(address))
    .filter((address) => address !== '')
}
