import { GHOST, LEVELS } from '../index/index-schema.ts'
import type { IndexedLibrary } from '../library.ts'
import { foldCase } from '../names.ts'
import { Memo } from '../remembered.ts'
import type { IndexedRepository } from '../repositories.ts'
import { asInteger, asText } from '../values.ts'
import type { People, Person } from './people.ts'
import { type AccountFacts, isAuthorizedFor, seesPrivate, type Viewer } from './viewer.ts'

export type Permission = keyof typeof LEVELS

export type Affiliation = 'owner' | 'collaborator' | 'organization_member'

/** Decides what people may see and do in repositories. */
export class Permissions {
  readonly #library: IndexedLibrary
  readonly #people: People
  /** Members of organizations by the accounts file: organization → login → role. */
  #members = new Map<string, Map<string, string>>()

  constructor(library: IndexedLibrary, people: People) {
    this.#library = library
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
  permissionOf(viewer: Viewer, repository: IndexedRepository): Permission | undefined {
    if (repository.isPrivate && !this.#maySee(viewer, repository)) return undefined
    const level = viewer ? this.#levelOf(viewer.login, repository) : 0
    return toPermission(Math.max(level, repository.isPrivate ? 0 : LEVELS.pull))
  }

  #maySee(viewer: Viewer, { ownerId }: IndexedRepository): boolean {
    if (!viewer?.unauthorized?.length) return seesPrivate(viewer)
    return seesPrivate(viewer) && isAuthorizedFor(viewer, this.#people.byId(ownerId, '').login)
  }

  canRead = (viewer: Viewer, repository: IndexedRepository): boolean =>
    !repository.isPrivate || this.permissionOf(viewer, repository) !== undefined

  /** The permissions of a person in a repository beyond those of everybody. */
  ownPermissionOf = (who: Who, repository: IndexedRepository): Permission | undefined =>
    toPermission(this.#level(who, repository))

  /** Whether somebody was let into a repository alone. */
  isCollaborator = (person: number, { id }: IndexedRepository): boolean =>
    this.#library.index.row(
      'SELECT 1 FROM collaborators WHERE person = ? AND repository = ?',
      person,
      id,
    ) !== undefined

  /** The teams that have a permission in a repository, by their urls. */
  teamsOf({ id }: IndexedRepository): { readonly team: string; readonly permission: Permission }[] {
    const sql = 'SELECT team, level FROM team_repositories WHERE repository = ? ORDER BY team'
    return this.#library.index.rows(sql, id).flatMap(([team, level]) => {
      const permission = toPermission(asInteger(level))
      return permission === undefined ? [] : [{ team: asText(team), permission }]
    })
  }

  /** Ids of the people who have a permission in a repository beyond that of everybody. */
  peopleOf({ id, ownerId: owner }: IndexedRepository): number[] {
    const ofRecords = this.#library.index.numbers(WITH_ACCESS, id, owner, id)
    const { kind, login } = this.#people.byId(owner, '')
    const isUser = kind !== 'Organization' && owner !== GHOST.id
    const members = isUser ? [] : [...(this.#members.get(foldCase(login))?.keys() ?? [])]
    const ofAccountsFile = members.flatMap((name) => this.#people.findByLogin(name)?.id ?? [])
    return [...new Set([...(isUser ? [owner] : []), ...ofRecords, ...ofAccountsFile])]
  }

  /** The role of a person in an organization; undefined unless they are a member. */
  roleIn(
    organization: { id: number | undefined; login: string },
    who: Who,
  ): 'admin' | 'member' | undefined {
    const person = this.#idOf(who)
    const row =
      person !== undefined && organization.id !== undefined
        ? this.#library.index.row(
            'SELECT admin FROM members WHERE person = ? AND organization = ?',
            person,
            organization.id,
          )
        : undefined
    const role = this.#roleByAccounts(organization.login, who)
    if (row?.[0] === 1 || role === 'admin') return 'admin'
    return row || role !== undefined ? 'member' : undefined
  }

  /** Ids of the members of an organization, by its record and by the accounts file. */
  membersOf({ id, login }: Pick<Person, 'id' | 'login'>): number[] {
    const ofRecords = this.#library.index.numbers(
      'SELECT person FROM members WHERE organization = ?',
      id ?? -1,
    )
    const ofAccountsFile = [...(this.#members.get(foldCase(login))?.keys() ?? [])]
    const found = ofAccountsFile.flatMap((name) => this.#people.findByLogin(name)?.id ?? [])
    return [...new Set([...ofRecords, ...found])]
  }

  /** Whether a viewer may know who belongs to an organization: its members may. */
  seesMembersOf(viewer: Viewer, organization: Pick<Person, 'id' | 'login'>): boolean {
    if (!viewer || !seesPrivate(viewer)) return false
    const { login } = organization
    return isAuthorizedFor(viewer, login) && this.roleIn(organization, viewer.login) !== undefined
  }

  isInTeam(login: string, team: string): boolean {
    const person = this.#people.findByLogin(login)?.id ?? -1
    const sql = 'SELECT 1 FROM team_members WHERE person = ? AND team = ?'
    return this.#library.index.row(sql, person, team) !== undefined
  }

  /** Whether lists of members, collaborators and teams name a person. */
  hasAccess({ id }: Pick<Person, 'id'>): boolean {
    const person = id ?? -1
    return this.#library.index.row(IN_ACCESS_LISTS, person, person, person) !== undefined
  }

  /** Ids of the organizations of a person. */
  organizationsOf(login: string): number[] {
    const person = this.#people.findByLogin(login)?.id ?? -1
    const sql = 'SELECT organization FROM members WHERE person = ?'
    const ofAccountsFile = [...this.#members].flatMap(([name, members]) =>
      members.has(foldCase(login)) ? (this.#people.findOrganization(name)?.id ?? []) : [],
    )
    return [...new Set([...this.#library.index.numbers(sql, person), ...ofAccountsFile])]
  }

  /** Ids of the repositories in which a person has more permission than the public. */
  repositoriesOf(login: string, affiliations: readonly Affiliation[]): number[] {
    const person = this.#people.findByLogin(login)?.id ?? -1
    const found = new Set<number>()
    for (const affiliation of affiliations) {
      const sql = AFFILIATED[affiliation]
      const values = Array.from(sql.matchAll(/\?/g), () => person)
      for (const id of this.#library.index.numbers(sql, ...values)) found.add(id)
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
        : this.#library.index.numbers('SELECT id FROM repositories WHERE owner = ?', found.id)
    })
  }

  #levelOf = (login: string, repository: IndexedRepository): number =>
    this.#library.remember(LEVELS_OF, `${repository.id} ${foldCase(login)}`, () =>
      this.#level(login, repository),
    )

  #level(who: Who, { id, ownerId: owner }: IndexedRepository): number {
    const person = this.#idOf(who)
    const inRecords =
      person === undefined
        ? 0
        : asInteger(
            this.#library.index.row(
              LEVEL,
              owner,
              person,
              person,
              owner,
              person,
              id,
              person,
              id,
            )?.[0],
          )
    if (this.#members.size === 0) return inRecords
    const organization = this.#people.byId(owner, '')
    const role = this.#roleByAccounts(organization.login, who)
    if (role === undefined || organization.kind !== 'Organization') return inRecords
    return Math.max(inRecords, role === 'admin' ? LEVELS.admin : this.#defaultLevel(owner))
  }

  #idOf = (who: Who): number | undefined =>
    typeof who === 'string' ? this.#people.findByLogin(who)?.id : who.id

  /** The accounts file names people by login: of two with one login it means the first. */
  #roleByAccounts(organization: string, who: Who): string | undefined {
    const login = typeof who === 'string' ? who : who.login
    const role = this.#members.get(foldCase(organization))?.get(foldCase(login))
    const isMeant = role !== undefined && this.#idOf(login) === this.#idOf(who)
    return isMeant ? role : undefined
  }

  /** The permissions of every member of an organization. */
  #defaultLevel = (organization: number): number =>
    asInteger(
      this.#library.index.row('SELECT level FROM organizations WHERE id = ?', organization)?.[0],
    )
}

/** An account by its login, or a person, of whom several may have one login. */
type Who = string | Pick<Person, 'id' | 'login'>

const LEVELS_OF = new Memo<number>(() => LEVEL_BYTES)

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

const IN_ACCESS_LISTS = `
  SELECT 1 FROM members WHERE person = ?
  UNION ALL SELECT 1 FROM collaborators WHERE person = ?
  UNION ALL SELECT 1 FROM team_members WHERE person = ?`

const AFFILIATED: Readonly<Record<Affiliation, string>> = {
  owner: 'SELECT id FROM repositories WHERE owner = ?',
  collaborator: 'SELECT repository FROM collaborators WHERE person = ? AND level > 0',
  organization_member: `SELECT r.id FROM members AS m JOIN organizations AS o ON o.id = m.organization
      JOIN repositories AS r ON r.owner = o.id
    WHERE m.person = ? AND (m.admin OR o.level > 0)
    UNION SELECT r.repository FROM team_members AS t JOIN team_repositories AS r ON r.team = t.team
    WHERE t.person = ? AND r.level > 0`,
}
