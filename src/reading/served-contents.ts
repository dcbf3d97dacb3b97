import type { IndexedReader } from './reader.ts'
import { asText } from './values.ts'

/** The contents of the databases of a server, for its operator. */
export interface ServedContents {
  /** Repositories that are served. */
  readonly repositories: number
  /** Repositories and people that are not served because others, of an earlier database or another host, have their names. */
  readonly shadowed: number
  /** Repositories that only references tell of. */
  readonly unserved: number
  /** The time of the newest event that a feed can have. */
  readonly newestEvent: Date | undefined
  /** The login of the account that made the export, if a record tells. */
  readonly exporter: string | undefined
}

export function describeContents(reader: IndexedReader): ServedContents {
  const newest = reader.feeds.newest()
  return {
    ...reader.counts(),
    newestEvent: newest === undefined ? undefined : new Date(newest * 1000),
    exporter: findExporter(reader),
  }
}

/** Only the account that made an export has a billing plan; an organization's export is made by an administrator. */
function findExporter({ library }: IndexedReader): string | undefined {
  for (const store of library.stores) {
    const owner = 'SELECT login FROM users WHERE billing_plan IS NOT NULL ORDER BY url LIMIT 1'
    const login = asText(store.row(owner)?.[0])
    if (login !== '') return login
  }
  const admin = library.index.row(`SELECT person.login FROM members
    JOIN people AS person ON person.id = members.person
    JOIN people AS organization ON organization.id = members.organization
    WHERE members.admin = 1 ORDER BY organization.url, person.url LIMIT 1`)
  return asText(admin?.[0]) || undefined
}
