import type { FieldFault } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { DEFAULT_OPTIONS, type MigrationOptions } from '../state/migrations.ts'

const MOST_REPOSITORIES = 1000

const FLAGS = [
  'lock_repositories',
  'exclude_attachments',
  'exclude_metadata',
  'exclude_git_data',
  'exclude_releases',
  'exclude_owner_projects',
  'org_metadata_only',
] as const satisfies readonly (keyof MigrationOptions)[]

/** A name that may stand alone or after its owner. */
const NAME = /^(?:[\w.-]+\/)?[\w.-]+$/

const fault = (field: string, more: Omit<FieldFault, 'resource' | 'field'>): FieldFault => ({
  resource: 'Migration',
  field,
  ...more,
})

/** Members that callers may ask to be left out of an answer: it may be long. */
export const EXCLUDABLE = 'repositories'

/**
 * Parses the migration that a body asks for, and collects all faults in the order of the members.
 *
 * @param login the owner that a name without an owner belongs to
 * @param find the repository with a name, if the caller may migrate it
 * @param organizations logins of the organizations whose metadata the caller may have
 */
export function parseMigration(
  body: JsonObject,
  {
    login,
    find,
    organizations,
  }: {
    login: string
    find: (fullName: string) => IndexedRepository | undefined
    organizations: () => readonly string[]
  },
): {
  repositories: IndexedRepository[]
  options: MigrationOptions
  isShort: boolean
  faults: FieldFault[]
} {
  const faults: FieldFault[] = []
  const isForOrganizations = body.org_metadata_only === true
  const repositories = isForOrganizations
    ? refuseRepositories(body.repositories, faults)
    : parseRepositories(body.repositories, login, find, faults)
  const options = { ...DEFAULT_OPTIONS }
  for (const name of FLAGS) {
    const value = body[name] ?? false
    if (typeof value === 'boolean') options[name] = value
    else faults.push(fault(name, { code: 'invalid' }))
  }
  if (isForOrganizations) {
    options.organizations = organizations()
    if (options.organizations.length === 0) {
      const message = 'the token gives no access to an organization that its owner administers'
      faults.push(fault('org_metadata_only', { code: 'custom', message }))
    }
  } else if (options.exclude_metadata && options.exclude_git_data) {
    const message = 'exclude_metadata and exclude_git_data together leave nothing to export'
    faults.push(fault('exclude_git_data', { code: 'custom', message }))
  }
  return { repositories, options, isShort: parseExclude(body.exclude, faults), faults }
}

/** Whether the answer leaves out the repositories. */
function parseExclude(value: JsonValue | undefined, faults: FieldFault[]): boolean {
  if (value == null) return false
  const isList = Array.isArray(value) && value.every((name) => name === EXCLUDABLE)
  if (!isList) faults.push(fault('exclude', { code: 'invalid' }))
  return isList && value.length > 0
}

/** The metadata of organizations come without repositories. */
function refuseRepositories(
  value: JsonValue | undefined,
  faults: FieldFault[],
): IndexedRepository[] {
  const isEmpty = value == null || (Array.isArray(value) && value.length === 0)
  const message = 'must be empty with org_metadata_only'
  if (!isEmpty) faults.push(fault('repositories', { code: 'custom', message }))
  return []
}

function parseRepositories(
  value: JsonValue | undefined,
  login: string,
  find: (fullName: string) => IndexedRepository | undefined,
  faults: FieldFault[],
): IndexedRepository[] {
  const field = 'repositories'
  if (value == null) {
    faults.push(fault(field, { code: 'missing_field' }))
    return []
  }
  if (!Array.isArray(value) || value.length === 0) {
    faults.push(fault(field, { code: 'invalid' }))
    return []
  }
  if (value.length > MOST_REPOSITORIES) {
    const message = `at most ${MOST_REPOSITORIES} repositories can be migrated at once`
    faults.push(fault(field, { code: 'custom', message }))
    return []
  }
  const found = new Map<number, IndexedRepository>()
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || name.length > 255 || !NAME.test(name)) {
      faults.push(fault(field, { code: 'invalid', index }))
      continue
    }
    const repository = find(name.includes('/') ? name : `${login}/${name}`)
    if (repository) found.set(repository.id, repository)
    else faults.push(fault(field, { code: 'missing', value: name, index }))
  }
  return [...found.values()]
}
