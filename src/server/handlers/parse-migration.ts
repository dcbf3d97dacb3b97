import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import type { Repository } from '../catalog/repositories.ts'
import type { FieldFault } from '../http/http-error.ts'
import type { MigrationOptions } from '../state/migrations.ts'

const MOST_REPOSITORIES = 1000

const FLAGS = [
  'lock_repositories',
  'exclude_attachments',
  'exclude_metadata',
  'exclude_git_data',
  'exclude_releases',
  'exclude_owner_projects',
] as const satisfies readonly (keyof MigrationOptions)[]

/** A name that may stand alone or after its owner. */
const NAME = /^(?:[\w.-]+\/)?[\w.-]+$/

const fault = (field: string, more: Omit<FieldFault, 'resource' | 'field'>): FieldFault => ({
  ...{ resource: 'Migration', field, ...more },
})

/**
 * Parses the migration that a body asks for, and collects all faults in the order of the members.
 *
 * @param login the owner that a name without an owner belongs to
 * @param find the repository with a name, if the caller may migrate it
 */
export function parseMigration(
  body: JsonObject,
  { login, find }: { login: string; find: (fullName: string) => Repository | undefined },
): {
  repositories: Repository[]
  options: MigrationOptions
  faults: FieldFault[]
} {
  const faults: FieldFault[] = []
  const repositories = parseRepositories(body.repositories, login, find, faults)
  const options = Object.fromEntries(FLAGS.map((name) => [name, false])) as Record<
    (typeof FLAGS)[number],
    boolean
  >
  for (const name of FLAGS) {
    const value = body[name] ?? false
    if (typeof value === 'boolean') options[name] = value
    else faults.push(fault(name, { code: 'invalid' }))
  }
  if (options.exclude_metadata && options.exclude_git_data) {
    const message = 'exclude_metadata and exclude_git_data together leave nothing to export'
    faults.push(fault('exclude_git_data', { code: 'custom', message }))
  }
  return { repositories, options, faults }
}

function parseRepositories(
  given: JsonValue | undefined,
  login: string,
  find: (fullName: string) => Repository | undefined,
  faults: FieldFault[],
): Repository[] {
  const field = 'repositories'
  if (given == null) {
    faults.push(fault(field, { code: 'missing_field' }))
    return []
  }
  if (!Array.isArray(given) || given.length === 0) {
    faults.push(fault(field, { code: 'invalid' }))
    return []
  }
  if (given.length > MOST_REPOSITORIES) {
    const message = `at most ${MOST_REPOSITORIES} repositories can be migrated at once`
    faults.push(fault(field, { code: 'custom', message }))
    return []
  }
  const found = new Map<number, Repository>()
  for (const [index, name] of given.entries()) {
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
