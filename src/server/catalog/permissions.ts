import { GHOST, LEVELS } from './index/index-schema.ts'
import { foldCase } from './names.ts'
import type { AccountFacts, People } from './people.ts'
import type { Repository } from './repositories.ts'
import { asInteger, type Sources } from './sources.ts'

export type Permission = keyof typeof LEVELS

/** Who asks; undefined for a stranger. */
export type Viewer =
  | {
      readonly login: string
      readonly scopes: readonly string[]
      /** Organizations of which the viewer sees nothing private until single sign-on allows it. */
      readonly unauthorized?: readonly string[] | undefined
    }
  | undefined

export type Affiliation = 'owner' | 'collaborator' | 'organization_member'

/** Whether a caller's credentials let them see anything private. Permissions decide what. */
export const seesPrivate = (viewer: Viewer): boolean => viewer?.scopes.includes('repo') ?? false

/** A cache key: viewers with the same key see the same private things. Empty if they see none. */
export const viewerKey = (viewer: Viewer): string =>
  viewer && seesPrivate(viewer)
    ? [viewer.login, ...(viewer.unauthorized ?? [])].map(foldCase).join(' ')
    : ''

/** Decides what people may see and do in repositories. */
export class Permissions {
  readonly #sources: Sources
  readonly #people: People
  /** Members of organizations by the accounts file: organization → login → role. */
  #members = new Map<string, Map<string, string>>()

  constructor(sources: Sources, people: People) {
    this.#sources = sources
    this.#people = people
  }

  useAccounts({ organizations }: AccountFacts): void {
    this.#members = new Map(
      organizations.map(({ login, members }) => [
        foldCase(login),
        new Map(members.map((member) => [foldCase(member.login), member.role])),
      ]),
    )
  }

  /** The highest permission of a person in a repository; undefined if they may not see it. */
  permissionOf(viewer: Viewer, repository: Repository): Permission | undefined {
    if (repository.isPrivate && !this.#maySee(viewer, repository)) return undefined
    const level = viewer ? this.#levelOf(viewer.login, repository) : 0
    return toPermission(Math.max(level, repository.isPrivate ? 0 : LEVELS.pull))
  }

  #maySee(viewer: Viewer, { owner }: Repository): boolean {
    const unauthorized = viewer?.unauthorized ?? []
    if (!seesPrivate(viewer) || unauthorized.length === 0) return seesPrivate(viewer)
    const { login } = this.#people.byId(owner, '')
    return !unauthorized.some((name) => foldCase(name) === foldCase(login))
  }

  canRead = (viewer: Viewer, repository: Repository): boolean =>
    !repository.isPrivate || this.permissionOf(viewer, repository) !== undefined

  /** The permissions of a person in a repository beyond those of everybody. */
  ownPermissionOf = (login: string, repository: Repository): Permission | undefined =>
    toPermission(this.#level(login, repository))

  /** Ids of the people who have a permission in a repository beyond that of everybody. */
  peopleOf({ id, owner }: Repository): number[] {
    const ofRecords = this.#sources.numbers(WITH_ACCESS, id, owner, id)
    const { kind, login } = this.#people.byId(owner, '')
    const isUser = kind !== 'Organization' && owner !== GHOST.id
    const members = isUser ? [] : [...(this.#members.get(foldCase(login))?.keys() ?? [])]
    const ofAccountsFile = members.flatMap((name) => this.#people.findByLogin(name)?.id ?? [])
    return [...new Set([...(isUser ? [owner] : []), ...ofRecords, ...ofAccountsFile])]
  }

  /** The role of a person in an organization; undefined unless they are a member. */
  roleIn(
    organization: { id: number | undefined; login: string },
    login: string,
  ): 'admin' | 'member' | undefined {
    const person = this.#people.findByLogin(login)?.id
    const row =
      person !== undefined && organization.id !== undefined
        ? this.#sources.get(
            'SELECT admin FROM members WHERE person = ? AND organization = ?',
            person,
            organization.id,
          )
        : undefined
    const role = this.#members.get(foldCase(organization.login))?.get(foldCase(login))
    if (row?.[0] === 1 || role === 'admin') return 'admin'
    return row || role !== undefined ? 'member' : undefined
  }

  /** Ids of the organizations of a person. */
  organizationsOf(login: string): number[] {
    const person = this.#people.findByLogin(login)?.id ?? -1
    const sql = 'SELECT organization FROM members WHERE person = ?'
    const ofAccountsFile = [...this.#members].flatMap(([name, members]) =>
      members.has(foldCase(login)) ? (this.#people.findOrganization(name)?.id ?? []) : [],
    )
    return [...new Set([...this.#sources.numbers(sql, person), ...ofAccountsFile])]
  }

  /** Ids of the repositories in which a person has more permission than the public. */
  repositoriesOf(login: string, affiliations: readonly Affiliation[]): number[] {
    const person = this.#people.findByLogin(login)?.id ?? -1
    const found = new Set<number>()
    for (const affiliation of affiliations) {
      const sql = AFFILIATED[affiliation]
      const values = Array.from(sql.matchAll(/\?/g), () => person)
      for (const id of this.#sources.numbers(sql, ...values)) found.add(id)
    }
    if (affiliations.includes('organization_member')) {
      for (const id of this.#ofAccountsFile(login)) found.add(id)
    }
    return [...found]
  }

  #ofAccountsFile(login: string): number[] {
    return [...this.#members].flatMap(([organization, members]) => {
      const role = members.get(foldCase(login))
      const found = role === undefined ? undefined : this.#people.findOrganization(organization)
      if (found?.id === undefined) return []
      const level = role === 'admin' ? LEVELS.admin : this.#defaultLevel(found.id)
      return level === 0
        ? []
        : this.#sources.numbers('SELECT id FROM repositories WHERE owner = ?', found.id)
    })
  }

  #levelOf = (login: string, repository: Repository): number =>
    this.#sources.remember(
      `level ${repository.id} ${foldCase(login)}`,
      () => this.#level(login, repository),
      () => LEVEL_BYTES,
    )

  #level(login: string, { id, owner }: Repository): number {
    const person = this.#people.findByLogin(login)?.id
    const inRecords =
      person === undefined
        ? 0
        : asInteger(
            this.#sources.get(LEVEL, owner, person, person, owner, person, id, person, id)?.[0],
          )
    if (this.#members.size === 0) return inRecords
    const organization = this.#people.byId(owner, '')
    const role = this.#members.get(foldCase(organization.login))?.get(foldCase(login))
    if (role === undefined || organization.kind !== 'Organization') return inRecords
    return Math.max(inRecords, role === 'admin' ? LEVELS.admin : this.#defaultLevel(owner))
  }

  /** The permissions of every member of an organization. */
  #defaultLevel = (organization: number): number =>
    asInteger(this.#sources.get('SELECT level FROM organizations WHERE id = ?', organization)?.[0])
}

/** About how many bytes a number takes in memory. */
const LEVEL_BYTES = 16

const toPermission = (level: number): Permission | undefined =>
  (Object.keys(LEVELS) as Permission[]).find((name) => LEVELS[name] === level)

const LEVEL = `SELECT max(level) FROM (
  SELECT iif(? = ?, ${LEVELS.admin}, 0) AS level
  UNION ALL SELECT iif(m.admin, ${LEVELS.admin}, o.level) FROM members AS m
    JOIN organizations AS o ON o.id = m.organization WHERE m.person = ? AND m.organization = ?
  UNION ALL SELECT level FROM collaborators WHERE person = ? AND repository = ?
  UNION ALL SELECT r.level FROM team_members AS t JOIN team_repositories AS r ON r.team = t.team
    WHERE t.person = ? AND r.repository = ?)`

const WITH_ACCESS = `
  SELECT person FROM collaborators WHERE repository = ? AND level > 0
  UNION SELECT m.person FROM members AS m JOIN organizations AS o ON o.id = m.organization
    WHERE m.organization = ? AND (m.admin OR o.level > 0)
  UNION SELECT t.person FROM team_members AS t JOIN team_repositories AS r ON r.team = t.team
    WHERE r.repository = ? AND r.level > 0`

const AFFILIATED: Readonly<Record<Affiliation, string>> = {
  owner: 'SELECT id FROM repositories WHERE owner = ?',
  collaborator: 'SELECT repository FROM collaborators WHERE person = ? AND level > 0',
  organization_member: `SELECT r.id FROM members AS m JOIN organizations AS o ON o.id = m.organization
      JOIN repositories AS r ON r.owner = o.id
    WHERE m.person = ? AND (m.admin OR o.level > 0)
    UNION SELECT r.repository FROM team_members AS t JOIN team_repositories AS r ON r.team = t.team
    WHERE t.person = ? AND r.level > 0`,
}
