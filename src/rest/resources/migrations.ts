import { formatNodeId } from '../../interface/node-id.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Migration } from '../state/migrations.ts'
import { segment, toUser } from './people.ts'
import type { Rendering } from './rendering.ts'
import { toRepository } from './repositories.ts'

/**
 * A migration with the repositories that the viewer may see of it. It has an address for its archive while there is one.
 *
 * @param repositories undefined if the viewer does not want them, which the answer says
 */
export function toMigration(
  rendering: Rendering,
  migration: Migration,
  repositories: readonly IndexedRepository[] | undefined,
): JsonObject {
  const { base, reader } = rendering
  const { id, guid, state, options, owner, organization, archive } = migration
  const { people } = reader
  const person =
    organization === undefined
      ? (people.findByLogin(owner) ?? people.ofAccount(owner))
      : (people.findOrganization(organization) ?? people.ofAccount(organization))
  const whose = organization === undefined ? 'user' : `orgs/${segment(person.login)}`
  const url = `${base}/${whose}/migrations/${id}`
  return {
    id,
    node_id: formatNodeId('Migration', id),
    owner: toUser(rendering, person),
    guid,
    state,
    lock_repositories: options.lock_repositories,
    exclude_attachments: options.exclude_attachments,
    exclude_metadata: options.exclude_metadata,
    exclude_git_data: options.exclude_git_data,
    exclude_releases: options.exclude_releases,
    exclude_owner_projects: options.exclude_owner_projects,
    org_metadata_only: options.org_metadata_only,
    repositories: (repositories ?? []).map((repository) => toRepository(rendering, repository)),
    ...(!repositories && { exclude: ['repositories'] }),
    url,
    created_at: formatOffsetTime(migration.createdAt),
    updated_at: formatOffsetTime(migration.updatedAt),
    ...(archive && { archive_url: `${url}/archive` }),
  }
}

/** `2024-01-31T23:59:59+00:00`: clients take the digits for hours, so that a fraction would be misread. */
const formatOffsetTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`
